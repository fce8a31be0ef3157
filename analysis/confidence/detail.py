"""One claim with everything known of it: why, on which passage, and every signal."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.core.serializers.json import DjangoJSONEncoder

from analysis.confidence import words
from analysis.confidence.answer import Head, Run, claim_runs, head
from analysis.confidence.readings import Reading, notes, readings
from analysis.engine.policy.rules import PolicyRules
from analysis.engine.types import ClaimStatus, Source
from analysis.selectors.confidence import Line
from analysis.selectors.marking import Segment, doubted, opposing_words, segments, shared_words


@dataclass(frozen=True, slots=True)
class Passage:
    """An evidence passage: which side it takes, where it is from, its words marked.

    `path` leads back into a source that is a record; of other sources `place` says where in them
    it stands.
    """

    side: str
    kind: str
    title: str
    address: str
    is_link: bool
    path: str
    place: str
    pieces: list[Segment]


@dataclass(frozen=True, slots=True)
class Detail:
    """One claim; `before` and `after` are its neighbours in the text."""

    head: Head
    total: int
    claim_id: str
    runs: list[Run]
    reason: str
    rule: str
    why: str
    band: str
    confidence: str
    support: str
    contradiction: str
    conflicts: list[str]
    passages: list[Passage]
    readings: list[Reading]
    notes: list[tuple[str, str]]
    policy_version: int
    raw: str
    before: Head | None
    after: Head | None


def detail(
    answer: str,
    lines: Sequence[Line],
    line: Line,
    claim: dict[str, Any],
    *,
    states: dict[str, Any],
    rules: PolicyRules,
    policy_version: int,
    sources: Sequence[Source],
) -> Detail:
    """The panel of one claim; `claim` is its document, `states` those of the signals."""
    confidence, signal = claim["confidence"], claim["signal"]
    doubts = doubted(answer, signal["unsupported"], rules.model.doubt_at)
    rule, _, why = claim["rationale"].partition(": ")
    at = line.number - 1
    return Detail(
        head=head(answer, line),
        total=len(lines),
        claim_id=line.claim_id,
        runs=claim_runs(answer, line, doubts),
        reason=words.reason_words(claim["reason"]),
        rule=rule,
        why=why,
        band=confidence["band"],
        confidence=words.percent(confidence["overall_confidence"]),
        support=words.percent(confidence["support_prob"]),
        contradiction=words.percent(confidence["contradict_prob"]),
        conflicts=[conflict["detail"] for conflict in signal["conflicts"]],
        passages=_passages(claim, sources),
        readings=readings(answer, signal, states, rules),
        notes=notes(states),
        policy_version=policy_version,
        raw=to_json(claim),
        before=head(answer, lines[at - 1]) if at > 0 else None,
        after=head(answer, lines[at + 1]) if at + 1 < len(lines) else None,
    )


def is_link(address: str) -> bool:
    """Only web addresses become links: `javascript:` and the like stay text."""
    try:
        return urlsplit(address).scheme in ("http", "https")
    except ValueError:
        return False


def to_json(value: Any) -> str:
    """A document for people to read."""
    return json.dumps(value, indent=2, ensure_ascii=False, cls=DjangoJSONEncoder)


def _passages(claim: dict[str, Any], sources: Sequence[Source]) -> list[Passage]:
    """The evidence passages, the one that the verdict rests on first."""
    decisive = claim["primary_evidence"]
    others = [chunk for chunk in claim["evidence"] if chunk != decisive]
    chunks = [decisive, *others] if decisive else others
    return [_passage(claim, chunk, sources) for chunk in chunks]


def _passage(claim: dict[str, Any], chunk: dict[str, Any], sources: Sequence[Source]) -> Passage:
    source = next((s for s in sources if s.source_id == chunk["doc_id"]), None)
    address, path = source.uri if source else "", chunk.get("path", "")
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
        title=chunk["source"] or chunk["doc_id"],
        address=address,
        is_link=is_link(address),
        path=path,
        place="" if path else f"characters {chunk['char_start']:,} to {chunk['char_end']:,}",
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
