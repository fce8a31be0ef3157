"""The verdict for a claim that the judge has read: one probability, and certain conflicts.

Only the probability decides whether a claim is supported: more likely than not. Between that and
the policy's limit it is not confirmed. A certain conflict makes a claim contradictory; without one
the judge does.
"""

from analysis.engine.policy.rules import PolicyRules
from analysis.engine.signal_types import VerifierSignal
from analysis.engine.types import Band, Claim, ClaimStatus, LowConfidenceReason
from analysis.engine.verdict.probability import LIKELY, is_certain, unsupported
from analysis.engine.verdict.rule_table import (
    NOTHING_TO_GO_BY,
    Case,
    Rule,
    band,
    decide_by,
    doubted_words,
    nothing_found,
    say_conflict,
    say_unsteady,
    steadiness,
)
from analysis.engine.verdict_types import ClaimDecision, Confidence

ALONE = 0.94
"""What the judge's word counts where no figure or field conflicts: of right everyday answers of the
development set 3 % are blocked at the default thresholds."""


def _probability(case: Case) -> float:
    """Return the probability that the claim is not supported; 1 if nothing was measured."""
    value = unsupported(case.signal)
    return 1.0 if value is None else value


def _doubted(case: Case) -> bool:
    return _probability(case) >= case.rules.unsupported_at


def _contradicts(case: Case) -> bool:
    """Return whether the judge finds a contradiction, and a passage has the claim's subject."""
    judgement = case.signal.judgement
    if judgement is None or case.signal.contradicted_by is None:
        return False
    return _doubted(case) and judgement.contradict > judgement.neutral


def _unsteady(case: Case) -> bool:
    return case.unsteady and 1 - _probability(case) < case.rules.steady_at


def _explain(case: Case) -> str:
    text = f"probability of being supported {1 - _probability(case):.2f}"
    words = doubted_words(case)
    return f"{text}; doubted: {words}" if words else text


_LOW, _Why = ClaimStatus.LOW_CONFIDENCE, LowConfidenceReason
RULES: tuple[Rule, ...] = (
    *NOTHING_TO_GO_BY,
    Rule("contradicted", lambda case: is_certain(case.signal), ClaimStatus.CONTRADICTORY, None,
         say_conflict),
    Rule("contradicted_by_judge", _contradicts, ClaimStatus.CONTRADICTORY, None, _explain),
    Rule("nothing_found", lambda case: _doubted(case) and nothing_found(case), _LOW,
         _Why.NOTHING_FOUND, lambda case: f"no passage covers it; {_explain(case)}"),
    Rule("not_supported", _doubted, _LOW, _Why.NOT_SUPPORTED, _explain),
    Rule("unsteady", _unsteady, _LOW, _Why.NOT_SUPPORTED,
         lambda case: f"{say_unsteady(case)}; {_explain(case)}"),
    Rule("not_confirmed", lambda case: _probability(case) >= LIKELY, _LOW, _Why.NOT_CONFIRMED,
         _explain),
    Rule("supported", lambda _: True, ClaimStatus.SUPPORTED, None, _explain),
)  # fmt: skip
"""Read from above: the first that holds names the decision."""


def decide_judged(claim: Claim, signal: VerifierSignal, rules: PolicyRules) -> ClaimDecision:
    """Return the verdict for one claim that the judge has read, from its signals and the policy."""
    return decide_by(RULES, _confidence, Case.of(claim, signal, rules))


def _confidence(status: ClaimStatus, case: Case) -> Confidence:
    """Return probabilities of support and contradiction, and the overall confidence (0-1)."""
    judgement = case.signal.judgement
    if judgement is None or unsupported(case.signal) is None:
        return Confidence(None, None, None, Band.LOW)
    support = round(1 - _probability(case), 4)
    contradict = _contradiction(case)
    if status is ClaimStatus.CONTRADICTORY:
        support = round(min(support, 1 - contradict), 4)
    overall = round(support * steadiness(case), 4)
    strength = {ClaimStatus.SUPPORTED: overall, ClaimStatus.CONTRADICTORY: contradict}
    return Confidence(support, contradict, overall, band(strength.get(status, 0.0), case.rules))


def _contradiction(case: Case) -> float:
    """Return the probability that the sources contradict the claim."""
    if is_certain(case.signal):
        return round(_probability(case), 4)
    judgement, share = case.signal.judgement, 0.0
    if judgement is not None and judgement.contradict:
        share = judgement.contradict / (judgement.contradict + judgement.neutral)
    return round(ALONE * _probability(case) * share, 4)
