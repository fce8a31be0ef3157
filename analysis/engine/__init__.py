"""WATCHDOG's engine: pure functions over frozen dataclasses, importable without Django.

`analyze` is the risk API's call; the service uses `measure` and `decide`: signals are measured once
and stored, and the policy decides from them as often as needed.
"""

from analysis.engine.compat import (
    SafetyMechanism,
    check_safety,
    detect_internal_contradictions,
    detect_overconfidence,
    extract_all_signals,
    extract_claims,
    get_safe_answer,
    verify_against_rag,
)
from analysis.engine.decision import decide
from analysis.engine.measurement import ENGINE_VERSION, measure
from analysis.engine.pipeline import analyze, analyze_batch, verify
from analysis.engine.policy import DEFAULT_RULES, PolicyError, PolicyRules
from analysis.engine.safety.model import RejectionReason, SafetyCheckResult, SafetyThresholds
from analysis.engine.signal_types import Measurement, SignalState, VerifierSignal
from analysis.engine.types import (
    Action,
    Claim,
    ClaimStatus,
    EvidenceChunk,
    LowConfidenceReason,
    RiskLevel,
    SignalStatus,
    Source,
    Submission,
)
from analysis.engine.verdict.risk import (
    RISK_WEIGHTS,
    calculate_risk_score,
    generate_explanation,
    get_risk_level,
)
from analysis.engine.verdict_types import ActionReason, ClaimDecision, Decision, RiskAssessment

__all__ = [
    "DEFAULT_RULES",
    "ENGINE_VERSION",
    "RISK_WEIGHTS",
    "Action",
    "ActionReason",
    "Claim",
    "ClaimDecision",
    "ClaimStatus",
    "Decision",
    "EvidenceChunk",
    "LowConfidenceReason",
    "Measurement",
    "PolicyError",
    "PolicyRules",
    "RejectionReason",
    "RiskAssessment",
    "RiskLevel",
    "SafetyCheckResult",
    "SafetyMechanism",
    "SafetyThresholds",
    "SignalState",
    "SignalStatus",
    "Source",
    "Submission",
    "VerifierSignal",
    "analyze",
    "analyze_batch",
    "calculate_risk_score",
    "check_safety",
    "decide",
    "detect_internal_contradictions",
    "detect_overconfidence",
    "extract_all_signals",
    "extract_claims",
    "generate_explanation",
    "get_risk_level",
    "get_safe_answer",
    "measure",
    "verify",
    "verify_against_rag",
]
