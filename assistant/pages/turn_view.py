"""One turn as its page shows it. Pure: made from stored data only."""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from analysis.engine.types import ClaimStatus
from assistant.models import Step
from assistant.presenting import NOTHING, UNSURE, Beside, is_left_out, names_left_out, new_notes
from assistant.synthesis.citing import pieces, reader_text
from assistant.synthesis.conflicts import AS_TOLD
from assistant.synthesis.extractive import ALSO, FORECAST
from desk.verdict_page.engine_texts import in_words
from desk.verdict_page.words import ICONS, STATUSES_OF_CLAIMS
from lib.text.citations import marks
from memory.outcomes import reason_text

_MOST_SEVERE_FIRST = (ClaimStatus.CONTRADICTORY, ClaimStatus.LOW_CONFIDENCE, ClaimStatus.SUPPORTED)
_STEPS = (Step.RETRIEVING, Step.WEATHER, Step.MEMORY, Step.WRITING, Step.CHECKING)
_ARRIVED = (
    ("document", _("Passages found")),
    ("weather", _("Weather")),
    ("memory", _("What you told me")),
)
_BULLET = "- "
"""A line of a list begins with it; on the page the badge of its first sentence stands there."""
_NO_BREAK = "\u00a0"
"""Stands before a citation, which stays on the line of the words it belongs to."""
_END_SPACE = re.compile(r" $")
Spans = Mapping[str, Sequence[int]]


@dataclass(frozen=True, slots=True)
class TextPart:
    """Text, or (if `source` is set) a citation of one item of the bundle."""

    text: str
    source: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class TurnSentence:
    """A sentence with its citations. `status` "": it makes no claim, or none that is shown."""

    parts: tuple[TextPart, ...]
    status: str
    kind: str


@dataclass(frozen=True, slots=True)
class RememberedFact:
    """A fact remembered in this turn; `undoable` while nothing newer has replaced it."""

    entry_id: str
    text: str
    replaced: bool
    undoable: bool


@dataclass(frozen=True, slots=True)
class WaitingStep:
    """A step of a waiting question; `state` is "done", "current" or "ahead"."""

    name: str
    label: str
    state: str


@dataclass(frozen=True, slots=True)
class SourcePreview:
    """The beginnings of a source's passages, shown before the answer is written."""

    label: str
    pieces: tuple[dict[str, str], ...]


@dataclass(frozen=True, slots=True)
class TurnView:
    """A turn: its document, the lines of its answer, and lists for the page.

    `closest`: where nothing is certain, the sentences that come closest, each with its source.
    `unsure` says so. `explains_check`: this is the conversation's first check, so the page says
    what it means. `choice`: of documents by their metadata, as JSON.
    """

    document: dict[str, Any]
    lines: tuple[tuple[TurnSentence, ...], ...]
    sources: tuple[dict[str, Any], ...]
    memories: tuple[dict[str, Any], ...]
    flagged: tuple[dict[str, Any], ...]
    facts: tuple[RememberedFact, ...]
    refused: tuple[str, ...]
    steps: tuple[WaitingStep, ...]
    waits: bool
    unsure: str = ""
    closest: tuple[TurnSentence, ...] = ()
    conflicts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    arrived: tuple[SourcePreview, ...] = ()
    explains_check: bool = False
    choice: str = ""


