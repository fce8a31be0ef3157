"""Citations that do not support their claims: the cited source exists and says something else."""

from collections.abc import Sequence

from analysis.engine.policy.rules import PolicyRules
from analysis.engine.signal_types import VerifierSignal
from analysis.engine.types import CitationMismatch, ClaimStatus, LowConfidenceReason
from analysis.engine.verdict_types import ClaimDecision

_UNKNOWN = (LowConfidenceReason.NOT_CHECKABLE, LowConfidenceReason.NOT_CHECKED)


def mismatches(
    signals: Sequence[VerifierSignal], claims: Sequence[ClaimDecision], rules: PolicyRules
) -> tuple[CitationMismatch, ...]:
    """Return the claims with citations that do not support them, in text order."""
    pairs = zip(signals, claims, strict=True)
    refs_by_claim = (
        (claim.claim_id, _unsupporting(signal, claim, rules)) for signal, claim in pairs
    )
    return tuple(CitationMismatch(name, numbers) for name, numbers in refs_by_claim if numbers)


def _unsupporting(
    signal: VerifierSignal, claim: ClaimDecision, rules: PolicyRules
) -> tuple[int, ...]:
    """Return the cited sources that do not support the claim.

    If together they do, those that say next to nothing about it.
    """
    if claim.reason in _UNKNOWN or signal.cited_scores is None:
        return ()
    if not _together(signal, claim, rules):
        return tuple(source.number for source in signal.cited_sources)
    return tuple(
        source.number
        for source in signal.cited_sources
        if source.share < rules.found_at and not source.leads
    )


def _together(signal: VerifierSignal, claim: ClaimDecision, rules: PolicyRules) -> bool:
    """Return whether the cited sources alone support the claim."""
    if claim.reason is LowConfidenceReason.NOT_CONFIRMED:
        return True
    if claim.status is ClaimStatus.SUPPORTED and any(
        cited_source.leads for cited_source in signal.cited_sources
    ):
        return True
    scores = signal.cited_scores
    disputed = claim.reason is LowConfidenceReason.CONFLICTING_SOURCES
    if scores is None or not (disputed or claim.status is ClaimStatus.SUPPORTED):
        return False
    return scores.entail >= rules.support_at and scores.entail > scores.contradict
