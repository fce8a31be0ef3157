"""What a passage says of one group and a claim of another, of which the source says otherwise.

"Contractors may work remotely" has all the words of "Employees may work remotely. Contractors are
not eligible for remote work."
"""

from collections.abc import Sequence

from analysis.engine.rules.parts import Part

Terms = frozenset[str]
_SHARE = 0.8
"""Share of the claim's predicate that the other group's clause must have."""


def of_another(ours: Part, theirs: Sequence[Part]) -> tuple[Part, Part] | None:
    """The clause that says it of another group, and the one that says otherwise of this one."""
    if ours.negative or not ours.predicate:
        return None
    own = [part for part in theirs if part.subject == ours.subject]
    stated = frozenset[str]().union(*(part.predicate for part in own if not part.negative))
    if not own or any(ours.predicate <= part.predicate for part in own) or ours.predicate <= stated:
        return None
    for holder in theirs:
        if holder.negative or not _holds(ours, holder):
            continue
        unsaid = (ours.predicate & holder.predicate) - stated
        for part in own:
            same_matter = not part.predicate.isdisjoint(holder.predicate)
            by_figure = any(term[0].isdigit() for term in unsaid)
            if same_matter and (part.negative or by_figure):
                return holder, part
    return None


def _holds(ours: Part, part: Part) -> bool:
    """Whether the clause says it, and of somebody else."""
    if part.subject >= ours.subject or ours.subject >= part.subject:
        return False
    return len(ours.predicate & part.predicate) >= _SHARE * len(ours.predicate)
