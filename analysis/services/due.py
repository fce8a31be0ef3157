"""The time at which a review is due, by the business hours of its application."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Protocol
from zoneinfo import ZoneInfo

from django.utils import timezone

from analysis.models import ReviewReason

# Business hours: computes when a review is due.

DAYS_AHEAD = 3_660
"""Days within which a due time is searched for; nothing sensible is due later."""


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
            opens, closes = (
                datetime.combine(day, at, zone).astimezone(UTC)
                for at in (calendar.opens, calendar.closes)
            )
            if closes > start:
                yield opens, closes


class DeskHours(Protocol):
    """The desk hours of an application, which are also read with a claimed check."""

    desk_time_zone: str
    desk_days: str
    desk_opens_at: time
    desk_closes_at: time
    due_hours_block: int
    due_hours_failed: int
    due_hours_warn: int
    due_hours_sample: int

    @property
    def desk_holidays(self) -> Sequence[date]:
        """The days on which the desk is closed."""


_FIELDS = {
    ReviewReason.BLOCK: "due_hours_block",
    ReviewReason.WARN: "due_hours_warn",
    ReviewReason.FAILED: "due_hours_failed",
    ReviewReason.NOT_CHECKED: "due_hours_failed",
    ReviewReason.QUALITY_SAMPLE: "due_hours_sample",
}


def due_at(
    desk: DeskHours, reason: str, *, since: datetime | None = None, hours: int | None = None
) -> datetime:
    """Return when a review that arrived `since` (default: now) is due (UTC).

    `hours` takes the place of the application's for that reason; a held answer brings its own.
    """
    calendar = Calendar(
        desk.desk_time_zone,
        desk.desk_days,
        desk.desk_opens_at,
        desk.desk_closes_at,
        frozenset(desk.desk_holidays),
    )
    if hours is None:
        hours = int(getattr(desk, _FIELDS[ReviewReason(reason)]))
    return due(since or timezone.now(), hours, calendar)
