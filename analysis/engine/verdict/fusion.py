"""The trained fusion: a claim's verdict from one calibrated probability instead of the rule table.

The probability of being unsupported is that of `analysis.engine.verdict.probability`, from the
stored signals; the rationale names the signals that contributed most.
"""

from analysis.engine.policy.rules import PolicyRules
from analysis.engine.signal_types import VerifierSignal
from analysis.engine.types import Band, Claim, ClaimStatus, LowConfidenceReason
from analysis.engine.verdict.probability import unsupported
from analysis.engine.verdict.rule_table import (
    NOTHING_TO_GO_BY,
    Case,
    Rule,
    band,
    decide_by,
)
from analysis.engine.verdict.words_model import contributions, features_of
from analysis.engine.verdict_types import ClaimDecision, Confidence

_MOST_NAMED = 2


def _chance(case: Case) -> float:
    """The chance that the claim is unsupported; 1 where nothing was measured."""
    chance = unsupported(case.signal)
    return 1.0 if chance is None else chance


def _doubted(case: Case) -> bool:
    return _chance(case) >= case.rules.fusion_at


def _why(case: Case) -> str:
    """The chance, and the signals that add most to it."""
    features = features_of(case.signal)
    if features is None:
        return "no passage was compared"
    parts = contributions(features)
    most = sorted(parts.items(), key=lambda part: -abs(part[1]))[:_MOST_NAMED]
    text = ", ".join(f"{name} {value:+.2f}" for name, value in most if value)
    return f"probability of being unsupported {_chance(case):.2f}" + (f" ({text})" if text else "")


RULES: tuple[Rule, ...] = (
    *NOTHING_TO_GO_BY,
    Rule("fused_contradicted", lambda case: _doubted(case) and case.leans_against,
         ClaimStatus.CONTRADICTORY, None, _why),
    Rule("fused_unsupported", _doubted, ClaimStatus.LOW_CONFIDENCE,
         LowConfidenceReason.NOT_SUPPORTED, _why),
    Rule("fused_supported", lambda _: True, ClaimStatus.SUPPORTED, None, _why),
)  # fmt: skip
"""Read from above, as those of the rule table are."""


def fuse_claim(claim: Claim, signal: VerifierSignal, rules: PolicyRules) -> ClaimDecision:
    """The verdict for one claim, from its stored signals, the fitted weights and the policy."""
    return decide_by(RULES, _confidence, Case.of(claim, signal, rules))


def _confidence(status: ClaimStatus, case: Case) -> Confidence:
    """The verifier API's block; `overall_confidence` is the chance that the claim is supported."""
    if unsupported(case.signal) is None:
        return Confidence(None, None, None, Band.LOW)
    support, contradict = round(1 - _chance(case), 4), case.scores.contradict
    strength = {ClaimStatus.SUPPORTED: support, ClaimStatus.CONTRADICTORY: contradict}
    return Confidence(support, contradict, support, band(strength.get(status, 0.0), case.rules))
