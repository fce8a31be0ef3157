"""Groups texts of similar length into batches for a model."""

from collections.abc import Sequence


def batches(lengths: Sequence[int], *, budget: int) -> list[list[int]]:
    """Return positions in `lengths`, grouped so that texts of similar length are together.

    A batch is padded to its longest text; rows times that length stays within `budget` tokens,
    unless one text alone is longer. Each position appears once; shortest texts come first.
    """
    groups: list[list[int]] = []
    for position in sorted(range(len(lengths)), key=lengths.__getitem__):
        # Sorted, so the newcomer is the longest of its batch.
        if groups and (len(groups[-1]) + 1) * lengths[position] <= budget:
            groups[-1].append(position)
        else:
            groups.append([position])
    return groups
