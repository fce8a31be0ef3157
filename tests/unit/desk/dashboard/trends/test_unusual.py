"""The rule for an unusual change of the rejection rate, in both directions."""

from math import isclose
from random import Random

import pytest

from desk.dashboard.trends.unusual import RejectionCount, dispersion, unusual

WEEK = [RejectionCount(100, 1_000)] * 7  # 10 % each day


@pytest.mark.parametrize(("rejected", "way"), [(200, 1), (150, 1), (50, -1), (0, -1)])
def test_a_rate_that_rose_or_fell(rejected, way) -> None:
    change = unusual(RejectionCount(rejected, 1_000), WEEK)
    assert change.z * way >= 4
    assert change.before == RejectionCount(700, 7_000)


@pytest.mark.parametrize("rejected", [80, 90, 100, 110, 120, 130])
def test_an_ordinary_day_says_nothing(rejected) -> None:
    assert unusual(RejectionCount(rejected, 1_000), WEEK) is None


def test_z_is_that_of_two_shares() -> None:
    change = unusual(RejectionCount(200, 1_000), WEEK)
    pooled = 900 / 8_000
    error = (pooled * (1 - pooled) * (1 / 1_000 + 1 / 7_000)) ** 0.5
    assert isclose(change.z, 0.1 / error)


@pytest.mark.parametrize(
    ("recent", "earlier"),
    [
        (RejectionCount(99, 99), WEEK),  # too few now
        (RejectionCount(50, 100), [RejectionCount(40, 499)]),  # too few before
        (RejectionCount(0, 0), WEEK),
        (RejectionCount(1_000, 1_000), []),
        (RejectionCount(0, 1_000), [RejectionCount(0, 7_000)]),  # nothing is ever rejected
        (RejectionCount(1_000, 1_000), [RejectionCount(7_000, 7_000)]),  # all is
        (
            RejectionCount(109_000, 1_000_000),
            [RejectionCount(700_000, 7_000_000)],
        ),  # certain, and small
    ],
)
def test_when_nothing_can_or_need_be_said(recent, earlier) -> None:
    assert unusual(recent, earlier) is None


def test_a_rate_that_always_goes_up_and_down_must_change_more() -> None:
    restless = [RejectionCount(rejected, 1_000) for rejected in (40, 160, 60, 140, 30, 170, 100)]
    assert dispersion(WEEK) == 1.0
    assert dispersion(restless) > 5
    assert unusual(RejectionCount(180, 1_000), WEEK)
    assert unusual(RejectionCount(180, 1_000), restless) is None
    assert unusual(RejectionCount(600, 1_000), restless)


def test_stretches_without_checks_do_not_count() -> None:
    assert dispersion([RejectionCount(0, 0), RejectionCount(10, 100)]) == 1.0
    assert unusual(RejectionCount(200, 1_000), [*WEEK, *[RejectionCount(0, 0)] * 3])


def test_chance_alone_is_silent() -> None:
    random, alarms = Random(7), 0
    for _ in range(400):
        days = [sum(random.random() < 0.1 for _ in range(200)) for _ in range(8)]
        recent, *earlier = [RejectionCount(rejected, 200) for rejected in days]
        alarms += unusual(recent, earlier) is not None
    assert alarms == 0
