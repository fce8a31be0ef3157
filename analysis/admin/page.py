"""The verdict page of a check as plain frozen values; the template only prints them."""

import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.core.serializers.json import DjangoJSONEncoder

from analysis.admin import words
from analysis.engine.types import ClaimStatus
from analysis.models import Check, CheckState, Review
from analysis.selectors.marking import Segment, Span, opposing_words, segments, shared_words
from analysis.selectors.submissions import sources_of
from audit.models import TrailEntry

CARDS_A_PAGE = 100
_SEVERITY = (ClaimStatus.SUPPORTED, ClaimStatus.LOW_CONFIDENCE, ClaimStatus.CONTRADICTORY)


@dataclass(frozen=True, slots=True)
class Passage:
    """An evidence passage: which side it takes, where it is from, its words shared or not."""

    side: str
    kind: str
    title: str
    address: str
    is_link: bool
    pieces: list[Segment]


@dataclass(frozen=True, slots=True)
class Head:
    """One claim as the answer and the header name it; `href` leads to its card."""

    number: int
    text: str
    status: str
    kind: str
    href: str


@dataclass(frozen=True, slots=True)
class Card:
    """One claim with everything known of it. Only the cards shown are made: it takes time."""

    head: Head
    claim_id: str
    reason: str
    rule: str
    why: str
    band: str
    confidence: str
    support: str
    contradiction: str
    conflicts: list[str]
    passages: list[Passage]
    rows: list[words.Row]
    raw: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of the answer; `claim` is the gravest one it belongs to."""

    text: str
    claim: Head | None
    first: bool


@dataclass(frozen=True, slots=True)
class State:
    """One signal of the whole answer: how it went, and by which model."""

    name: str
    words: str
    model: str
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Source:
    """A text the answer was compared with."""

    number: int
    source_id: str
    title: str
    text: str
    address: str
    is_link: bool


@dataclass(frozen=True, slots=True)
class Page:
    """All that the verdict page shows."""

    check: Check
    doc: dict[str, Any]
    done: bool
    kind: str
    waiting: str
    pieces: list[Piece]
    claims: list[Head]
    cards: list[Card]
    number: int
    numbers: range
    contradicted: list[Head]
    counts: list[tuple[str, str, int]]
    risk_signals: list[words.Row]
    states: list[State]
    not_checked: list[tuple[str, str]]
    sources: list[Source] | None
    trail: list[TrailEntry]
    reviews: list[Review]
    raw: str


def build(
    check: Check,
    doc: dict[str, Any],
    *,
    trail: list[TrailEntry],
    reviews: list[Review],
    number: int = 1,
) -> Page:
    """The page of a check; `number` chooses which hundred of its claims is spelled out."""
    done = doc["state"] == CheckState.DONE
    claims = doc["claims"]
    places = _places(claims)
    pages = range(1, max(1, -(-len(claims) // CARDS_A_PAGE)) + 1)
    number = number if number in pages else 1
    heads = [_head(at, claim, places[at], shown=number) for at, claim in enumerate(claims, 1)]
    gravest_first = sorted(heads, key=lambda head: places[head.number])
    sources = _sources(check)
    return Page(
        check=check,
        doc=doc,
        done=done,
        kind=(doc["action"] if done else doc["state"]).lower(),
        waiting="" if done else words.life_words(check),
        pieces=_pieces(check.answer, claims, heads),
        claims=heads,
        cards=[
            _card(head, claims[head.number - 1], sources or [])
            for head in gravest_first[(number - 1) * CARDS_A_PAGE : number * CARDS_A_PAGE]
        ],
        number=number,
        numbers=pages,
        contradicted=[c for c in heads if c.status == ClaimStatus.CONTRADICTORY],
        counts=[
            (str(status), words.ICONS[status], sum(c.status == status for c in heads))
            for status in reversed(_SEVERITY)
        ],
        risk_signals=_risk_signals(doc["signals"] or {}),
        states=[_state(*item) for item in (doc["signal_states"] or {}).items()],
        not_checked=[
            (words.signal_name(item["signal"]), words.status_words(item))
            for item in doc["not_checked"]
        ],
        sources=sources,
        trail=trail,
        reviews=reviews,
        raw=_json({name: value for name, value in doc.items() if name not in ("claims", "answer")}),
    )


def _places(claims: list[dict[str, Any]]) -> dict[int, int]:
    """Number of each claim to its place among the cards: the gravest first, then in order."""
    numbers = sorted(
        range(1, len(claims) + 1),
        key=lambda n: -_SEVERITY.index(ClaimStatus(claims[n - 1]["status"])),
    )
    return {number: place for place, number in enumerate(numbers)}


def _head(number: int, claim: dict[str, Any], place: int, *, shown: int) -> Head:
    status = ClaimStatus(claim["status"])
    page = place // CARDS_A_PAGE + 1
    return Head(
        number=number,
        text=claim["text"],
        status=str(status),
        kind=words.ICONS[status],
        href=f"{'' if page == shown else f'?claims={page}'}#claim-{number}",
    )


def _card(head: Head, claim: dict[str, Any], sources: list[Source]) -> Card:
    confidence, signal = claim["confidence"], claim["signal"]
    rule, _, why = claim["rationale"].partition(": ")
    return Card(
        head=head,
        claim_id=claim["claim_id"],
        reason=words.reason_words(claim["reason"]),
        rule=rule,
        why=why,
        band=confidence["band"],
        confidence=words.percent(confidence["overall_confidence"]),
        support=words.percent(confidence["support_prob"]),
        contradiction=words.percent(confidence["contradict_prob"]),
        conflicts=[conflict["detail"] for conflict in signal["conflicts"]],
        passages=_passages(claim, sources),
        rows=words.signal_rows(signal),
        raw=_json(claim),
    )


def _passages(claim: dict[str, Any], sources: list[Source]) -> list[Passage]:
    """The evidence passages, the one that the verdict rests on first."""
    decisive = claim["primary_evidence"]
    others = [chunk for chunk in claim["evidence"] if chunk != decisive]
    chunks = [decisive, *others] if decisive else others
    return [_passage(claim, chunk, sources) for chunk in chunks]


def _passage(claim: dict[str, Any], chunk: dict[str, Any], sources: list[Source]) -> Passage:
    source = next((s for s in sources if s.source_id == chunk["doc_id"]), None)
    address = source.address if source else ""
    side, kind = _side(claim, chunk)
    same = shared_words(chunk["text"], claim["text"])
    against = (
        opposing_words(chunk["text"], claim["signal"]["conflicts"])
        if kind == "contradictory"
        else []
    )
    return Passage(
        side=side,
        kind=kind,
        title=source.title if source else chunk["source"] or chunk["doc_id"],
        address=address,
        is_link=_is_link(address),
        pieces=segments(chunk["text"], [*same, *against]),
    )


def _side(claim: dict[str, Any], chunk: dict[str, Any]) -> tuple[str, str]:
    """A passage speaks for or against only where the verdict says so; else it was the closest."""
    if chunk == claim["primary_evidence"]:
        if claim["status"] == ClaimStatus.CONTRADICTORY:
            return "Speaks against the claim", "contradictory"
        if claim["status"] == ClaimStatus.SUPPORTED:
            return "Speaks for the claim", "supported"
    return "Closest passage, settles nothing", "none"


def _pieces(answer: str, claims: list[dict[str, Any]], heads: list[Head]) -> list[Piece]:
    by_key = {str(head.number): head for head in heads}
    spans = [
        Span(claim["answer_char_span"][0], claim["answer_char_span"][1], str(n))
        for n, claim in enumerate(claims, 1)
    ]
    return [_piece(segment, by_key) for segment in segments(answer, spans)]


def _piece(segment: Segment, by_key: dict[str, Head]) -> Piece:
    covering = [by_key[key] for key in segment.keys]
    gravest = max(
        covering, key=lambda head: _SEVERITY.index(ClaimStatus(head.status)), default=None
    )
    first = gravest is not None and str(gravest.number) in segment.opens
    return Piece(segment.text, gravest, first)


def _gravity(head: Head) -> int:
    return _SEVERITY.index(ClaimStatus(head.status))


def _risk_signals(signals: dict[str, bool | None]) -> list[words.Row]:
    said = {True: ("yes", "bad"), False: ("no", "good"), None: ("could not be told", "none")}
    return [
        words.Row(words.RISK_SIGNALS.get(name, name), *said[value])
        for name, value in signals.items()
    ]


def _state(name: str, state: dict[str, Any]) -> State:
    return State(words.signal_name(name), words.status_words(state), state["model"], state["ms"])


def _sources(check: Check) -> list[Source] | None:
    given = sources_of(check)
    if given is None:
        return None
    return [
        Source(n, s.source_id, s.title or s.source_id, s.text, s.uri, _is_link(s.uri))
        for n, s in enumerate(given, 1)
    ]


def _is_link(address: str) -> bool:
    """Only web addresses become links: `javascript:` and the like stay text."""
    try:
        return urlsplit(address).scheme in ("http", "https")
    except ValueError:
        return False


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, cls=DjangoJSONEncoder)
