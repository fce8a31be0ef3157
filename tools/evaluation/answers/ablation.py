"""Measures what each hand-written rule of the engine contributes, by measuring answers without it.

One pass records the answers that each rule affects; only those are measured again without it, so a
rule that seldom applies costs little. Effects within a measurement count too: which passages a rule
excludes, which figures it passes to a judge.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib import import_module
from types import GeneratorType
from typing import Any

from analysis.engine.decision import decide
from analysis.engine.policy import PolicyRules
from analysis.engine.signal_types import Measurement
from analysis.engine.types import Submission
from analysis.engine.verdict.probability import hallucination_score
from desk.policies.admin.presets import Rates
from desk.scoring.scoring import NOT_SCORED
from lib.stats.detection import auroc
from tools.evaluation.answers.measuring import rates_of

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


_SHARES = ("right_flagged", "right_blocked", "wrong_flagged")


@dataclass(frozen=True, slots=True)
class LabelledSubmission:
    """An answer with its sources; `is_wrong` is its label."""

    submission: Submission
    is_wrong: bool


@dataclass(frozen=True, slots=True)
class AblationResult:
    """The ranking and the decisions of a set; `auroc` None where a label is missing."""

    auroc: float | None
    rates: Rates


@dataclass(frozen=True, slots=True)
class RuleResult:
    """The number of right and wrong answers on which a rule speaks, and the outcome without it."""

    right: int
    wrong: int
    outcome: AblationResult


def ablate(
    rows: Sequence[LabelledSubmission], measure: Measure, rules: PolicyRules
) -> tuple[AblationResult, dict[str, RuleResult]]:
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
        wrong = sum(rows[at].is_wrong for at in places)
        outcome = _outcome(rows, changed, rules)
        results[rule] = RuleResult(len(places) - wrong, wrong, outcome)
    return _outcome(rows, whole, rules), results


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


def _outcome(
    rows: Sequence[LabelledSubmission], measurements: Sequence[Measurement], rules: PolicyRules
) -> AblationResult:
    scores = [hallucination_score(measurement) for measurement in measurements]
    actions = [
        decide(row.submission.answer, measurement, rules).action
        for row, measurement in zip(rows, measurements, strict=True)
    ]
    labels = [row.is_wrong for row in rows]
    ranked = [NOT_SCORED if score is None else score for score in scores]
    return AblationResult(auroc(labels, ranked), rates_of(labels, actions))


def table(whole: AblationResult, results: Mapping[str, RuleResult]) -> str:
    """Return a Markdown table: the whole, and what changes without each rule."""
    ranked = "–" if whole.auroc is None else f"{whole.auroc:.3f}"
    shares = " | ".join(f"{100 * getattr(whole.rates, name):.1f} %" for name in _SHARES)
    lines = [
        "| left out | speaks on right | on wrong | AUROC | right flagged | right blocked "
        "| wrong flagged |",
        f"|---|{'---:|' * 6}",
        f"| none | | | {ranked} | {shares} |",
    ]
    for rule, result in results.items():
        outcome, gain = result.outcome, "–"
        if outcome.auroc is not None and whole.auroc is not None:
            gain = f"{outcome.auroc - whole.auroc:+.3f}"
        changes = (
            100 * (getattr(outcome.rates, name) - getattr(whole.rates, name)) for name in _SHARES
        )
        cells = " | ".join(f"{change:+.1f}" for change in changes)
        lines.append(f"| {rule} | {result.right} | {result.wrong} | {gain} | {cells} |")
    return "\n".join(lines)
