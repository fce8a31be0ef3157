"""Periods of whole buckets."""

from datetime import UTC, datetime, timedelta

import pytest

from analysis.trends.metrics import Grain
from desk.dashboard.selectors.trends import BucketRange, PeriodError

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)


def test_a_period_is_widened_to_whole_buckets() -> None:
    day = BucketRange.around(Grain.DAY, NOON, NOON + timedelta(days=1))
    assert (day.start, day.end) == (NOON.replace(hour=0), NOON.replace(day=6, hour=0))
    hour = BucketRange.around(Grain.HOUR, NOON + timedelta(minutes=5), NOON + timedelta(hours=2))
    assert (hour.start, hour.end) == (NOON, NOON + timedelta(hours=2))


def test_whole_days_stay_as_they_are() -> None:
    midnight = NOON.replace(hour=0)
    period = BucketRange.around(Grain.DAY, midnight, midnight + timedelta(days=400))
    assert (period.start, period.end) == (midnight, midnight + timedelta(days=400))


@pytest.mark.parametrize(
    ("grain", "length"),
    [(Grain.DAY, timedelta(0)), (Grain.DAY, -timedelta(1)), (Grain.DAY, timedelta(401)),
     (Grain.HOUR, timedelta(days=14, seconds=1))],
)  # fmt: skip
def test_a_period_that_is_empty_or_too_long(grain, length) -> None:
    midnight = NOON.replace(hour=0)
    with pytest.raises(PeriodError):
        BucketRange.around(grain, midnight, midnight + length)
