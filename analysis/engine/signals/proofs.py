"""Finds the passage that a judge's verdict on a claim rests on, by words.

A judge attends to windows of many sentences, and often most to one that says nothing about the
claim.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Protocol

from analysis.engine.claims.reading import Reading, Statement
from analysis.engine.evidence.corpus import Corpus, terms_of
from lib.text.names import names

ABOUT = 0.3
"""Of the worth of a claim's terms, the share in a passage that is about the same thing: 86 % of
passages that contradict a written claim have it, and 2 % of the closest ones in other texts."""


class EvidenceWindow(Protocol):
    """Characters [start, end) of one source, as its reader sees it, that were read."""

    @property
    def source(self) -> int: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Proof:
    """A passage (index), and whether it has the same subject as the claim."""

    passage: int
    is_about: bool


def proof_of(
    reading: Reading, statement: Statement, corpus: Corpus, windows: Iterable[EvidenceWindow]
) -> Proof | None:
    """Return the passage of the windows with the highest weight of the claim's own terms.

    Of equal ones, the one with more of the claim's subject. None if none has any.
    """
    own = frozenset(terms_of(reading.tokens, statement.first, statement.last))
    about = frozenset(terms_of(reading.tokens, *statement.subject)) - own
    worth = {term: corpus.idf(term) for term in own | about}

    def sum_of(terms: Iterable[str]) -> float:
        # Exact: a set has another order in each process, and equal sums must be equal in all.
        return fsum(worth[term] for term in terms)

    def overlap(index: int) -> tuple[float, float]:
        terms = corpus.passages[index].terms
        return sum_of(own & terms), sum_of(about & terms)

    stating = (index for index in _inside(corpus, windows) if not corpus.facts[index].asks)
    best = max(stating, key=overlap, default=None)
    if best is None or not any(overlap(best)):
        return None
    has_enough = fsum(overlap(best)) >= ABOUT * sum_of(worth)
    return Proof(best, has_enough and _has_names(reading, statement, corpus, best))


def _inside(corpus: Corpus, windows: Iterable[EvidenceWindow]) -> list[int]:
    """Return the passages that the windows overlap, in order."""
    passages, inside = corpus.passages, set[int]()
    for window in windows:
        start, end = corpus.readings[window.source].written(window.start, window.end)
        first = bisect_right(passages, (window.source, start), key=lambda at: (at.source, at.end))
        last = bisect_left(passages, (window.source, end), key=lambda at: (at.source, at.start))
        inside.update(range(first, last))
    return sorted(inside)


def _has_names(reading: Reading, statement: Statement, corpus: Corpus, index: int) -> bool:
    """Return whether the claim's names that the source contains are in or beside the passage.

    A name in the source's first passage may be the topic of all of it, and a record has one topic.
    """
    passage = corpus.passages[index]
    if corpus.records[passage.source] is not None:
        return True
    near = corpus.window(index) | corpus.passages[index - passage.sent_id].terms
    return all(
        not near.isdisjoint(name) or not _has(corpus, passage.source, name)
        for name in _names(reading, statement)
    )


def _names(reading: Reading, statement: Statement) -> Sequence[frozenset[str]]:
    tokens = reading.tokens
    spans = names(tokens, statement.first, statement.last)
    terms = (frozenset(terms_of(tokens, name.first, name.last)) for name in spans)
    return [name for name in terms if name]


def _has(corpus: Corpus, source: int, name: frozenset[str]) -> bool:
    return all(
        any(corpus.passages[at].source == source for at in corpus.postings.get(term, ()))
        for term in name
    )
