"""The test for drift: what it finds, what it leaves alone, and how often it is wrong."""

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from desk.dashboard.trends.drift import (
    BEFORE_DAYS,
    LEVEL,
    Comparison,
    DayCounts,
    compare,
    drift_tests,
)
from tools.evaluation.drift import DAYS, noticed, streams


def comparison(days: DayCounts, *, is_ordered: bool = False) -> Comparison:
    keys = tuple(f"k{at}" for at in range(days.shape[1]))
    return Comparison("language", "all", "", keys, days, is_ordered)


def two_periods(before: list[int], recent: list[int]) -> DayCounts:
    """The same counts on each day of a period."""
    return np.array([before] * BEFORE_DAYS + [recent] * (DAYS - BEFORE_DAYS))


def test_a_mix_that_moved() -> None:
    days = two_periods([90, 10, 0], [70, 10, 20])
    (test,) = drift_tests([comparison(days)])
    assert (test.is_drift, test.distance, test.dispersion) == (True, 0.2, 1.0)
    assert [(c.key, c.before, c.recent) for c in test.changes] == [
        ("k0", 0.9, 0.7), ("k2", 0.0, 0.2),
    ]  # fmt: skip
    expected = chi2_contingency([[490, 70, 140], [2520, 280, 0]], correction=False)
    assert test.statistic == pytest.approx(expected.statistic, abs=0.001)
    assert test.p == pytest.approx(expected.pvalue)


def test_a_change_of_no_importance_is_none() -> None:
    days = two_periods([90_000, 10_000], [89_000, 11_000])
    (test,) = drift_tests([comparison(days)])
    assert test.adjusted_p < LEVEL
    assert not test.is_drift


@pytest.mark.parametrize(
    "days",
    [
        two_periods([20, 2], [2, 12]),  # 98 checks in the week
        two_periods([9, 5], [20, 80]),  # 392 before
        two_periods([100, 0], [100, 0]),  # there is one category
    ],
)
def test_too_little_to_compare(days) -> None:
    assert compare(comparison(days)) is None


def test_a_week_before_which_nothing_was_is_not_compared() -> None:
    days = two_periods([300, 300], [300, 300])
    days[: BEFORE_DAYS - 2] = 0
    assert compare(comparison(days)) is None


def test_rare_categories_are_put_together_or_join_the_next_step() -> None:
    nominal = compare(comparison(two_periods([96, 1, 1, 1, 1], [96, 1, 1, 1, 1])))
    assert nominal is not None
    days = np.zeros((DAYS, 6), dtype=np.int64)
    days[:, 2:4] = 50
    days[3, [0, 5]] = 1
    scale = compare(comparison(days, is_ordered=True))
    assert scale.p > 0.9


def test_few_reviews_are_compared_exactly() -> None:
    days = np.zeros((DAYS, 2), dtype=np.int64)
    days[:BEFORE_DAYS] = 0, 4
    days[BEFORE_DAYS:] = 1, 3
    test = compare(Comparison("overturned_flagged", "all", "", ("o", "c"), days, least=(20, 60)))
    assert test.test == "Fisher"
    assert test.p < LEVEL


def test_days_that_differ_anyway_ask_for_more() -> None:
    chance = np.random.default_rng(1)
    calm = two_periods([60, 40], [50, 50])
    wild = np.array([[n, 100 - n] for n in chance.integers(35, 85, DAYS)])
    wild[BEFORE_DAYS:] = 50, 50
    assert compare(comparison(calm)).p < compare(comparison(wild)).p


def test_weekdays_that_differ_do_not_count() -> None:
    days = np.array([[90, 10] if day % 7 < 5 else [10, 90] for day in range(DAYS)])
    test = compare(comparison(days))
    assert (test.dispersion, test.p) == (1.0, 1.0)


@pytest.mark.parametrize("restless", [False, True])
def test_what_did_not_change_is_seldom_told(restless) -> None:
    """One look at each of 150 applications: with 0.1 % false alarms two are too many."""
    chance = np.random.default_rng([5, restless])
    wrong = 0
    for _ in range(150):
        every = streams(chance, 300, restless=restless, days=DAYS)
        tests = drift_tests([stream.comparison(DAYS) for stream in every])
        wrong += any(test.is_drift for test in tests)
    assert wrong <= 1


def test_what_changed_is_told_within_a_week() -> None:
    chance = np.random.default_rng(7)
    assert all(noticed(chance, 500, 0.2, restless=False) for _ in range(5))
