"""The seat of the aggregator: whoever turns the stored signals of a claim into its decision.

Today the rule table sits in it. A trained fusion takes its place by an entry in `AGGREGATORS`;
the policy says which of them decides, so that a replay uses the same one.
"""

from collections.abc import Mapping
from typing import Protocol

from analysis.engine.policy import PolicyError, PolicyRules
from analysis.engine.types import Aggregation, Claim, ClaimDecision, VerifierSignal
from analysis.engine.verdict import decide_claim


class Aggregator(Protocol):
    """A pure function of a claim, its stored signals and the policy; it calls no model.

    The decision's rationale begins with the name of what decided.
    """

    def __call__(
        self, claim: Claim, signal: VerifierSignal, rules: PolicyRules, /
    ) -> ClaimDecision: ...


AGGREGATORS: Mapping[Aggregation, Aggregator] = {Aggregation.RULES: decide_claim}


def aggregator_of(
    rules: PolicyRules, known: Mapping[Aggregation, Aggregator] = AGGREGATORS
) -> Aggregator:
    """The aggregator that the policy names; PolicyError where this version does not have it."""
    found = known.get(rules.aggregator)
    if found is None:
        raise PolicyError("aggregator", f"{rules.aggregator.value} is not part of this version")
    return found
