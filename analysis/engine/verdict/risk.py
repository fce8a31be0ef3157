"""The risk API's scoring layer: weights, score, level, explanation."""

from collections.abc import Mapping

from analysis.engine.policy import DEFAULT_RULES, PolicyRules
from analysis.engine.types import RiskLevel

RISK_WEIGHTS: dict[str, int] = DEFAULT_RULES.weights.by_signal()
HIGHEST = 100
EMPTY = "Empty response"
NO_ISSUES = "No issues detected"
_ISSUES = (
    ("internal_contradiction", "Response contains internal contradictions"),
    ("rag_contradiction", "Contradicts retrieved information"),
    ("rag_unverified", "Response contains unverified factual claims"),
)
_OVERCONFIDENT = "Overconfidence detected"
_NO_REASON = "High confidence without evidence"


def calculate_risk_score(
    signals: Mapping[str, object], weights: Mapping[str, int] = RISK_WEIGHTS
) -> int:
    """Return the sum of the weights of the signals that hold, at most 100 (risk API)."""
    return min(sum(weight for name, weight in weights.items() if signals.get(name)), HIGHEST)


def get_risk_level(score: int, rules: PolicyRules = DEFAULT_RULES) -> str:
    """Return LOW below 35, MEDIUM below 70, else HIGH, unless the policy says otherwise."""
    if score >= rules.block_at:
        return RiskLevel.HIGH.value
    return RiskLevel.MEDIUM.value if score >= rules.warn_at else RiskLevel.LOW.value


def generate_explanation(
    signals: Mapping[str, object], score: int, rules: PolicyRules = DEFAULT_RULES
) -> str:
    """Return the risk API's sentence: level, then the issues in order of weight.

    `signals` may contain `overconfidence_reason` and `not_checked` (texts) beside the booleans.
    """
    issues = [f"Not checked: {signals['not_checked']}"] if signals.get("not_checked") else []
    issues += [text for name, text in _ISSUES if signals.get(name)]
    if signals.get("overconfidence"):
        reason = signals.get("overconfidence_reason")
        issues.append(f"{_OVERCONFIDENT}: {reason}" if reason else _NO_REASON)
    level = get_risk_level(score, rules)
    return f"{level} RISK: {'; '.join(issues) or NO_ISSUES}"
