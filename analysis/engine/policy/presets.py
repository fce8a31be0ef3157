"""Policies to begin with: conservative (seed 3's), balanced (the default), exploratory."""

from collections.abc import Mapping

from analysis.engine.policy.rules import DEFAULT_RULES, PolicyRules, SafetyRules, VerdictActions
from analysis.engine.safety.checks import SafetyThresholds
from analysis.engine.types import Action

CONSERVATIVE = PolicyRules(
    verdicts=VerdictActions(contradictory=Action.BLOCK, low_confidence=Action.WARN),
    safety=SafetyRules(given=Action.BLOCK, citations=Action.BLOCK, grounding=Action.BLOCK),
)
"""Seed 3: any failed check rejects. Citations are asked only of an answer that has some, as
design.md 2a says; `require_citations` asks them of all."""
EXPLORATORY = PolicyRules(
    verdicts=VerdictActions(
        contradictory_high_confidence=Action.WARN,
        no_claim_supported=Action.WARN,
        no_sources=Action.ALLOW,
    ),
    safety=SafetyRules(
        searched=Action.WARN,
        given=Action.ALLOW,
        citations=Action.ALLOW,
        grounding=Action.ALLOW,
        thresholds=SafetyThresholds(
            min_retrieval_confidence=0.5,
            max_topic_mismatch_score=0.2,
            require_citations=False,
        ),
    ),
)
"""Nothing is blocked but by the risk score; thresholds as seed 3's "High Rejection Rate" says."""
PRESETS: Mapping[str, PolicyRules] = {
    "conservative": CONSERVATIVE,
    "balanced": DEFAULT_RULES,
    "exploratory": EXPLORATORY,
}
