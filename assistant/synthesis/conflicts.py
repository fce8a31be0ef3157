"""Conflicting limits: of two documents, or of a document and the manager's statement."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.synthesis.figures import PlacedFigure, stated_figures
from documents.lexical import terms

AS_TOLD = ", as remembered"
_SAME_MATTER = 0.5
"""Similarity from which sentences of two files set the same limit."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence that speaks of what is asked: its item's number, text and file.

    `remembered`: the manager told it.
    """

    number: int
    text: str
    file: str
    remembered: bool = False


@dataclass(frozen=True, slots=True)
class LimitConflict:
    """Two statements with different limits for one thing; `words` are their figures."""

    numbers: tuple[int, int]
    texts: tuple[str, str]
    words: tuple[str, str]
    remembered: bool

    @property
    def text(self) -> str:
        suffix = AS_TOLD if self.remembered else ""
        return (
            f"{self.words[0]}: “{self.texts[0]}” [{self.numbers[0]}]; "
            f"{self.words[1]}: “{self.texts[1]}” [{self.numbers[1]}]{suffix}"
        )


def conflicts_with(first: Statement, others: Sequence[Statement]) -> tuple[LimitConflict, ...]:
    """Return the conflicts of a statement with others that set another limit on the same thing."""
    conflicts = dict[tuple[str, str], LimitConflict]()
    for other in others:
        pair = _disagreement(first, other)
        if pair is not None and other.file != first.file:
            numbers, texts = (first.number, other.number), (first.text, other.text)
            words = (pair[0].words, pair[1].words)
            conflict = LimitConflict(numbers, texts, words, other.remembered)
            conflicts.setdefault((other.file, words[1]), conflict)
    return tuple(conflicts.values())


def _disagreement(first: Statement, other: Statement) -> tuple[PlacedFigure, PlacedFigure] | None:
    """Return the two limits if they have the same dimension and differ."""
    if not other.remembered and _likeness(first.text, other.text) < _SAME_MATTER:
        return None
    limit = next(iter(stated_figures(first.number, first.text)), None)
    if limit is None:
        return None
    figures = stated_figures(other.number, other.text)
    other_limit = next((figure for figure in figures if figure.unit == limit.unit), None)
    if other_limit is None or math.isclose(limit.value, other_limit.value, rel_tol=0.02):
        return None
    return limit, other_limit


def _likeness(sentence: str, other: str) -> float:
    """Return the similarity (0-1) of two sentences' subjects: shared terms, without figures."""
    first, second = _subject(sentence), _subject(other)
    return len(first & second) / len(first | second) if first and second else 0.0


def _subject(text: str) -> set[str]:
    return {word for word in terms(text) if not word[0].isdigit()}
