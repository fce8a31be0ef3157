"""The safety checks in the corridor: a measurement and its verdicts to a result and an action."""

from collections.abc import Sequence
from dataclasses import replace

from analysis.engine.policy.rules import PolicyRules, SafetyRules
from analysis.engine.safety.checks import (
    KINDS,
    Answered,
    Kind,
    SafetyCheckResult,
    SafetyFacts,
    SafetyThresholds,
    check,
)
from analysis.engine.types import (
    Action,
    ActionReason,
    ClaimDecision,
    ClaimStatus,
    LowConfidenceReason,
    Measurement,
    SignalName,
    VerifierSignal,
)


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
        answered=answered(measurement, claims) if claims else None,
    )


def answered(measurement: Measurement, claims: Sequence[ClaimDecision]) -> Answered:
    """What was measured of the answer, and what became of its claims."""
    told = measurement.referencing
    pairs = [
        (signal, decided)
        for signal, decided in zip(measurement.signals, claims, strict=True)
        if signal.checked and signal.checkable
    ]
    statuses = [decided.status for _, decided in pairs]
    missing = {number for signal in measurement.signals for number in signal.cited_missing}
    return Answered(
        sentences=told.sentences if told else 0,
        cited=told.cited if told else 0,
        invalid=tuple(sorted(missing)),
        has_citations=bool(told and told.marks),
        claims=len(pairs),
        supported=statuses.count(ClaimStatus.SUPPORTED),
        contradicted=statuses.count(ClaimStatus.CONTRADICTORY),
        fabricated=sum(_is_made_up(*pair) for pair in pairs),
    )


def _is_made_up(signal: VerifierSignal, decided: ClaimDecision) -> bool:
    """No passage speaks of it, and none of its names or none of its figures is in the sources."""
    found = signal.coverage
    if decided.reason is not LowConfidenceReason.NOTHING_FOUND or found is None:
        return False
    return found.entities == 0 or found.numbers == 0


def safety_reasons(
    measurement: Measurement, found: SafetyCheckResult | None, rules: PolicyRules
) -> list[ActionReason]:
    """The rejection with the most severe action that the policy has for what failed."""
    if found is None or found.rejection_reason is None:
        return []
    actions = [action_of(KINDS[reason], measurement, rules.safety) for reason in found.reasons]
    action = max(actions, key=lambda one: one.severity)
    code = f"safety_{found.rejection_reason.value}"
    return [ActionReason(code, action, found.explanation, decided=False)]


def retrieval_action(
    measurement: Measurement, found: SafetyCheckResult | None, rules: PolicyRules
) -> Action:
    """The action for what the checks of retrieval say; ALLOW where none of them failed."""
    held = found is not None and any(KINDS[one] is Kind.RETRIEVAL for one in found.reasons)
    return action_of(Kind.RETRIEVAL, measurement, rules.safety) if held else Action.ALLOW


def action_of(kind: Kind, measurement: Measurement, rules: SafetyRules) -> Action:
    """The policy's action for a kind of failure."""
    if kind is Kind.CITATION:
        return rules.citations
    if kind is Kind.GROUNDING:
        return rules.grounding
    return rules.searched if _searched(measurement) else rules.given


def _searched(measurement: Measurement) -> bool:
    """Whether a search was asked for sources; one that found nothing left no source to tell."""
    found = measurement.relevance is not None and measurement.relevance.searched
    return found or SignalName.RETRIEVAL.value in measurement.states
