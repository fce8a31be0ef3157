"""Business hours: computes when a review is due."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

DAYS_AHEAD = 3_660
"""How far a due time is looked for; nothing sensible is due later."""


@dataclass(frozen=True, slots=True)
class Calendar:
    """The opening hours of a desk.

    `days` are ISO weekdays ("12345"), the times are local to `zone`. On `holidays`, also in `zone`,
    the desk is closed.
    """

    zone: str = "UTC"
    days: str = "12345"
    opens: time = time(9)
    closes: time = time(17)
    holidays: frozenset[date] = frozenset()


def due(start: datetime, hours: float, calendar: Calendar) -> datetime:
    """Return the moment (UTC) when `hours` of open time have passed since `start` (aware).

    Hours are elapsed hours: when the clocks change inside the open hours, that day is an hour
    shorter or longer. Raises ValueError if the desk never opens.
    """
    remaining = timedelta(hours=hours)
    for begins, ends in _open_spans(start, calendar):
        begins = max(begins, start)
        if ends - begins >= remaining:
            return begins + remaining
        remaining -= max(ends - begins, timedelta())
    raise ValueError(f"no {hours} open hours within {DAYS_AHEAD} days of {start}")


def _open_spans(start: datetime, calendar: Calendar) -> Iterator[tuple[datetime, datetime]]:
    """Yield the open periods (UTC) from the day of `start` on."""
    zone = ZoneInfo(calendar.zone)
    first = start.astimezone(zone).date()
    for offset in range(DAYS_AHEAD):
        day = first + timedelta(days=offset)
        if str(day.isoweekday()) in calendar.days and day not in calendar.holidays:
            opens, closes = (_utc(day, at, zone) for at in (calendar.opens, calendar.closes))
            if closes > start:
                yield opens, closes


def _utc(day: date, at: time, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, at, zone).astimezone(UTC)
