"""The filter bar's periods and parts."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.trends.metrics import Dimension, Grain
from desk.reviews.figures.dashboard_filter import DashboardFilter, DimensionValue, hour, moment

DAYS = st.dates(date(2001, 1, 1), date(2100, 1, 1))


@given(DAYS, st.integers(1, 366))
def test_bins_follow_one_another_and_fill_the_period(first, days) -> None:
    filters = DashboardFilter(first, first + timedelta(days=days - 1))
    spans = [item.span for item in filters.bins()]
    assert spans[0].start == filters.span.start
    assert spans[-1].end == filters.span.end
    assert [span.end for span in spans[:-1]] == [span.start for span in spans[1:]]
    assert len(spans) <= 92


@given(DAYS, st.integers(1, 366))
def test_the_period_before_is_as_long_and_ends_where_this_one_begins(first, days) -> None:
    filters = DashboardFilter(first, first + timedelta(days=days - 1))
    assert filters.before.days == filters.days == days
    assert filters.before.span.end == filters.span.start


@pytest.mark.parametrize(
    ("days", "grain", "step"),
    [
        (1, Grain.HOUR, timedelta(hours=1)),
        (2, Grain.HOUR, timedelta(hours=1)),
        (3, Grain.DAY, timedelta(days=1)),
        (92, Grain.DAY, timedelta(days=1)),
        (93, Grain.DAY, timedelta(days=7)),
    ],
)
def test_longer_periods_have_longer_steps(days, grain, step) -> None:
    filters = DashboardFilter(date(2026, 1, 1), date(2026, 1, 1) + timedelta(days=days - 1))
    assert (filters.grain, filters.step) == (grain, step)


@given(st.datetimes(datetime(2001, 1, 1), datetime(2100, 1, 1)))
def test_hours_are_read_as_they_are_written(at) -> None:
    full_hour = at.replace(minute=0, second=0, microsecond=0, tzinfo=UTC)
    assert moment(hour(full_hour)) == full_hour


@pytest.mark.parametrize("text", ["", "2026", "2026-13-01", "2026-01-01T99", "'; DROP"])
def test_what_is_no_moment_is_none(text) -> None:
    assert moment(text) is None


@given(st.sampled_from([item for item in Dimension if item is not Dimension.ALL]), st.text())
def test_a_part_is_read_as_it_is_written(dimension, value) -> None:
    part = DimensionValue(dimension, value)
    assert DimensionValue.of(part.encoded) == part


@pytest.mark.parametrize("encoded", ["", "collection", "all:", "colour:red"])
def test_what_names_no_dimension_is_no_part(encoded) -> None:
    assert DimensionValue.of(encoded) is None
