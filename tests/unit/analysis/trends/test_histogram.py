"""Percentiles from buckets: near the exact ones, and the same however the parts are added up."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.trends import histogram

TIMES = st.lists(st.floats(1, 999_999), min_size=1, max_size=60)


def counted(times: list[float]) -> list[int]:
    counts = [0] * len(histogram.KEYS)
    for time in times:
        counts[histogram.bucket(time)] += 1
    return counts


def percentile_of(counts: list[int], percent: float) -> float | None:
    ((percentile,),) = histogram.percentiles([counts], [percent])
    return percentile


@pytest.mark.parametrize(
    ("milliseconds", "key"),
    [(-3, "0"), (0, "0"), (0.99, "0"), (1, "1"), (1.24, "1"), (1.25, "1.25"), (79.9, "63"),
     (80, "80"), (99_999, "80000"), (1_000_000, "1000000"), (9e9, "1000000")],
)  # fmt: skip
def test_the_bucket_of_a_time(milliseconds, key) -> None:
    assert histogram.KEYS[histogram.bucket(milliseconds)] == key


def test_bounds_grow_by_about_a_quarter() -> None:
    pairs = zip(histogram.BOUNDS, histogram.BOUNDS[1:], strict=False)
    assert all(1.24 < high / low < 1.29 for low, high in pairs)
    assert len(set(histogram.KEYS)) == len(histogram.KEYS) == len(histogram.BOUNDS) + 1


@given(TIMES, st.sampled_from(histogram.PERCENTILES))
def test_a_percentile_lies_in_the_bucket_of_the_exact_one(times, percent) -> None:
    exact = sorted(times)[max(1, math.ceil(percent / 100 * len(times))) - 1]
    percentile = percentile_of(counted(times), percent)
    assert percentile is not None
    at = histogram.bucket(exact)
    assert histogram.BOUNDS[at - 1] - 0.01 <= percentile <= histogram.BOUNDS[at] + 0.01


@given(TIMES, TIMES)
def test_histograms_add_up(first, second) -> None:
    both = [a + b for a, b in zip(counted(first), counted(second), strict=True)]
    assert both == counted(first + second)


def test_nothing_has_no_percentile() -> None:
    assert percentile_of([0] * len(histogram.KEYS), 50) is None


def test_the_open_last_bucket_tells_its_lower_bound() -> None:
    assert percentile_of(counted([5e6, 6e6]), 99) == 1_000_000
