"""The outcome of the sources for one claim by words, and what overrides it.

Overrides are a row of a table and a reply of "No.".
"""

from dataclasses import dataclass, replace

from analysis.engine.rules.fields import FieldMatch
from analysis.engine.rules.figures import Rewording
from analysis.engine.signal_types import Conflict, Coverage
from analysis.engine.types import ConflictKind

COVERED = 0.5
"""Risk API: at least half of the claim's terms must be in the passage."""
STATED, NOT_STATED = 0.95, 0.1
"""Support by a field of a record that says the same, and by one that says nothing."""
LIKELY = 0.6
"""Contradiction by sources that leave open what the claim says: it warns, and is not sure."""
_SO = Conflict(ConflictKind.FRAME, "the source affirms it", certain=True)
_NOWHERE = Conflict(ConflictKind.FRAME, "it is in none of the sources", certain=True)


@dataclass(frozen=True, slots=True)
class Grounding:
    """The result of the sources for one claim; passages are indices into the corpus."""

    support: float
    contradict: float
    coverage: Coverage
    figures_agree: bool | None
    supported_by: int | None
    contradicted_by: int | None
    ranked: tuple[tuple[int, float], ...]
    conflicts: tuple[Conflict, ...]
    checkable: bool
    disputed: bool = False
    """True if one source carries the claim and another contradicts it."""
    rewordings: tuple[Rewording, ...] = ()
    stands: bool = False
    """True if a passage states it: each value of a row, or the statement that a reply affirms."""


def certain(conflict: Conflict) -> Conflict:
    """Return the conflict marked certain."""
    return replace(conflict, certain=True)


def by_field(grounding: Grounding, field: FieldMatch) -> Grounding:
    """Return the result overridden by the value of a table's row and column."""
    if field.conflict is not None:
        return replace(
            grounding,
            support=min(grounding.support, NOT_STATED),
            contradict=1.0,
            contradicted_by=field.passage,
            conflicts=(field.conflict, *grounding.conflicts),
            stands=False,
        )
    coverage = replace(
        grounding.coverage, entities=None, numbers=None, tokens_overlap=1.0, phrases=1.0,
        absent_figures=0, absent_names=0, of_record=True,
    )  # fmt: skip
    return replace(
        grounding, support=max(grounding.support, STATED), contradict=0.0, contradicted_by=None,
        conflicts=(), coverage=coverage, supported_by=field.passage, figures_agree=None,
        disputed=False, stands=True,
    )  # fmt: skip


def placed(grounding: Grounding, nearness: float) -> Grounding:
    """Return the result of a bare answer: that its words occur somewhere says nothing."""
    coverage = replace(grounding.coverage, nearness=nearness)
    return replace(grounding, coverage=coverage, stands=False)


def restated(grounding: Grounding, passage: int) -> Grounding:
    """Return the result of a claim that a passage states in equivalent words."""
    support = max(grounding.support, STATED)
    return replace(grounding, support=support, supported_by=passage, stands=True)


def denied(grounding: Grounding, *, joined: bool) -> Grounding:
    """Return the result of "No." from the sources' result for the question.

    A certain conflict confirms it whatever a judge says, and only a passage that states the
    question's statement is against it; the judge decides everything else. If several things are
    `joined` in the question, a statement may be about one of them.
    """
    coverage = replace(
        grounding.coverage, entities=None, numbers=None, absent_figures=0, absent_names=0
    )
    if grounding.contradict > grounding.support:
        return replace(
            grounding, support=grounding.contradict, contradict=0.0,
            supported_by=grounding.contradicted_by, contradicted_by=None, conflicts=(),
            figures_agree=None, coverage=coverage,
            stands=any(conflict.certain for conflict in grounding.conflicts),
        )  # fmt: skip
    if grounding.stands and not joined:
        return replace(
            grounding, support=NOT_STATED, contradict=1.0, contradicted_by=grounding.supported_by,
            conflicts=(_SO,), stands=False,
        )  # fmt: skip
    return replace(
        grounding, support=min(grounding.support, COVERED), contradict=0.0, contradicted_by=None,
        conflicts=(), coverage=coverage, stands=False,
    )  # fmt: skip


def absent_everywhere(grounding: Grounding) -> Grounding:
    """Return the result of a whole answer or assumed figure that no source contains."""
    return replace(
        grounding, support=min(grounding.support, NOT_STATED), contradict=LIKELY,
        conflicts=(_NOWHERE, *grounding.conflicts), stands=False,
    )  # fmt: skip
