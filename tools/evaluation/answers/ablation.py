"""Measures what each part of the verdict contributes, by deciding again without it.

Nothing is measured twice, so a part can be left out as it stands in the result, but not as it acts
within a measurement: a conflict that is left out no longer contradicts a claim, yet its passage
still cannot support it. `rule_ablation` leaves rules out while answers are measured.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from analysis.engine.decision import decide
from analysis.engine.policy.rules import PolicyRules
from analysis.engine.signal_types import Coverage, Measurement, NliScores, VerifierSignal
from analysis.engine.types import Action, ConflictKind
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
"""What can be left out, by its name in the table."""


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
