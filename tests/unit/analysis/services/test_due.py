"""Business hours: nights, weekends, time zones and the days on which clocks are turned."""

from datetime import UTC, date, datetime, time
from types import SimpleNamespace
from typing import Any

import pytest

from analysis.services.due import due


def desk_of(
    zone: str = "UTC",
    days: str = "12345",
    opens: time = time(9),
    closes: time = time(17),
    holidays: frozenset[date] = frozenset(),
) -> Any:
    return SimpleNamespace(
        desk_time_zone=zone,
        desk_days=days,
        desk_opens_at=opens,
        desk_closes_at=closes,
        desk_holidays=holidays,
    )


UTC_DESK = desk_of()


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("start", "hours", "expected"),
    [
        ("2026-11-18 10:00", 4, "2026-11-18 14:00"),  # a Wednesday, within the day
        ("2026-11-18 15:00", 4, "2026-11-19 11:00"),  # over night
        ("2026-11-20 16:00", 4, "2026-11-23 12:00"),  # over the weekend
        ("2026-11-21 12:00", 1, "2026-11-23 10:00"),  # came on a Saturday
        ("2026-11-18 06:00", 8, "2026-11-18 17:00"),  # before the desk opens; a whole day
        ("2026-11-18 17:00", 1, "2026-11-19 10:00"),  # as it closes
        ("2026-11-18 09:00", 40, "2026-11-24 17:00"),  # a week of days
    ],
)
def test_hours_are_counted_while_the_desk_is_open(start, hours, expected) -> None:
    assert due(at(start), hours, UTC_DESK) == at(expected)


def test_the_desk_is_open_by_its_own_clock() -> None:
    chennai = desk_of(zone="Asia/Kolkata")  # 09:00 there is 03:30 UTC
    assert due(at("2026-11-18 00:00"), 1, chennai) == at("2026-11-18 04:30")


def test_an_hour_that_the_clocks_skip_is_not_counted() -> None:
    night = desk_of(zone="Europe/Berlin", days="7", opens=time(0), closes=time(6))
    # 29 March 2026: 02:00 becomes 03:00, so that the desk is open for five hours.
    assert due(at("2026-03-28 23:00"), 5, night) == at("2026-03-29 04:00")
    # 25 October 2026: 03:00 becomes 02:00 again; seven hours.
    assert due(at("2026-10-24 22:00"), 7, night) == at("2026-10-25 05:00")


def test_the_opened_desk_never_moves_a_due_time_back() -> None:
    earlier = due(at("2026-11-18 10:00"), 16, UTC_DESK)
    assert earlier < due(at("2026-11-18 11:00"), 16, UTC_DESK)


def test_a_desk_that_never_opens_is_an_error() -> None:
    with pytest.raises(ValueError, match="no 1 open hours"):
        due(at("2026-11-18 10:00"), 1, desk_of(days=""))


def test_no_hour_passes_on_a_holiday() -> None:
    holidays = frozenset({date(2026, 12, 25), date(2026, 12, 28), date(2026, 12, 26)})
    desk = desk_of(holidays=holidays)  # Friday, Monday, and a Saturday that is closed anyway
    assert due(at("2026-12-24 16:00"), 4, desk) == at("2026-12-29 12:00")
    assert due(at("2026-12-25 10:00"), 1, desk) == at("2026-12-29 10:00")
    assert due(at("2026-12-24 12:00"), 4, desk) == at("2026-12-24 16:00")


def test_a_holiday_is_a_day_of_the_desks_own_time_zone() -> None:
    desk = desk_of("Pacific/Auckland", holidays=frozenset({date(2026, 2, 6)}))  # a Friday, UTC+13
    # 9:00 on Monday the 9th there is 20:00 on Sunday the 8th in UTC.
    assert due(at("2026-02-05 21:00"), 1, desk) == at("2026-02-08 21:00")
