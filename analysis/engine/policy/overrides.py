"""Which rules decide a check that searched collections, where a policy has overrides for some.

An override whose collections are exactly those of the check decides alone. Otherwise the policy's
own rules and every override that names one of them are asked, and the strictest decides: the first
of those with the most severe action, in the order of the policy, its own rules before all.
"""

from collections.abc import Sequence
from dataclasses import replace

from analysis.engine.policy.rules import PolicyRules

NamedRules = tuple[str, PolicyRules]
"""An override's name ("" for the policy's own rules) and its merged rules."""


def candidates(rules: PolicyRules, collections: Sequence[str]) -> list[NamedRules]:
    """The rules that may decide a check of these collections, never none."""
    names = set(collections)
    exact = [override for override in rules.overrides if set(override.collections) == names]
    if exact:
        return [(exact[0].name, exact[0].rules)]
    touching = [override for override in rules.overrides if names & set(override.collections)]
    return [("", rules), *((override.name, override.rules) for override in touching)]


def to_measure(rules: PolicyRules, collections: Sequence[str]) -> PolicyRules:
    """The rules that measuring goes by: as many samples as any that may decide asks for.

    Flagged passages are trusted where all of them do.
    """
    asking = [candidate_rules for _, candidate_rules in candidates(rules, collections)]
    most = max(policy.draw_samples for policy in asking)
    return replace(rules, draw_samples=most, trust_flagged=all(x.trust_flagged for x in asking))
