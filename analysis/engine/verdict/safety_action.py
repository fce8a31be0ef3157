"""The safety checks: from a measurement and its verdicts to a result and an action."""

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from analysis.engine.policy.rules import PolicyRules
from analysis.engine.policy.settings import SafetyRules
from analysis.engine.safety.checks import check
from analysis.engine.safety.model import (
    KINDS,
    AnswerFacts,
    FailureKind,
    SafetyCheckResult,
    SafetyFacts,
    SafetyThresholds,
)
from analysis.engine.signal_types import Measurement, VerifierSignal
from analysis.engine.types import Action, ClaimStatus, LowConfidenceReason, SignalName
from analysis.engine.verdict_types import ActionReason, ClaimDecision

_UNSUPPORTED = (LowConfidenceReason.NOTHING_FOUND, LowConfidenceReason.NOT_SUPPORTED)


def safety_of(
    measurement: Measurement, claims: Sequence[ClaimDecision], limits: SafetyThresholds
) -> SafetyCheckResult | None:
    """The safety API's result; None where the answer could not be read.

    A client's own sources are as long as the client found right: their length is not held
    against them.
    """
    if measurement.referencing is None:
        return None
    if not _searched(measurement):
        limits = replace(limits, min_total_context_length=0)
    return check(facts_of(measurement, claims), limits)


def facts_of(measurement: Measurement, claims: Sequence[ClaimDecision]) -> SafetyFacts:
    """What the five checks go by."""
    relevance = measurement.relevance
    return SafetyFacts(
        passages=relevance.passages if relevance else None,
        basis=relevance.basis if relevance else "",
        out_of_scope=measurement.scope.outside if measurement.scope else "",
        asked=bool(relevance and relevance.basis),
        unrelated=bool(measurement.scope and measurement.scope.unrelated),
        answered=answer_facts(measurement, claims) if claims else None,
    )


def answer_facts(measurement: Measurement, claims: Sequence[ClaimDecision]) -> AnswerFacts:
    """What was measured of the answer, and what became of its claims."""
    referencing = measurement.referencing
    pairs = [
        (signal, decision)
        for signal, decision in zip(measurement.signals, claims, strict=True)
        if signal.checked and signal.checkable
    ]
    statuses = [decision.status for _, decision in pairs]
    missing = {number for signal in measurement.signals for number in signal.cited_missing}
    return AnswerFacts(
        sentences=referencing.sentences if referencing else 0,
        cited=referencing.cited if referencing else 0,
        invalid=tuple(sorted(missing)),
        has_citations=bool(referencing and referencing.marks),
        claims=len(pairs),
        supported=statuses.count(ClaimStatus.SUPPORTED),
        contradicted=statuses.count(ClaimStatus.CONTRADICTORY),
        fabricated=sum(_is_made_up(*pair) for pair in pairs),
        support=min(
            measurement.relevance.answered if measurement.relevance else 0.0,
            max(
                decision.confidence.support_prob or 0.0
                for _, decision in pairs
                if decision.status is ClaimStatus.SUPPORTED
            ),
        )
        if ClaimStatus.SUPPORTED in statuses
        else 0.0,
    )


def _is_made_up(signal: VerifierSignal, claim_decision: ClaimDecision) -> bool:
    """Return whether it is not supported, and a name or a figure of it stands in no source."""
    coverage = signal.coverage
    if claim_decision.reason not in _UNSUPPORTED or coverage is None:
        return False
    return bool(coverage.absent_names or coverage.absent_figures)


def safety_reasons(
    measurement: Measurement, result: SafetyCheckResult | None, rules: PolicyRules
) -> list[ActionReason]:
    """The rejection with the most severe action that the policy has for what failed."""
    if result is None or result.rejection_reason is None:
        return []
    actions = [action_of(KINDS[reason], measurement, rules.safety) for reason in result.reasons]
    action = max(actions, key=lambda reason: reason.severity)
    code = f"safety_{result.rejection_reason.value}"
    return [ActionReason(code, action, result.explanation, decided=False)]


def retrieval_action(
    measurement: Measurement, result: SafetyCheckResult | None, rules: PolicyRules
) -> Action:
    """The action for what the checks of retrieval say; ALLOW where none of them failed."""
    rejects = result is not None and any(
        KINDS[reason] is FailureKind.RETRIEVAL for reason in result.reasons
    )
    return action_of(FailureKind.RETRIEVAL, measurement, rules.safety) if rejects else Action.ALLOW


def action_of(kind: FailureKind, measurement: Measurement, rules: SafetyRules) -> Action:
    """The policy's action for a kind of failure."""
    if kind is FailureKind.CITATION:
        return rules.citations
    if kind is FailureKind.GROUNDING:
        return rules.grounding
    if kind is FailureKind.RETRIEVAL:
        return rules.retrieval if _searched(measurement) else rules.sources
    assert_never(kind)


def _searched(measurement: Measurement) -> bool:
    """Whether a search was asked for sources; one that found nothing left no source to tell."""
    relevance = measurement.relevance is not None and measurement.relevance.searched
    return relevance or SignalName.RETRIEVAL.value in measurement.states
