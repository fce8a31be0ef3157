"""The opening hours of a claim compared with a week."""

import pytest

from analysis.engine.rules.opening_hours import Opening, compare_hours, read_week
from lib.text.tokens import tokenize
from tests.tables import tables

TABLES = tables(__file__)
WEEK = read_week(
    {
        **dict.fromkeys(("tuesday", "wednesday", "thursday"), "8:00 am to 2:00 pm"),
        "friday": "8:00 am to 10:00 pm",
        "saturday": "12:00 pm to 1:30 am",
        "sunday": "12:00 am to 12:00 am",
    },
    0,
)


def _opening(claim: str) -> Opening | None:
    tokens = tokenize(claim)
    assert WEEK is not None
    return compare_hours(tokens, 0, len(tokens), WEEK)


@pytest.mark.parametrize(("claim", "conflict"), TABLES["hours that differ"])
def test_hours_that_differ_are_a_conflict(claim, conflict):
    opening = _opening(claim)
    assert opening
    assert opening.conflict == conflict


@pytest.mark.parametrize("claim", TABLES["hours that agree"])
def test_hours_that_agree_are_none(claim):
    opening = _opening(claim)
    assert opening
    assert not opening.conflict


@pytest.mark.parametrize("claim", TABLES["hours that are not read"])
def test_hours_that_are_not_read_settle_nothing(claim):
    assert _opening(claim) is None


def test_a_week_leaves_unnamed_days_closed_and_may_pass_midnight():
    assert WEEK is not None
    assert [day and (*day.opens, *day.shuts) for day in WEEK.days] == [
        None, (480, 840), (480, 840), (480, 840), (480, 1320), (720, 90), None
    ]  # fmt: skip


def test_a_day_of_24_hours_is_no_closed_one():
    week = read_week(dict.fromkeys(("monday", "friday", "sunday"), "24 hours"), 0)
    assert week is not None
    assert sum(day is not None for day in week.days) == 3


@pytest.mark.parametrize(
    "hours",
    [
        {"monday": "9:00 am to 5:00 pm"},
        dict.fromkeys(("monday", "friday", "sunday"), "closed"),
        dict.fromkeys(("monday", "friday", "holidays"), "9:00 am to 5:00 pm"),
    ],
)
def test_what_is_no_week_is_none(hours):
    assert read_week(hours, 0) is None
