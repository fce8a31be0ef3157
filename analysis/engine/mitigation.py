"""What may be shown: contradicted claims replaced, unverified ones flagged (seed 4)."""

from collections.abc import Iterable

from analysis.engine.policy import PolicyRules
from analysis.engine.types import Action, Claim, ClaimDecision, ClaimStatus

REPLACED = "replaced_contradicted_claims"
FLAGGED = "flagged_low_confidence_claims"
REFUSED = "refused_answer"


def mitigate(
    answer: str,
    pairs: Iterable[tuple[Claim, ClaimDecision]],
    action: Action,
    rules: PolicyRules,
) -> tuple[str, tuple[str, ...]]:
    """The text that is safe to show, and what was done to it."""
    if action is Action.BLOCK:
        return rules.refusal_text, (REFUSED,)
    parts, done, at = list[str](), list[str](), 0
    for claim, decision in pairs:
        text, what = _shown(claim, decision, rules)
        parts += (answer[at : claim.start], text)
        at = claim.end
        if what and what not in done:
            done.append(what)
    return "".join(parts) + answer[at:], tuple(done)


def _shown(claim: Claim, decision: ClaimDecision, rules: PolicyRules) -> tuple[str, str]:
    if decision.status is ClaimStatus.CONTRADICTORY:
        return rules.contradiction_warning, REPLACED
    if decision.status is ClaimStatus.LOW_CONFIDENCE and rules.low_confidence_flag:
        return f"{claim.text} {rules.low_confidence_flag}", FLAGGED
    return claim.text, ""
