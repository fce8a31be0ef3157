"""Chooses what decides a claim from its stored signals: the rules, or the trained fusion.

The policy names it (`PolicyRules.aggregator`), so that a replay uses the same one.
"""

from collections.abc import Mapping
from typing import Protocol

from analysis.engine.policy.rules import PolicyRules
from analysis.engine.signal_types import VerifierSignal
from analysis.engine.types import Aggregation, Claim
from analysis.engine.verdict.fusion import fuse_claim
from analysis.engine.verdict.judge_scores import decide_judged
from analysis.engine.verdict.rule_table import decide_claim
from analysis.engine.verdict_types import ClaimDecision


class Aggregator(Protocol):
    """A pure function of a claim, its stored signals and the policy; it calls no model.

    The decision's rationale begins with the name of what decided.
    """

    def __call__(
        self, claim: Claim, signal: VerifierSignal, rules: PolicyRules, /
    ) -> ClaimDecision: ...


def by_rules(claim: Claim, signal: VerifierSignal, rules: PolicyRules) -> ClaimDecision:
    """The judge's rules for a claim that it read, else the rule table."""
    decide = decide_claim if signal.judgement is None else decide_judged
    return decide(claim, signal, rules)


AGGREGATORS: Mapping[Aggregation, Aggregator] = {
    Aggregation.RULES: by_rules,
    Aggregation.FUSION: fuse_claim,
}


def aggregator_of(rules: PolicyRules) -> Aggregator:
    """The aggregator that the policy names."""
    return AGGREGATORS[rules.aggregator]
