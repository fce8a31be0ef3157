"""The groups of a policy's settings, each with its defaults."""

from dataclasses import dataclass, field
from enum import StrEnum

from analysis.engine.safety.model import SafetyThresholds
from analysis.engine.types import Action, Expiry, SignalStatus, Treatment


@dataclass(frozen=True, slots=True)
class Weights:
    """The risk API's RISK_WEIGHTS: what each signal adds to the risk score, 0-100."""

    internal_contradiction: int = 40
    rag_contradiction: int = 35
    rag_unverified: int = 15
    overconfidence: int = 20

    def by_signal(self) -> dict[str, int]:
        """Return the weights by the names of the risk API's signals."""
        return {
            "internal_contradiction": self.internal_contradiction,
            "rag_contradiction": self.rag_contradiction,
            "rag_unverified": self.rag_unverified,
            "overconfidence": self.overconfidence,
        }


@dataclass(frozen=True, slots=True)
class VerdictActions:
    """The least severe action for each verdict."""

    contradictory: Action = Action.WARN
    contradictory_high_confidence: Action = Action.BLOCK
    low_confidence: Action = Action.WARN
    not_confirmed: Action = Action.ALLOW
    no_claim_supported: Action = Action.BLOCK
    no_sources: Action = Action.WARN
    conflicting_sources: Action = Action.WARN
    flagged_passages: Action = Action.WARN
    citation_mismatch: Action = Action.WARN
    unsupported_language: Action = Action.WARN
    unknown_names: Action = Action.WARN


@dataclass(frozen=True, slots=True)
class ReviewRules:
    """True if people review blocked answers, and warned ones.

    What was not fully checked and what chance drew they always do. With `opinion_first` the review
    screen shows the verdict only after a first opinion.
    """

    blocked: bool = True
    warned: bool = True
    opinion_first: bool = False


@dataclass(frozen=True, slots=True)
class HoldRules:
    """The answers that are shown only once a person has approved them.

    Held are those with a risk score of `risk_at` on (0: all, 101: none), and those with a claim
    that has one of `words`. They are due after so many business `hours`. What nobody has approved
    by then is refused, or with `on_expiry` "release" shown as the policy shows it without a hold.
    With `four_eyes` a second person approves as well.
    """

    risk_at: int = 101
    words: tuple[str, ...] = ()
    hours: int = 4
    on_expiry: Expiry = Expiry.REFUSE
    four_eyes: bool = False


@dataclass(frozen=True, slots=True)
class NotCheckedActions:
    """The least severe action if a required signal did not finish."""

    unavailable: Action = Action.WARN
    truncated: Action = Action.WARN
    error: Action = Action.WARN

    def of(self, status: SignalStatus) -> Action:
        """Return the action for that status; ALLOW for one that needs none."""
        by_status = {
            SignalStatus.UNAVAILABLE: self.unavailable,
            SignalStatus.TRUNCATED: self.truncated,
            SignalStatus.ERROR: self.error,
        }
        return by_status.get(status, Action.ALLOW)


@dataclass(frozen=True, slots=True)
class MitigationRules:
    """The final response's treatment of claims by verdict (verifier API, module 3)."""

    contradictory: Treatment = Treatment.REPLACE
    low_confidence: Treatment = Treatment.FLAG
    cite_supported: bool = True


@dataclass(frozen=True, slots=True)
class SafetyRules:
    """The actions for failed safety checks (safety API), by kind of failure.

    `retrieval` from the collections; `sources`: the relevance of the client's own; `citations`;
    `grounding`, in addition to the verdicts' own actions.
    """

    retrieval: Action = Action.BLOCK
    sources: Action = Action.ALLOW
    citations: Action = Action.WARN
    grounding: Action = Action.WARN
    thresholds: SafetyThresholds = field(
        default_factory=lambda: SafetyThresholds(require_citations=False)
    )


@dataclass(frozen=True, slots=True)
class ScoreLimits:
    """The response score (0-1) above which an answer is at least warned about or blocked; 1: never.

    A policy without them decides by its other rules alone, as all did before they existed.
    """

    warn_above: float = 1.0
    block_above: float = 1.0


class Language(StrEnum):
    """The language of the product's own texts for end users."""

    ENGLISH = "en"
    GERMAN = "de"
