"""The time at which a review is due, by the business hours of its application."""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Protocol
from zoneinfo import ZoneInfo

from django.utils import timezone

from analysis.models import ReviewReason

DAYS_AHEAD = 3_660
"""Days within which a due time is searched for; nothing sensible is due later."""
_FIELDS = {
    ReviewReason.BLOCK: "due_hours_block",
    ReviewReason.WARN: "due_hours_warn",
    ReviewReason.FAILED: "due_hours_failed",
    ReviewReason.NOT_CHECKED: "due_hours_failed",
    ReviewReason.QUALITY_SAMPLE: "due_hours_sample",
}
"""The field of an application with the hours of each reason."""


class DeskHours(Protocol):
    """The desk hours of an application, which are also read with a claimed check.

    `desk_days` are ISO weekdays ("12345"), the times are local to `desk_time_zone`. On holidays,
    also of that zone, the desk is closed.
    """

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


def due(start: datetime, hours: float, desk: DeskHours) -> datetime:
    """Return the moment (UTC) when `hours` of open time have passed since `start` (aware).

    Hours are elapsed hours: when the clocks change inside the open hours, that day is an hour
    shorter or longer. Raises ValueError if the desk never opens.
    """
    remaining = timedelta(hours=hours)
    for begins, ends in _open_spans(start, desk):
        begins = max(begins, start)
        if ends - begins >= remaining:
            return begins + remaining
        remaining -= max(ends - begins, timedelta())
    raise ValueError(f"no {hours} open hours within {DAYS_AHEAD} days of {start}")


def _open_spans(start: datetime, desk: DeskHours) -> Iterator[tuple[datetime, datetime]]:
    """Yield the open periods (UTC) from the day of `start` on."""
    zone, holidays = ZoneInfo(desk.desk_time_zone), frozenset(desk.desk_holidays)
    first = start.astimezone(zone).date()
    for offset in range(DAYS_AHEAD):
        day = first + timedelta(days=offset)
        if str(day.isoweekday()) in desk.desk_days and day not in holidays:
            opens, closes = (
                datetime.combine(day, at, zone).astimezone(UTC)
                for at in (desk.desk_opens_at, desk.desk_closes_at)
            )
            if closes > start:
                yield opens, closes


def due_at(
    desk: DeskHours, reason: str, *, since: datetime | None = None, hours: int | None = None
) -> datetime:
    """Return when a review that arrived `since` (default: now) is due (UTC).

    `hours` takes the place of the application's for that reason; a held answer brings its own.
    """
    if hours is None:
        hours = int(getattr(desk, _FIELDS[ReviewReason(reason)]))
    return due(since or timezone.now(), hours, desk)
