"""Percentiles, and the prose they are measured on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.stats.bootstrap import percentile
from tools.evaluation.bench.engine import latency, prose


def test_nearest_rank() -> None:
    values = [float(n) for n in range(1, 101)]
    assert percentile(values, 50) == 50
    assert percentile(values, 95) == 95
    assert percentile([7.0], 95) == 7


def test_latency_counts_by_wall_time() -> None:
    figures = latency([3.0, 1.0, 2.0], seconds=1.5)
    assert (figures.p50, figures.p95, figures.per_second, figures.count) == (2.0, 3.0, 2.0, 3)


def test_nothing_timed_is_an_error() -> None:
    with pytest.raises(ValueError, match="nothing"):
        latency([], seconds=1)


@given(st.lists(st.floats(0, 1e6), min_size=1), st.integers(1, 100))
def test_a_percentile_is_one_of_the_values(values: list[float], percent: int) -> None:
    assert percentile(sorted(values), percent) in values


@pytest.mark.parametrize("words", [50, 200, 500])
def test_prose_has_the_length_asked_for(words: int) -> None:
    text = prose(words)
    assert abs(len(text.split()) - words) <= words * 0.05
    sentences = text.replace("Dr. ", "Dr ").split(". ")
    assert len(set(sentences)) == len(sentences)
