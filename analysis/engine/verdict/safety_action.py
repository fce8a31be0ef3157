"""Turns a measurement and its verdicts into the safety checks' result and action."""

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from analysis.engine.policy import PolicyRules, SafetyRules
from analysis.engine.safety.checks import check
from analysis.engine.safety.model import (
    KINDS,
    AnswerFacts,
    FailureKind,
    SafetyCheckResult,
    SafetyFacts,
    SafetyThresholds,
)
from analysis.engine.signal_types import Measurement, SignalName, VerifierSignal
from analysis.engine.types import Action, ClaimStatus, LowConfidenceReason
from analysis.engine.verdict_types import ActionReason, ClaimDecision

_UNSUPPORTED = (LowConfidenceReason.NOTHING_FOUND, LowConfidenceReason.NOT_SUPPORTED)


def safety_of(
    measurement: Measurement, claims: Sequence[ClaimDecision], limits: SafetyThresholds
) -> SafetyCheckResult | None:
    """Return the safety API's result; None if the answer could not be read.

    The client decides the length of its own sources, so no minimum applies to them.
    """
    if measurement.referencing is None:
        return None
    if not _searched(measurement):
        limits = replace(limits, min_total_context_length=0)
    return check(facts_of(measurement, claims), limits)


def facts_of(measurement: Measurement, claims: Sequence[ClaimDecision]) -> SafetyFacts:
    """Return the input of the five checks."""
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
    """Return the measurements of the answer, and its claims' verdicts."""
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
        support=max(
            (
                decision.confidence.support_prob or 0.0
                for _, decision in pairs
                if decision.status is ClaimStatus.SUPPORTED
            ),
            default=0.0,
        ),
        answering=measurement.relevance.answered if measurement.relevance else 0.0,
    )


def _is_made_up(signal: VerifierSignal, claim_decision: ClaimDecision) -> bool:
    """Return whether it is not supported, and no source has a name or figure of it."""
    coverage = signal.coverage
    if claim_decision.reason not in _UNSUPPORTED or coverage is None:
        return False
    return bool(coverage.absent_names or coverage.absent_figures)


def safety_reasons(
    measurement: Measurement, result: SafetyCheckResult | None, rules: PolicyRules
) -> list[ActionReason]:
    """Return the rejection with the most severe action that the policy has for the failures."""
    if result is None or result.rejection_reason is None:
        return []
    actions = [action_of(KINDS[reason], measurement, rules.safety) for reason in result.reasons]
    action = max(actions, key=lambda reason: reason.severity)
    code = f"safety_{result.rejection_reason.value}"
    return [ActionReason(code, action, result.explanation, decided=False)]


def retrieval_action(
    measurement: Measurement, result: SafetyCheckResult | None, rules: PolicyRules
) -> Action:
    """Return the action for failed retrieval checks; ALLOW if none failed."""
    rejects = result is not None and any(
        KINDS[reason] is FailureKind.RETRIEVAL for reason in result.reasons
    )
    return action_of(FailureKind.RETRIEVAL, measurement, rules.safety) if rejects else Action.ALLOW


def action_of(kind: FailureKind, measurement: Measurement, rules: SafetyRules) -> Action:
    """Return the policy's action for a kind of failure."""
    if kind is FailureKind.CITATION:
        return rules.citations
    if kind is FailureKind.GROUNDING:
        return rules.grounding
    if kind is FailureKind.RETRIEVAL:
        return rules.retrieval if _searched(measurement) else rules.sources
    assert_never(kind)


def _searched(measurement: Measurement) -> bool:
    """Return whether sources were searched for, with or without a result."""
    relevance = measurement.relevance is not None and measurement.relevance.searched
    return relevance or SignalName.RETRIEVAL.value in measurement.states
