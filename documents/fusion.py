"""Reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009)."""

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)


def reciprocal_rank_fusion(
    rankings: Mapping[str, Sequence[Item]], *, k: int = 60, weights: Mapping[str, float]
) -> list[tuple[Item, float]]:
    """Return items by Σ weight / (k + rank) over the rankings, best first.

    Ties keep first order.
    """
    scores: dict[Item, float] = {}
    for name, ranking in rankings.items():
        for rank, item in enumerate(ranking, start=1):
            scores[item] = scores.get(item, 0.0) + weights.get(name, 1.0) / (k + rank)
    return sorted(scores.items(), key=lambda scored_item: -scored_item[1])


def at_most_each(
    ranked: Sequence[tuple[Item, float]], group: Mapping[Item, Hashable], *, most: int | None
) -> list[tuple[Item, float]]:
    """Return the ranking with at most `most` items of each group (None: all)."""
    if most is None:
        return list(ranked)
    count_by_group: dict[Hashable, int] = {}
    retained = []
    for item, score in ranked:
        count_by_group[group[item]] = count_by_group.get(group[item], 0) + 1
        if count_by_group[group[item]] <= most:
            retained.append((item, score))
    return retained
