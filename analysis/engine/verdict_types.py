"""The results of a decision: verdicts, risk and action (verifier and risk API)."""

from dataclasses import dataclass
from typing import Any

from analysis.engine.codec import encode
from analysis.engine.safety.model import SafetyCheckResult
from analysis.engine.types import (
    Action,
    Band,
    CitationFormatterOutput,
    ClaimStatus,
    Expiry,
    LowConfidenceReason,
    PartialAnswer,
    RiskLevel,
    SignalStatus,
)


@dataclass(frozen=True, slots=True)
class Confidence:
    """The verifier API's confidence block; scores 0-1, None if nothing was measured."""

    support_prob: float | None
    contradict_prob: float | None
    overall_confidence: float | None
    band: Band


@dataclass(frozen=True, slots=True)
class ClaimDecision:
    """The verdict for one claim; `rationale` begins with the name of the deciding rule."""

    claim_id: str
    status: ClaimStatus
    reason: LowConfidenceReason | None
    rationale: str
    primary_evidence: str | None
    signals_ref: tuple[str, ...]
    confidence: Confidence


@dataclass(frozen=True, slots=True)
class ActionReason:
    """One reason for an action; `decided` marks the deciding one."""

    code: str
    action: Action
    text: str
    decided: bool


@dataclass(frozen=True, slots=True)
class RiskAssessment:
    """The risk API's score (0-100), level, booleans and explanation. None: unknown."""

    risk_score: int
    risk_level: RiskLevel
    signals: dict[str, bool | None]
    explanation: str


@dataclass(frozen=True, slots=True)
class NotChecked:
    """A signal that did not finish."""

    signal: str
    status: SignalStatus
    reason: str


@dataclass(frozen=True, slots=True)
class SummaryStats:
    """The verifier API's counts; `insufficient` is every Low Confidence claim."""

    claims_total: int
    supported_high: int
    supported_low: int
    contradicted: int
    insufficient: int
    mean_overall_confidence: float | None


@dataclass(frozen=True, slots=True)
class Hold:
    """The terms on which a held answer waits for a person: see `HoldRules`.

    `waiting_text` is shown until it is decided, `refusal_text` if it is refused.
    """

    hours: int
    on_expiry: Expiry
    four_eyes: bool
    waiting_text: str
    refusal_text: str


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision on a measurement under one policy.

    `final_spans` are the code points of each claim that `final_response` still shows;
    `partial_answer` describes the sentences of a partial answer, if it shows one. `override` names
    the policy's override for collections that decided. `hold` is None where the answer is not held;
    `final_response` is then shown without delay. `hallucination_score` is the score of
    `verdict.probability`; None if nothing was measured.
    """

    engine_version: str
    claims: tuple[ClaimDecision, ...]
    risk: RiskAssessment
    action: Action
    reasons: tuple[ActionReason, ...]
    final_response: str
    mitigation_actions: tuple[str, ...]
    final_spans: dict[str, tuple[int, int]]
    citations: CitationFormatterOutput
    summary_stats: SummaryStats
    not_checked: tuple[NotChecked, ...]
    safety: SafetyCheckResult | None = None
    partial_answer: PartialAnswer | None = None
    override: str | None = None
    hallucination_score: float | None = None
    hold: Hold | None = None

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON."""
        data: dict[str, Any] = encode(self)
        return data
