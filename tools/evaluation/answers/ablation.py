"""Measures what each hand-written rule of the engine contributes, by measuring answers without it.

One pass records the answers that each rule affects; only those are measured again without it, so a
rule that seldom applies costs little. Effects within a measurement count too: which passages a rule
excludes, which figures it passes to a judge.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from pkgutil import resolve_name
from types import GeneratorType
from typing import Any
from unittest.mock import patch

from analysis.engine.policy import PolicyRules
from analysis.engine.signal_types import Measurement
from analysis.engine.types import Submission
from desk.scoring.rows import Row
from desk.scoring.truth import label_of
from tools.evaluation.answers.outcomes import Outcome, outcome_of
from tools.evaluation.rendering import NONE, markdown_head, markdown_row, number

Measure = Callable[[Submission], Measurement]
_ENGINE = "analysis.engine."
_NEUTRAL: Mapping[str, tuple[str, Any]] = {
    "one point of difference": ("rules.conflicts:_conflict", None),
    "negation": ("rules.conflicts:_denied", ""),
    "opposites": ("rules.conflicts:_opposed", None),
    "another number": ("rules.conflicts:_is_other_figure", False),
    "another name": ("rules.conflicts:_is_other_name", False),
    "names that changed places": ("rules.conflicts:_is_swapped", False),
    "the claim's own words": ("rules.conflicts:_states", False),
    "frames": ("signals.grounding:framed_otherwise", None),
    "releases": ("signals.grounding:released", None),
    "minimal pairs": ("signals.grounding:has_different_figures", False),
    "rows and fields": ("rules.fields:Fields.match", None),
    "fields held against prose": ("rules.fields:Fields.match_value", None),
    "restatements": ("signals.grounding:restated_by", None),
    "asides": ("signals.grounding:asides", ()),
    "conflicting sources": ("signals.grounding:_rival", None),
    "yes-and-no fields": ("rules.record_conflicts:mentions", ()),
    "opening hours": ("rules.record_conflicts:compare_hours", None),
    "an answer that says nothing": ("signals.grounding:says_nothing", False),
    "limits of thresholds": ("facts.find:_caps_threshold", False),
    "figures that conflict": ("rules.figures:FigureFacts.conflicts", ()),
    "arithmetic": ("facts.find:follows", None),
    "wrong arithmetic": ("facts.find:miscounted", None),
    "another unit": ("facts.find:_mistakes_unit", False),
    "bounds turned round": ("facts.find:_is_turned", False),
    "weekdays": ("facts.figures:days_at", None),
    "frequencies": ("facts.figures:frequency_at", None),
    "timelines within the answer": ("signals.contradiction:_timeline", ()),
    "states within the answer": ("signals.contradiction:_opposites", ()),
    "figures within the answer": ("signals.contradiction:_figures", ()),
    "yes and no within the answer": ("signals.contradiction:_yes_and_no", ()),
}
RULES: tuple[str, ...] = tuple(_NEUTRAL)
"""The rules by name; each is one function, with what it returns where it says nothing."""


_SHARES = ("right_flagged", "right_blocked", "wrong_flagged")
_HEADINGS = (
    "left out", "speaks on right", "on wrong", "AUROC", "right flagged", "right blocked",
    "wrong flagged",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RuleResult:
    """The number of right and wrong answers on which a rule speaks, and the outcome without it."""

    right: int
    wrong: int
    outcome: Outcome


def ablate(
    rows: Sequence[Row], measure: Measure, rules: PolicyRules
) -> tuple[Outcome, dict[str, RuleResult]]:
    """Return the outcome of the whole engine, and for each rule where it acts and its effect."""
    speaking: dict[str, set[int]] = {rule: set() for rule in RULES}
    whole = list[Measurement]()
    with ExitStack() as stack:
        for rule in RULES:
            stack.enter_context(_watched(rule, lambda rule: speaking[rule].add(len(whole))))
        for row in rows:
            whole.append(measure(row.submission))
    results = {}
    for rule, places in speaking.items():
        changed = list(whole)
        with without(rule):
            for at in places:
                changed[at] = measure(rows[at].submission)
        wrong = sum(label_of(rows[at].raw) for at in places)
        results[rule] = RuleResult(len(places) - wrong, wrong, outcome_of(rows, changed, rules))
    return outcome_of(rows, whole, rules), results


def without(rule: str) -> AbstractContextManager[object]:
    """Return a context in which a rule says nothing."""
    path, neutral = _NEUTRAL[rule]
    return _replaced(path, lambda *args, **kwargs: neutral)


def _watched(rule: str, note: Callable[[str], None]) -> AbstractContextManager[object]:
    """Return a context in which a rule calls `note` whenever it says something."""
    path, neutral = _NEUTRAL[rule]
    function = resolve_name(_ENGINE + path)

    def watched(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        result = tuple(result) if isinstance(result, GeneratorType) else result
        if (result is not None) if neutral is None else result:
            note(rule)
        return result

    return _replaced(path, watched)


def _replaced(path: str, function: Callable[..., Any]) -> AbstractContextManager[object]:
    """Return a context in which another function stands in the place of a rule's."""
    return patch(_ENGINE + path.replace(":", "."), function)


def table(whole: Outcome, results: Mapping[str, RuleResult]) -> str:
    """Return a Markdown table: the whole, and what changes without each rule."""
    shares = [f"{100 * getattr(whole.rates, name):.1f} %" for name in _SHARES]
    rows = [("none", "", "", number(whole.auroc), *shares)]
    for rule, result in results.items():
        outcome, gain = result.outcome, NONE
        if outcome.auroc is not None and whole.auroc is not None:
            gain = f"{outcome.auroc - whole.auroc:+.3f}"
        changes = [
            f"{100 * (getattr(outcome.rates, name) - getattr(whole.rates, name)):+.1f}"
            for name in _SHARES
        ]
        rows.append((rule, str(result.right), str(result.wrong), gain, *changes))
    return "\n".join([markdown_head(_HEADINGS), *map(markdown_row, rows)])
