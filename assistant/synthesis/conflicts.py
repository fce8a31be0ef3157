"""Limits that do not agree: of two documents, or of a document and of what was told earlier."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.synthesis.deciding import NO, YES, Decision, QuestionKind, asks_of, figure_for
from assistant.synthesis.limits import Limit, Side, limits_in
from assistant.synthesis.subject import likeness

AS_TOLD = ", as you told me"
_SAME_MATTER = 0.5
"""Likeness from which sentences of two files are taken to set the same limit."""
_LOWEST = (Side.AT_LEAST, Side.BELOW)
"""Sides on which the higher limit is the stricter."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence that speaks of the question's subject: its item's number, text and file.

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


def conflicts_with(
    question: str, first: Statement, others: Sequence[Statement]
) -> tuple[LimitConflict, ...]:
    """The others that set another limit than the first for what the question is about."""
    conflicts = dict[tuple[str, str], LimitConflict]()
    for other in others:
        pair = _disagreement(question, first, other)
        if pair is not None and other.file != first.file:
            words = (pair[0].words, pair[1].words)
            conflicts.setdefault(
                (other.file, words[1]),
                LimitConflict(
                    (first.number, other.number), (first.text, other.text), words, other.remembered
                ),
            )
    return tuple(conflicts.values())


def _disagreement(question: str, first: Statement, other: Statement) -> tuple[Limit, Limit] | None:
    """The two figures, where they are of one dimension and differ."""
    if not other.remembered and likeness(first.text, other.text) < _SAME_MATTER:
        return None
    first_limit = figure_for(question, first.text) or next(iter(limits_in(first.text)), None)
    if first_limit is None:
        return None
    fitting = (limit for limit in limits_in(other.text) if limit.unit == first_limit.unit)
    other_limit = next(fitting, None)
    if other_limit is None or math.isclose(first_limit.value, other_limit.value, rel_tol=0.02):
        return None
    return first_limit, other_limit


def stricter(question: str, text: str, decisions: Sequence[Decision | None]) -> Decision | None:
    """The decision by the strictest of the limits that disagree; `text` states the first."""
    known_decisions = [decision for decision in decisions if decision is not None]
    if not known_decisions:
        return None
    if asks_of(question) is QuestionKind.FIGURE:
        highest = any(limit.side in _LOWEST for limit in limits_in(text))
        choose = max if highest else min
        return choose(
            known_decisions, key=lambda decision: decision.limit.value if decision.limit else 0.0
        )
    strict_lead = YES if asks_of(question) is QuestionKind.NEED else NO
    return next((item for item in known_decisions if item.lead == strict_lead), known_decisions[0])
