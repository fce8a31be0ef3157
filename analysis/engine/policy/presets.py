"""Policies to begin with: conservative (the safety API's), balanced (the default), exploratory, and
observe, which decides as balanced and leaves every answer as it stands."""

from collections.abc import Mapping
from dataclasses import replace

from analysis.engine.policy.rules import DEFAULT_RULES, PolicyRules
from analysis.engine.policy.settings import SafetyRules, VerdictActions
from analysis.engine.safety.model import SafetyThresholds
from analysis.engine.types import Action

CONSERVATIVE = PolicyRules(
    unsupported_at=0.6,
    verdicts=VerdictActions(contradictory=Action.BLOCK, not_confirmed=Action.WARN),
    safety=SafetyRules(sources=Action.BLOCK, citations=Action.BLOCK, grounding=Action.BLOCK),
)
"""Safety API: any failed check rejects. Citations are required only of an
answer that has some; `require_citations` requires them of every answer."""
EXPLORATORY = PolicyRules(
    unsupported_at=0.9,
    verdicts=VerdictActions(
        low_confidence=Action.ALLOW,
        contradictory_high_confidence=Action.WARN,
        no_claim_supported=Action.WARN,
        no_sources=Action.ALLOW,
    ),
    safety=SafetyRules(
        retrieval=Action.WARN,
        sources=Action.ALLOW,
        citations=Action.ALLOW,
        grounding=Action.ALLOW,
        thresholds=SafetyThresholds(
            min_retrieval_confidence=0.5,
            max_topic_mismatch_score=0.2,
            require_citations=False,
        ),
    ),
)
"""Only the risk score blocks; thresholds as the safety API's "High Rejection Rate" has them."""
PRESETS: Mapping[str, PolicyRules] = {
    "conservative": CONSERVATIVE,
    "balanced": DEFAULT_RULES,
    "exploratory": EXPLORATORY,
    "observe": replace(DEFAULT_RULES, observe=True),
}
