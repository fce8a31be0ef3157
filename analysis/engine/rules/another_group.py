"""Detects claims about one group that the source makes about another and denies of this one.

"Contractors may work remotely" has all the words of "Employees may work remotely. Contractors are
not eligible for remote work."
"""

from collections.abc import Iterable, Sequence

from analysis.engine.rules.parts import Part

Terms = frozenset[str]
_SHARE = 0.8
"""Share of the claim's predicate that the other group's clause must have."""


def of_another(ours: Part, own: Sequence[Part], theirs: Iterable[Part]) -> tuple[Part, Part] | None:
    """Return the clause that says it of another group, and the one that denies it of this one.

    `own` are the clauses of this group; `theirs` are read only if those do not state it.
    """
    if ours.negative or not ours.predicate or not own:
        return None
    stated = frozenset[str]().union(*(part.predicate for part in own if not part.negative))
    if any(ours.predicate <= part.predicate for part in own) or ours.predicate <= stated:
        return None
    for holder in theirs:
        if holder.negative or not _holds(ours, holder):
            continue
        for part in own:
            if part.negative and not part.predicate.isdisjoint(holder.predicate):
                return holder, part
    return None


def may_hold(ours: Part, terms: Terms) -> bool:
    """Return whether a text with these terms has enough of the claim's predicate."""
    return len(ours.predicate & terms) >= _SHARE * len(ours.predicate)


def _holds(ours: Part, part: Part) -> bool:
    """Return whether the clause states it, about somebody else."""
    if part.subject >= ours.subject or ours.subject >= part.subject:
        return False
    return may_hold(ours, part.predicate)
