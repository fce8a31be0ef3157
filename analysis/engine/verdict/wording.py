"""The outcome of a claim in words, in one place.

Contradicted by the sources, not supported by them, nothing found, not checkable and not checked are
different, and are never merged.
"""

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum

from analysis.engine.types import ClaimStatus, LowConfidenceReason
from analysis.engine.verdict_types import ClaimDecision


class ClaimOutcome(StrEnum):
    """A claim's status and, under Low Confidence, its reason; the most severe first."""

    CONTRADICTED = "contradicted"
    CONFLICTING_SOURCES = "conflicting_sources"
    NOT_SUPPORTED = "not_supported"
    NOTHING_FOUND = "nothing_found"
    NOT_CHECKED = "not_checked"
    NOT_CONFIRMED = "not_confirmed"
    NOT_CHECKABLE = "not_checkable"
    SUPPORTED = "supported"


LABELS = {
    ClaimStatus.SUPPORTED: "Supported",
    ClaimStatus.CONTRADICTORY: "Contradicted",
    ClaimStatus.LOW_CONFIDENCE: "Not confirmed",
}
"""A status as people read it; stored and sealed decisions keep the verifier API's names."""
OF_ONE = {
    ClaimOutcome.CONTRADICTED: "a source contradicts it",
    ClaimOutcome.CONFLICTING_SOURCES: "the sources disagree about it",
    ClaimOutcome.NOT_SUPPORTED: "no source supports it",
    ClaimOutcome.NOTHING_FOUND: "nothing was found about it",
    ClaimOutcome.NOT_CHECKED: "it was not checked",
    ClaimOutcome.NOT_CONFIRMED: "the sources do not clearly support it",
    ClaimOutcome.NOT_CHECKABLE: "it states nothing that can be checked",
    ClaimOutcome.SUPPORTED: "a source supports it",
}
"""Of one claim, as a part of a sentence."""
OF_SOME = {
    ClaimOutcome.CONTRADICTED: "contradicted by the sources",
    ClaimOutcome.CONFLICTING_SOURCES: "on which the sources disagree",
    ClaimOutcome.NOT_SUPPORTED: "not supported by the sources",
    ClaimOutcome.NOTHING_FOUND: "not covered by the sources",
    ClaimOutcome.NOT_CHECKED: "not checked",
    ClaimOutcome.NOT_CONFIRMED: "not clearly supported by the sources",
    ClaimOutcome.NOT_CHECKABLE: "with nothing to check",
    ClaimOutcome.SUPPORTED: "supported by the sources",
}
"""Behind a number of claims."""


def outcome(status: str, reason: str | None) -> ClaimOutcome:
    """Return the outcome of a stored status and reason. Raises ValueError for unknown ones."""
    by_status = {
        ClaimStatus.SUPPORTED: ClaimOutcome.SUPPORTED,
        ClaimStatus.CONTRADICTORY: ClaimOutcome.CONTRADICTED,
    }
    known_outcome = by_status.get(ClaimStatus(status))
    return known_outcome or ClaimOutcome(LowConfidenceReason(reason or "").value)


def outcome_of(claim_decision: ClaimDecision) -> ClaimOutcome:
    """Return the outcome of a decided claim."""
    return outcome(claim_decision.status, claim_decision.reason)


def words(status: str, reason: str | None) -> str:
    """Return a claim's outcome as part of a sentence: "no source supports it"."""
    return OF_ONE[outcome(status, reason)]


def count_outcomes(outcomes: Iterable[ClaimOutcome]) -> str:
    """Return counts, the most severe first: "2 not supported by the sources, 1 not checked"."""
    counter = Counter(outcomes)
    return ", ".join(
        f"{counter[outcome]} {OF_SOME[outcome]}" for outcome in ClaimOutcome if counter[outcome]
    )
