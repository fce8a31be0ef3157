"""Intervals: the same seed gives the same, and rows of one source stand or fall together."""

import numpy as np
import pytest

from lib.stats.bootstrap import (
    NONE,
    auroc_interval,
    difference_interval,
    highest_rate,
    resample,
    sample_needed,
)

LABELS = [at % 2 == 0 for at in range(40)]
SCORES = [(at * 13 % 40) / 40 + (0.2 if at % 2 == 0 else 0) for at in range(40)]
ALONE = list(range(40))


def test_the_same_seed_gives_the_same_interval() -> None:
    interval = auroc_interval(LABELS, SCORES, ALONE, rounds=200, seed=7)
    assert interval == auroc_interval(LABELS, SCORES, ALONE, rounds=200, seed=7)
    assert interval != auroc_interval(LABELS, SCORES, ALONE, rounds=200, seed=8)
    assert interval.low is not None
    assert interval.low < interval.value < interval.high


def test_a_perfect_ranking_has_no_width() -> None:
    interval = auroc_interval([True, True, False, False], [0.9, 0.8, 0.2, 0.1], [1, 2, 3, 4])
    assert (interval.value, interval.low, interval.high) == (1.0, 1.0, 1.0)


def test_a_class_that_is_missing_gives_no_interval() -> None:
    assert auroc_interval([True, True], [0.1, 0.2], [1, 2]) == NONE
    assert auroc_interval([], [], []) == NONE


def test_whole_sources_are_drawn() -> None:
    sources = ["a", "a", "a", "b", "c", "c"]
    for weights in resample(sources, 50, seed=3):
        assert weights[0] == weights[1] == weights[2]
        assert weights[4] == weights[5]
        assert weights[0] + weights[3] + weights[4] == 3, "as many draws as sources"


def test_fewer_sources_make_a_wider_interval() -> None:
    # Pairs of equal rows are worth one row: the interval must not shrink by repeating rows.
    twice = [value for value in SCORES for _ in range(2)]
    labels = [value for value in LABELS for _ in range(2)]
    clustered = auroc_interval(labels, twice, [value for value in ALONE for _ in range(2)])
    alone = auroc_interval(labels, twice, list(range(80)))
    assert clustered.high - clustered.low > alone.high - alone.low


def test_a_row_drawn_twice_counts_twice() -> None:
    # By hand: drawing rows (0, 0, 1) of labels (yes, no) is three rows with weights 2 and 1.
    weights = next(iter(resample([0, 1], 1, seed=1)))
    assert weights.sum() == 2
    assert set(weights) <= {0.0, 1.0, 2.0}


def test_the_difference_is_paired() -> None:
    same = difference_interval(LABELS, SCORES, SCORES, ALONE, rounds=50)
    assert (same.value, same.low, same.high) == (0.0, 0.0, 0.0)
    best = [float(label) for label in LABELS]
    gap = difference_interval(LABELS, best, [0.5] * 40, ALONE, rounds=50)
    assert (gap.value, gap.low, gap.high) == (0.5, 0.5, 0.5)
    assert np.isfinite(gap.value)


def test_a_difference_needs_as_many_scores() -> None:
    with pytest.raises(ValueError, match="labels"):
        difference_interval(LABELS, SCORES, SCORES[:-1], ALONE)


@pytest.mark.parametrize(
    ("hits", "n", "bound"),
    # The bounds are those of SciPy: beta.ppf(0.95, hits + 1, n - hits).
    [(0, 149, 0.0199048), (2, 100, 0.0616192), (1, 3, 0.8646496), (3, 3, 1.0), (0, 0, 1.0)],
)
def test_the_exact_bound_of_a_rate(hits: int, n: int, bound: float) -> None:
    assert highest_rate(hits, n, 0.95) == pytest.approx(bound, abs=1e-6)


@pytest.mark.parametrize(
    ("hits", "needed"),
    [(0, 149), (1, 236), (2, 313)],  # 3 / 0.02 = 150 by the rule of three
)
def test_a_sample_is_just_large_enough(hits: int, needed: int) -> None:
    assert sample_needed(hits, 0.02, 0.95) == needed
    assert highest_rate(hits, needed, 0.95) <= 0.02 < highest_rate(hits, needed - 1, 0.95)
