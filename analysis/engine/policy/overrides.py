"""Chooses the rules for a check of collections for which a policy has overrides.

An override with exactly the check's collections decides alone. Otherwise the policy's own rules and
every override that names one of them are evaluated, and the strictest decides: the first of those
with the most severe action, in the order of the policy, its own rules first.
"""

from collections.abc import Sequence
from dataclasses import replace

from analysis.engine.policy.rules import PolicyRules

NamedRules = tuple[str, PolicyRules]
"""An override's name ("" for the policy's own rules) and its merged rules."""


def candidates(rules: PolicyRules, collections: Sequence[str]) -> list[NamedRules]:
    """Return the rules that may decide a check of these collections, at least one."""
    names = set(collections)
    exact = [override for override in rules.overrides if set(override.collections) == names]
    if exact:
        return [(exact[0].name, exact[0].rules)]
    touching = [override for override in rules.overrides if names & set(override.collections)]
    return [("", rules), *((override.name, override.rules) for override in touching)]


def to_measure(rules: PolicyRules, collections: Sequence[str]) -> PolicyRules:
    """Return the rules for measuring: the most samples that any deciding rules ask for.

    Flagged passages are trusted only if all rules do.
    """
    asking = [candidate_rules for _, candidate_rules in candidates(rules, collections)]
    most = max(policy.draw_samples for policy in asking)
    return replace(rules, draw_samples=most, trust_flagged=all(x.trust_flagged for x in asking))
