"""Which rules decide a check that searched collections, where a policy has overrides for some.

An override whose collections are exactly those of the check decides alone. Otherwise the policy's
own rules and every override that names one of them are asked, and the strictest decides: the first
of those with the most severe action, in the order of the policy, its own rules before all.
"""

from collections.abc import Sequence
from dataclasses import replace

from analysis.engine.policy.rules import PolicyRules

Named = tuple[str, PolicyRules]
"""An override's name ("" for the policy's own rules) and its merged rules."""


def candidates(rules: PolicyRules, collections: Sequence[str]) -> list[Named]:
    """The rules that may decide a check of these collections, never none."""
    asked = set(collections)
    exact = [one for one in rules.overrides if set(one.collections) == asked]
    if exact:
        return [(exact[0].name, exact[0].rules)]
    touching = [one for one in rules.overrides if asked & set(one.collections)]
    return [("", rules), *((one.name, one.rules) for one in touching)]


def to_measure(rules: PolicyRules, collections: Sequence[str]) -> PolicyRules:
    """The rules that measuring goes by: as many samples as any that may decide asks for.

    Flagged passages are trusted where all of them do.
    """
    asking = [found for _, found in candidates(rules, collections)]
    most = max(found.draw_samples for found in asking)
    return replace(rules, draw_samples=most, trust_flagged=all(x.trust_flagged for x in asking))