def render_turn(
    document: dict[str, Any],
    body: str,
    spans: Spans,
    statuses: Mapping[str, ClaimStatus],
    undoable: Collection[str],
    *,
    quoted: bool,
    beside: Beside = NOTHING,
    arrived: Mapping[str, Sequence[dict[str, str]]] = MappingProxyType({}),
    told_before: Collection[str] = (),
    explains_check: bool = False,
) -> TurnView:
    """Return the page's view of a turn.

    `body`: the checked text with the code points (`spans`) and `statuses` of its claims.
    `undoable`: ids of the memory entries that can be undone. `told_before`: the conversation's
    earlier notes.
    """
    items = (document["evidence"] or {"items": []})["items"]
    by_number = {item["number"]: item for item in items}
    cited = tuple(item for item in items if item["cited"])
    facts = (document["memory"] or {"facts": []})["facts"]
    return TurnView(
        document=document,
        lines=tuple(_lines(body, spans, statuses, by_number, quoted=quoted)),
        sources=cited,
        memories=tuple(item for item in cited if item["kind"] == "memory"),
        flagged=tuple(item for item in items if item["flagged"] and _is_new(item, told_before)),
        facts=tuple(_fact(fact, undoable) for fact in facts if fact["stored"]),
        refused=tuple(
            reason_text(fact["code"], fact["reason"])
            for fact in facts
            if fact["code"] and not fact["fact"]
        ),
        steps=_steps(document["step"]),
        waits=document["answer"] is None,
        unsure=in_words(UNSURE) if beside.closest else "",
        closest=tuple(
            TurnSentence(
                (TextPart(f"“{text}”{_NO_BREAK}"), *_parts(f"[{number}]", by_number)), "", ""
            )
            for number, text in beside.closest
        ),
        conflicts=tuple(map(_conflict_in_words, beside.conflicts)),
        notes=_notes(document, told_before),
        arrived=tuple(
            SourcePreview(str(label), tuple(arrived[kind]))
            for kind, label in _ARRIVED
            if kind in arrived
        ),
        explains_check=explains_check,
        choice=json.dumps(document.get("documents") or {}),
    )


def _is_new(item: dict[str, Any], told_before: Collection[str]) -> bool:
    return not any(names_left_out(note, item["source"]) for note in told_before)


def _notes(document: dict[str, Any], told_before: Collection[str]) -> tuple[str, ...]:
    """Return the new notes, without those about left-out passages, which have their own list."""
    notes = new_notes(document.get("notes", ()), told_before)
    return tuple(note for note in notes if not is_left_out(note))


def _conflict_in_words(conflict: str) -> str:
    bare = conflict.removesuffix(AS_TOLD)
    return conflict if bare == conflict else f"{bare}, {gettext('as remembered')}"


def _lines(
    body: str,
    spans: Spans,
    statuses: Mapping[str, ClaimStatus],
    items: Mapping[int, dict[str, Any]],
    *,
    quoted: bool,
) -> Iterator[tuple[TurnSentence, ...]]:
    at = 0
    for line in body.split("\n"):
        sentences = list[TurnSentence]()
        if line in (ALSO, FORECAST):
            at += len(line) + 1
            yield (TurnSentence((TextPart(in_words(line)),), "", ""),)
            continue
        for piece in pieces(line):
            status = _status(at, at + len(piece), spans, statuses)
            words = reader_text(piece, quoted=quoted)
            parts = tuple(_parts(words if sentences else words.removeprefix(_BULLET), items))
            label = str(STATUSES_OF_CLAIMS[status]) if status else ""
            sentences.append(TurnSentence(parts, label, ICONS[status] if status else ""))
            at += len(piece)
        at += 1
        if sentences:
            yield tuple(sentences)


def _status(
    start: int, end: int, spans: Spans, statuses: Mapping[str, ClaimStatus]
) -> ClaimStatus | None:
    """Return the most severe verdict of the claims that overlap [start, end), or None."""
    met = {statuses[name] for name, (a, b) in spans.items() if a < end and b > start}
    return next((status for status in _MOST_SEVERE_FIRST if status in met), None)


def _parts(piece: str, items: Mapping[int, dict[str, Any]]) -> Iterator[TextPart]:
    at = 0
    for mark in marks(piece):
        if mark.start > at:
            yield TextPart(_END_SPACE.sub(_NO_BREAK, piece[at : mark.start]))
        for number in mark.numbers:
            yield TextPart(f"[{number}]", items.get(number))
        at = mark.end
    if piece[at:]:
        yield TextPart(piece[at:])


def _fact(fact: dict[str, Any], undoable: Collection[str]) -> RememberedFact:
    entry_id, replaced = fact["entry_id"], bool(fact["superseded_ids"])
    return RememberedFact(entry_id, fact["fact"], replaced, undoable=entry_id in undoable)


def _steps(now: str) -> tuple[WaitingStep, ...]:
    reached = _STEPS.index(Step(now)) if now in _STEPS else -1
    return tuple(
        WaitingStep(
            step.value,
            str(step.label),
            "done" if at < reached else "current" if at == reached else "ahead",
        )
        for at, step in enumerate(_STEPS)
    )
