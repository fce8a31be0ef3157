"""Measures what each hand-written rule of the engine contributes, by measuring answers without it.

One pass notes on which answers each rule says something; only those are measured again without it.
So a rule that speaks seldom costs little, and what it does within a measurement counts too: which
passages it bars, which figures it hands to a judge.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from types import GeneratorType
from typing import Any

from analysis.engine.policy.rules import PolicyRules
from analysis.engine.signal_types import Measurement
from analysis.engine.types import Submission
from tools.evaluation.answers.ablation import (
    WHOLE,
    AblationResult,
    LabelledMeasurement,
    line,
    outcome_of,
)

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
    "who did what": ("signals.grounding:other_way_round", ()),
    "minimal pairs": ("signals.grounding:has_different_figures", False),
    "rows and fields": ("rules.fields:Fields.match", None),
    "fields held against prose": ("rules.fields:Fields.match_value", None),
    "restatements": ("signals.grounding:restated_by", None),
    "asides": ("signals.grounding:asides", ()),
    "conflicting sources": ("signals.grounding:_rival", None),
    "yes-and-no fields": ("rules.record_conflicts:mentions", ()),
    "opening hours": ("rules.record_conflicts:compare_hours", None),
    "an answer that no source has": ("signals.grounding:is_absent_everywhere", False),
    "an answer that says nothing": ("signals.grounding:says_nothing", False),
    "figures that conflict": ("rules.figures:FigureFacts.conflicts", ()),
    "arithmetic": ("facts.find:follows", None),
    "wrong arithmetic": ("facts.find:miscounted", None),
    "another unit": ("facts.find:_mistakes_unit", False),
    "another scale": ("facts.find:_is_misplaced", False),
    "bounds turned round": ("facts.find:_is_turned", False),
    "limits of thresholds": ("facts.find:_caps_threshold", False),
    "figures that stand too": ("facts.find:_stands_too", False),
    "weekdays": ("facts.figures:days_at", None),
    "frequencies": ("facts.figures:frequency_at", None),
    "timelines within the answer": ("signals.contradiction:_timeline", ()),
    "states within the answer": ("signals.contradiction:_opposites", ()),
    "figures within the answer": ("signals.contradiction:_figures", ()),
    "yes and no within the answer": ("signals.contradiction:_yes_and_no", ()),
}
RULES: tuple[str, ...] = tuple(_NEUTRAL)
"""The rules by name; each is one function, with what it returns where it says nothing."""


@dataclass(frozen=True, slots=True)
class LabelledSubmission:
    """An answer with its sources; `is_wrong` is its label."""

    submission: Submission
    is_wrong: bool


@dataclass(frozen=True, slots=True)
class RuleResult:
    """The number of right and wrong answers on which a rule speaks, and the outcome without it."""

    right: int
    wrong: int
    outcome: AblationResult


@contextmanager
def _replaced(rule: str, make: Callable[[Callable[..., Any]], Any]) -> Iterator[None]:
    """Replace the rule's function by what `make` makes of it, for the block."""
    path, _ = _NEUTRAL[rule]
    module, _, name = path.partition(":")
    *parents, attribute = name.split(".")
    owner: Any = import_module(_ENGINE + module)
    for parent in parents:
        owner = getattr(owner, parent)
    function = vars(owner)[attribute]
    setattr(owner, attribute, make(function))
    try:
        yield
    finally:
        setattr(owner, attribute, function)


@contextmanager
def without(rule: str) -> Iterator[None]:
    """Run the block with a rule that says nothing."""
    neutral = _NEUTRAL[rule][1]
    with _replaced(rule, lambda _: lambda *args, **kwargs: neutral):
        yield


@contextmanager
def _watched(rule: str, note: Callable[[str], None]) -> Iterator[None]:
    """Run the block with a rule that calls `note` whenever it says something."""

    neutral = _NEUTRAL[rule][1]

    def make(function: Callable[..., Any]) -> Any:
        def watched(*args: Any, **kwargs: Any) -> Any:
            result = function(*args, **kwargs)
            result = tuple(result) if isinstance(result, GeneratorType) else result
            if (result is not None) if neutral is None else result:
                note(rule)
            return result

        return watched

    with _replaced(rule, make):
        yield


def ablate_rules(
    rows: Sequence[LabelledSubmission], measure: Measure, rules: PolicyRules
) -> tuple[AblationResult, dict[str, RuleResult]]:
    """Return the outcome of the whole engine, and for each rule where it acts and its effect."""
    speaking: dict[str, set[int]] = {rule: set() for rule in RULES}
    whole = list[LabelledMeasurement]()
    with ExitStack() as stack:
        for rule in RULES:
            stack.enter_context(_watched(rule, lambda rule: speaking[rule].add(len(whole))))
        for row in rows:
            measurement = measure(row.submission)
            whole.append(LabelledMeasurement(row.submission.answer, measurement, row.is_wrong))
    results = {}
    for rule, indices in speaking.items():
        changed = list(whole)
        with without(rule):
            for at in indices:
                changed[at] = replace(whole[at], measurement=measure(rows[at].submission))
        wrong = sum(rows[at].is_wrong for at in indices)
        results[rule] = RuleResult(len(indices) - wrong, wrong, outcome_of(changed, rules))
    return outcome_of(whole, rules), results


def rule_table(whole: AblationResult, results: Mapping[str, RuleResult]) -> str:
    """Return a Markdown table: the whole, and what changes without each rule."""
    head = (
        "| left out | speaks on right | on wrong | AUROC | right flagged | right blocked "
        "| wrong flagged |"
    )
    lines = [head, f"|---|{'---:|' * 6}", line(f"{WHOLE} | |", whole, None)]
    lines += [
        line(f"{rule} | {result.right} | {result.wrong}", result.outcome, whole)
        for rule, result in results.items()
    ]
    return "\n".join(lines)
