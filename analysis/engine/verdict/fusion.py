"""The trained fusion in the aggregator's seat: one calibrated chance a claim, three verdicts.

The chance of being unsupported comes from the stored signals by the fitted weights of
`analysis.engine.verdict.fusion_model`; what it rests on stands in the rationale.
"""

from dataclasses import replace

from analysis.engine.policy.rules import PolicyRules
from analysis.engine.signal_types import VerifierSignal
from analysis.engine.types import Band, Claim, ClaimStatus, LowConfidenceReason
from analysis.engine.verdict.fusion_model import (
    contributions,
    features_of,
    is_by_embedded,
    unsupported,
    weights_of,
)
from analysis.engine.verdict.rule_table import (
    NOTHING_TO_GO_BY,
    Case,
    Rule,
    band,
    decide_claim,
    decision_by,
    doubted_words,
    nothing_found,
    say_unsteady,
    steadiness,
)
from analysis.engine.verdict_types import ClaimDecision, Confidence

_MOST_NAMED = 2
_ABOUT = 0.5
"""A passage contradicts a claim only where more than this share of its words stand together."""


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
        return "no passage was read"
    parts = contributions(features, weights_of(case.signal))
    most = sorted(parts.items(), key=lambda part: -abs(part[1]))[:_MOST_NAMED]
    text = ", ".join(f"{name} {value:+.2f}" for name, value in most if value)
    return f"chance of being unsupported {_chance(case):.2f}" + (f" ({text})" if text else "")


RULES: tuple[Rule, ...] = (
    *NOTHING_TO_GO_BY,
    Rule("fused_contradicted", lambda case: _doubted(case) and case.leans_against,
         ClaimStatus.CONTRADICTORY, None, _why),
    Rule("fused_unsupported", _doubted, ClaimStatus.LOW_CONFIDENCE,
         LowConfidenceReason.NOT_SUPPORTED, _why),
    Rule("fused_supported", lambda _: True, ClaimStatus.SUPPORTED, None, _why),
)  # fmt: skip
"""Read from above, as those of the rule table are."""


def _has_conflict(signal: VerifierSignal, rules: PolicyRules) -> bool:
    """Whether words name what a passage states otherwise."""
    words = signal.lexical
    if words is None or words.contradict <= words.entail:
        return False
    return words.contradict >= rules.contradict_at


def _against_by_model(case: Case) -> bool:
    return _doubted(case) and case.scores.contradict >= case.rules.model.contradict_at


def _spoken_against(case: Case) -> bool:
    """Whether the model contradicts, and a passage speaks of what the claim says.

    A sentence about something else contradicts nothing, whatever the model makes of it; a record
    has few words of a sentence about it.
    """
    coverage = case.signal.coverage
    if coverage is None or not _against_by_model(case):
        return False
    return coverage.of_record or coverage.tokens_overlap > _ABOUT


def _unsteady(case: Case) -> bool:
    return case.unsteady and 1 - _chance(case) < case.rules.steady_at


def _why_marked(case: Case) -> str:
    """The chance, and which words of the claim the model doubts."""
    words = doubted_words(case)
    return f"{_why(case)}; doubted: {words}" if words else _why(case)


EMBEDDED_RULES: tuple[Rule, ...] = (
    *NOTHING_TO_GO_BY,
    Rule("nothing_found", lambda case: _doubted(case) and nothing_found(case),
         ClaimStatus.LOW_CONFIDENCE, LowConfidenceReason.NOTHING_FOUND,
         lambda case: f"no passage speaks of it; {_why(case)}"),
    Rule("contradicted_by_model", _spoken_against, ClaimStatus.CONTRADICTORY, None, _why_marked),
    Rule("fused_unsupported", _doubted, ClaimStatus.LOW_CONFIDENCE,
         LowConfidenceReason.NOT_SUPPORTED, _why_marked),
    Rule("unsteady", _unsteady, ClaimStatus.LOW_CONFIDENCE, LowConfidenceReason.NOT_SUPPORTED,
         lambda case: f"{say_unsteady(case)}; {_why(case)}"),
    RULES[-1],
)  # fmt: skip
"""For a claim that the model which comes along has read, and that words name nothing against."""


def decide_embedded(claim: Claim, signal: VerifierSignal, rules: PolicyRules) -> ClaimDecision:
    """The verdict for a claim that the model which comes along has read (decisions 0523, 0526)."""
    if _has_conflict(signal, rules):
        return decide_claim(claim, replace(signal, nli=signal.lexical, doubt=None), rules)
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
    """The verifier API's block; `overall_confidence` is the chance that the claim is supported.

    Less what the writing model was unsure of, where the model that comes along read the claim.
    """
    if unsupported(case.signal) is None:
        return Confidence(None, None, None, Band.LOW)
    support, contradict = round(1 - _chance(case), 4), case.scores.contradict
    overall = support
    if is_by_embedded(case.signal):
        words = case.signal.lexical.contradict if case.signal.lexical else 0.0
        contradict = min(max(words, contradict), round(_chance(case), 4))
        overall = round(support * steadiness(case), 4)
    strength = {ClaimStatus.SUPPORTED: overall, ClaimStatus.CONTRADICTORY: contradict}
    return Confidence(support, contradict, overall, band(strength.get(status, 0.0), case.rules))
