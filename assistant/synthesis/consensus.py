"""Compares the answers of several models; a claim stays only if enough of them agree.

Each claim of an answer is compared with every other answer as with a source, like samples in
self-agreement. A sentence stays if all its claims do. The answer that keeps the most is used.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from analysis.engine.claims.extraction import read
from analysis.engine.claims.reading import Reading
from analysis.engine.signals import consistency
from analysis.engine.signals.consistency import SampleReader
from assistant.synthesis.citing import pieces

AGREES_AT = 0.5
"""Support (0-1) from which an answer is taken to say the same."""


@dataclass(frozen=True, slots=True)
class Consensus:
    """The chosen answer, its index among the answers, and what was dropped.

    `votes` is, for each claim of that answer, how many answers state it, its own included.
    """

    text: str
    author: int
    dropped: tuple[str, ...] = ()
    votes: dict[str, int] = field(default_factory=dict)


def agree(answers: Sequence[str], question: str, quorum: int, reader: SampleReader) -> Consensus:
    """Return the consensus of the answers, each with its citations; "" is one that found nothing.

    `quorum`: how many must state a claim. Raises inference.errors.ModelError.
    """
    drafts = [
        _supported_by_others(at, answers, question, quorum, reader)
        for at, answer in enumerate(answers)
        if answer
    ]
    if not drafts:
        return Consensus("", 0)
    return max(drafts, key=lambda draft: (len(draft.votes) - len(draft.dropped), -draft.author))


def quorum_of(count: int, setting: int) -> int:
    """Return how many of `count` models must agree: the setting, or a majority."""
    return min(count, setting) if setting > 0 else count // 2 + 1


def _supported_by_others(
    at: int, answers: Sequence[str], question: str, quorum: int, reader: SampleReader
) -> Consensus:
    reading = read(answers[at], question)
    others = [answer for other, answer in enumerate(answers) if other != at and answer]
    votes = [1] * len(reading.statements)
    for other in others:
        for claim, agrees in enumerate(_supported(reading, question, other, reader)):
            votes[claim] += agrees
    spans = [(statement.claim.start, statement.claim.end) for statement in reading.statements]
    weak = [span for span, count in zip(spans, votes, strict=True) if count < quorum]
    text, dropped = _without(answers[at], weak)
    votes_by_claim = {
        item.claim.text: count for item, count in zip(reading.statements, votes, strict=True)
    }
    return Consensus(text, at, tuple(dropped), votes_by_claim)


def _supported(reading: Reading, question: str, other: str, reader: SampleReader) -> list[bool]:
    measurements = consistency.measure(reading, question, [other], reader, None).value or ()
    return [
        item is not None and item.disagreement is not None and 1 - item.disagreement >= AGREES_AT
        for item in measurements
    ] or [False] * len(reading.statements)


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
