"""Measures what each part of the verdict contributes, by deciding again without it.

Nothing is measured twice, so a part can be left out as it stands in the result, but not as it acts
within a measurement: a conflict that is left out no longer contradicts a claim, yet its passage
still cannot support it. `rule_ablation` leaves rules out while answers are measured.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from types import GeneratorType
from typing import Any

from analysis.engine.decision import decide
from analysis.engine.policy import PolicyRules
from analysis.engine.signal_types import Coverage, Measurement, NliScores, VerifierSignal
from analysis.engine.types import Action, ConflictKind, Submission
from analysis.engine.verdict.probability import hallucination_score
from lib.stats.detection import auroc

WHOLE = "nothing left out"
_NOT_SCORED = 1.0


@dataclass(frozen=True, slots=True)
class LabelledMeasurement:
    """A measured answer; `is_wrong` is its label."""

    answer: str
    measurement: Measurement
    is_wrong: bool


@dataclass(frozen=True, slots=True)
class AblationResult:
    """The ranking and the decisions of a set; shares 0-1, `auroc` None where a label is missing."""

    auroc: float | None
    right_flagged: float
    right_blocked: float
    wrong_flagged: float


Part = Callable[[Measurement], Measurement]


def _for_signals(change: Callable[[VerifierSignal], VerifierSignal]) -> Part:
    def without(measurement: Measurement) -> Measurement:
        return replace(measurement, signals=tuple(map(change, measurement.signals)))

    return without


def _without_conflicts(kind: ConflictKind) -> Part:
    def change(signal: VerifierSignal) -> VerifierSignal:
        conflicts = tuple(conflict for conflict in signal.conflicts if conflict.kind is not kind)
        if len(conflicts) == len(signal.conflicts) or signal.lexical is None:
            return signal
        if conflicts:
            return replace(signal, conflicts=conflicts)
        lexical = NliScores(signal.lexical.entail, 0.0, 1 - signal.lexical.entail)
        nli = lexical if signal.judgement is None else signal.nli
        return replace(signal, conflicts=conflicts, lexical=lexical, nli=nli)

    return _for_signals(change)


def _without_coverage(change: Callable[[Coverage], Coverage]) -> Part:
    def changed(signal: VerifierSignal) -> VerifierSignal:
        if signal.coverage is None:
            return signal
        return replace(signal, coverage=change(signal.coverage))

    return _for_signals(changed)


def _not_verbatim(signal: VerifierSignal) -> VerifierSignal:
    if signal.judgement is None:
        return signal
    return replace(signal, judgement=replace(signal.judgement, verbatim=False))


PARTS: Mapping[str, Part] = {
    WHOLE: lambda measurement: measurement,
    "judge": _for_signals(lambda signal: replace(signal, judgement=None, nli=signal.lexical)),
    "claims copied word for word": _for_signals(_not_verbatim),
    **{f"conflicts: {kind.value}": _without_conflicts(kind) for kind in ConflictKind},
    "conflicting sources": _for_signals(lambda signal: replace(signal, disputed=False)),
    "new phrases": _without_coverage(lambda coverage: replace(coverage, phrases=1.0)),
    "figures in no source": _without_coverage(lambda coverage: replace(coverage, absent_figures=0)),
    "names in no source": _without_coverage(lambda coverage: replace(coverage, absent_names=0)),
    "overconfidence": lambda measurement: replace(measurement, overconfidence=()),
    "contradictions within the answer": lambda measurement: replace(measurement, contradictions=()),
    "injection scan": lambda measurement: replace(measurement, injection=()),
}
"""The parts that can be left out, by name in the table."""


def ablate(
    measurements: Sequence[LabelledMeasurement], rules: PolicyRules
) -> dict[str, AblationResult]:
    """Return the outcome without each part, by its name; the first is that of the whole."""
    return {
        name: outcome_of(
            [replace(row, measurement=part(row.measurement)) for row in measurements], rules
        )
        for name, part in PARTS.items()
    }


def outcome_of(measurements: Sequence[LabelledMeasurement], rules: PolicyRules) -> AblationResult:
    scores = [hallucination_score(row.measurement) for row in measurements]
    actions = [decide(row.answer, row.measurement, rules).action for row in measurements]

    def share(*, wrong: bool, least: Action) -> float:
        own = [
            action.severity >= least.severity
            for row, action in zip(measurements, actions, strict=True)
            if row.is_wrong is wrong
        ]
        return sum(own) / len(own) if own else 0.0

    return AblationResult(
        auroc(
            [row.is_wrong for row in measurements],
            [_NOT_SCORED if score is None else score for score in scores],
        ),
        share(wrong=False, least=Action.WARN),
        share(wrong=False, least=Action.BLOCK),
        share(wrong=True, least=Action.WARN),
    )


def table(outcomes: Mapping[str, AblationResult]) -> str:
    """Return a Markdown table: the whole, and what changes without each part."""
    complete = outcomes[WHOLE]
    head = "| left out | AUROC | right flagged | right blocked | wrong flagged |"
    lines = [head, "|---|---:|---:|---:|---:|", line(WHOLE, complete, None)]
    lines += [
        line(name, outcome, complete)
        for name, outcome in outcomes.items()
        if outcome is not complete
    ]
    return "\n".join(lines)


def line(name: str, outcome: AblationResult, complete: AblationResult | None) -> str:
    """Return a row of the table, as the difference to a complete outcome where there is one."""
    ranked = "–" if outcome.auroc is None else f"{outcome.auroc:.3f}"
    if complete is not None and complete.auroc is not None and outcome.auroc is not None:
        ranked = f"{outcome.auroc - complete.auroc:+.3f}"
    ours, theirs = _shares(outcome), None if complete is None else _shares(complete)
    cells = [f"{100 * share:.1f} %" for share in ours]
    if theirs is not None:
        cells = [f"{100 * (a - b):+.1f}" for a, b in zip(ours, theirs, strict=True)]
    return f"| {name} | {ranked} | {' | '.join(cells)} |"


def _shares(outcome: AblationResult) -> tuple[float, float, float]:
    return outcome.right_flagged, outcome.right_blocked, outcome.wrong_flagged


# Measures what each hand-written rule of the engine contributes, by measuring answers without it.
#
# One pass notes on which answers each rule says something; only those are measured again without
# it. So a rule that speaks seldom costs little, and what it does within a measurement counts too:
# which passages it bars, which figures it hands to a judge.

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
    """The number of right and wrong answers on which a rule acts, and the outcome without it."""

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
