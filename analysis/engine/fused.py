"""The trained fusion in the aggregator's seat: one calibrated chance a claim, three verdicts.

The chance of being unsupported comes from the stored signals by the fitted weights of
`analysis.engine.fusion`; what it rests on stands in the rationale.
"""

from analysis.engine.fusion import (
    contributions,
    features_of,
    is_by_embedded,
    unsupported,
    weights_of,
)
from analysis.engine.policy import PolicyRules
from analysis.engine.types import (
    Band,
    Claim,
    ClaimDecision,
    ClaimStatus,
    Confidence,
    LowConfidenceReason,
    VerifierSignal,
)
from analysis.engine.verdict import NOTHING_TO_GO_BY, Case, Rule, band, decision_by, say_conflict

_MOST_NAMED = 2
_NAMED = 0.3
"""Chance from which a claim is contradicted where words name what a passage states otherwise: of 37
such claims in 1,017 answers 33 stood in answers that people found at fault."""


def _chance(case: Case) -> float:
    """The chance that the claim is unsupported; 1 where nothing was measured."""
    found = unsupported(case.signal)
    return 1.0 if found is None else found


def _doubted(case: Case) -> bool:
    return _chance(case) >= case.rules.fusion_at


def _why(case: Case) -> str:
    """The chance, and the signals that add most to it."""
    found = features_of(case.signal)
    if found is None:
        return "no passage was read"
    parts = contributions(found, weights_of(case.signal))
    most = sorted(parts.items(), key=lambda part: -abs(part[1]))[:_MOST_NAMED]
    told = ", ".join(f"{name} {value:+.2f}" for name, value in most if value)
    return f"chance of being unsupported {_chance(case):.2f}" + (f" ({told})" if told else "")


RULES: tuple[Rule, ...] = (
    *NOTHING_TO_GO_BY,
    Rule("fused_contradicted", lambda case: _doubted(case) and case.leans_against,
         ClaimStatus.CONTRADICTORY, None, _why),
    Rule("fused_unsupported", _doubted, ClaimStatus.LOW_CONFIDENCE,
         LowConfidenceReason.NOT_SUPPORTED, _why),
    Rule("fused_supported", lambda _: True, ClaimStatus.SUPPORTED, None, _why),
)  # fmt: skip
"""Read from above, as those of the rule table are."""


def _against_by_words(case: Case) -> bool:
    words = case.signal.lexical
    if words is None or words.contradict <= words.entail:
        return False
    return _chance(case) >= _NAMED and words.contradict >= case.rules.contradict_at


def _against_by_model(case: Case) -> bool:
    return _doubted(case) and case.scores.contradict >= case.rules.model.contradict_at


EMBEDDED_RULES: tuple[Rule, ...] = (
    *NOTHING_TO_GO_BY,
    Rule("contradicted", _against_by_words, ClaimStatus.CONTRADICTORY, None,
         lambda case: f"{say_conflict(case)}; {_why(case)}"),
    Rule("contradicted_by_model", _against_by_model, ClaimStatus.CONTRADICTORY, None, _why),
    *RULES[len(NOTHING_TO_GO_BY) + 1 :],
)  # fmt: skip
"""For a claim that the model which comes along has read: what words speak against is told first."""


def decide_embedded(claim: Claim, signal: VerifierSignal, rules: PolicyRules) -> ClaimDecision:
    """The verdict for a claim that the model which comes along has read (decision 0523)."""
    return _decide(EMBEDDED_RULES, claim, signal, rules)


def fuse_claim(claim: Claim, signal: VerifierSignal, rules: PolicyRules) -> ClaimDecision:
    """The verdict for one claim, from its stored signals, the fitted weights and the policy."""
    return _decide(RULES, claim, signal, rules)


def _decide(
    table: tuple[Rule, ...], claim: Claim, signal: VerifierSignal, rules: PolicyRules
) -> ClaimDecision:
    case = Case.of(claim, signal, rules)
    rule = next(rule for rule in table if rule.holds(case))
    return decision_by(rule, case, _confidence(rule.status, case))


def _confidence(status: ClaimStatus, case: Case) -> Confidence:
    """Seed 4's block; `overall_confidence` is the chance that the claim is supported."""
    if unsupported(case.signal) is None:
        return Confidence(None, None, None, Band.LOW)
    support, contradict = round(1 - _chance(case), 4), case.scores.contradict
    if is_by_embedded(case.signal):
        words = case.signal.lexical.contradict if case.signal.lexical else 0.0
        contradict = min(max(words, contradict), round(_chance(case), 4))
    strength = {ClaimStatus.SUPPORTED: support, ClaimStatus.CONTRADICTORY: contradict}
    return Confidence(support, contradict, support, band(strength.get(status, 0.0), case.rules))
