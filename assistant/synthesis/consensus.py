"""Compares the answers of several models; a claim stays only if enough of them agree.

Two claims say the same if their meanings are near, or they give the same figure of the subject,
their figures and the thing they speak of do not differ, and no judge doubts it both ways. Answers
that open with yes and no agree on nothing. A sentence stays if all its claims do. The answer that
keeps the most is used.
"""

import math
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any

from analysis.engine.claims.extraction import read
from analysis.engine.claims.reading import Reading
from analysis.engine.signals.consistency import Agreement, SampleReader
from assistant.synthesis.citing import pieces
from assistant.synthesis.extractive import Embed, names_another
from assistant.synthesis.figures import quantities_of
from lib.text.tokens import tokenize

SAME_MEANING, SAME_SUBJECT = 0.6, 0.3
"""Cosines from which claims agree: in general, and with the same figure."""
DOUBTED = 0.1
"""Support (0-1) of each claim by the other answer below which they do not agree."""
_OPENS = re.compile(r"\W*(yes|no)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Consensus:
    """The chosen answer, its index among the answers, and what was dropped.

    `votes` is, for each claim of that answer, how many answers state it, its own included.
    """

    text: str
    author: int
    dropped: tuple[str, ...] = ()
    votes: dict[str, int] = field(default_factory=dict)


def agree(
    answers: Sequence[str], question: str, quorum: int, reader: SampleReader, embed: Embed
) -> Consensus:
    """Return the consensus of the answers, each with its citations; "" is one that found nothing.

    `quorum`: how many must state a claim. Raises inference.errors.ModelError.
    """
    readings = {at: read(answer, question) for at, answer in enumerate(answers) if answer}
    agreements = {
        (at, other): reader.compare(readings[at], question, answers[other])
        for at, other in permutations(readings, 2)
        if not _contrary(answers[at], answers[other])
    }
    drafts = [_draft(at, answers[at], readings, agreements, quorum, embed) for at in readings]
    if not drafts:
        return Consensus("", 0)
    return max(drafts, key=lambda draft: (len(draft.votes) - len(draft.dropped), -draft.author))


def quorum_of(count: int, setting: int) -> int:
    """Return how many of `count` models must agree: the setting, or a majority."""
    return min(count, setting) if setting > 0 else count // 2 + 1


def _draft(
    at: int,
    answer: str,
    readings: dict[int, Reading],
    agreements: dict[tuple[int, int], list[Agreement | None]],
    quorum: int,
    embed: Embed,
) -> Consensus:
    claims = readings[at].statements
    votes = [1] * len(claims)
    for other in (second for first, second in agreements if first == at):
        nearest = _nearest(_texts(readings[at]), _texts(readings[other]), embed)
        for claim, place in enumerate(nearest):
            if place is None:
                continue
            support = (agreements[at, other][claim], agreements[other, at][place])
            votes[claim] += any(item is None or item.entail >= DOUBTED for item in support)
    spans = [(item.claim.start, item.claim.end) for item in claims]
    weak = [span for span, count in zip(spans, votes, strict=True) if count < quorum]
    text, dropped = _without(answer, weak)
    votes_by_claim = {item.claim.text: count for item, count in zip(claims, votes, strict=True)}
    return Consensus(text, at, tuple(dropped), votes_by_claim)


def _contrary(answer: str, other: str) -> bool:
    opening, theirs = _OPENS.match(answer), _OPENS.match(other)
    return bool(opening and theirs and opening[1].lower() != theirs[1].lower())


def _texts(reading: Reading) -> list[str]:
    return [item.claim.text for item in reading.statements]


def _nearest(claims: Sequence[str], others: Sequence[str], embed: Embed) -> list[int | None]:
    """Return for each claim the index of the nearest other that may say the same, or None."""
    if not claims or not others:
        return [None] * len(claims)
    vectors: Any = embed([*claims, *others])
    cosines = vectors[: len(claims)] @ vectors[len(claims) :].T
    nearest = list[int | None]()
    for claim, row in zip(claims, cosines.tolist(), strict=True):
        near = [
            (cosine, index)
            for index, (other, cosine) in enumerate(zip(others, row, strict=True))
            if _may_agree(claim, other, cosine)
        ]
        nearest.append(max(near)[1] if near else None)
    return nearest


def _may_agree(claim: str, other: str, cosine: float) -> bool:
    own, theirs = _values(claim), _values(other)
    if any(not _share(values, theirs.get(unit, ())) for unit, values in own.items()):
        return False
    if names_another(tokenize(claim), other) or names_another(tokenize(other), claim):
        return False
    return cosine >= (SAME_SUBJECT if own else SAME_MEANING)


def _values(text: str) -> dict[str, list[float]]:
    """Return the figures of a text by unit."""
    values = defaultdict[str, list[float]](list)
    for item in quantities_of(tokenize(text)):
        values[item.unit] += filter(math.isfinite, (item.low, item.high))
    return values


def _share(values: Sequence[float], others: Sequence[float]) -> bool:
    return any(math.isclose(one, other, rel_tol=0.02) for one in values for other in others)


def _without(answer: str, weak: Sequence[tuple[int, int]]) -> tuple[str, list[str]]:
    """Return the answer without the sentences that contain a weak claim, and those sentences."""
    lines, dropped, at = list[str](), list[str](), 0
    for line in answer.split("\n"):
        stays = list[str]()
        for piece in pieces(line):
            end = at + len(piece)
            if any(start < end and at < stop for start, stop in weak):
                dropped.append(piece.strip())
            else:
                stays.append(piece.strip())
            at = end
        if stays or not line.strip():
            lines.append(" ".join(stays))
        at += 1
    return "\n".join(lines).strip(), dropped
