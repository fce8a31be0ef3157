"""The time at which a review is due, by the business hours of its application."""

from collections.abc import Sequence
from datetime import date, datetime, time
from typing import Protocol

from django.utils import timezone

from analysis.desk_hours import Calendar, due
from analysis.models import ReviewReason


class DeskHours(Protocol):
    """The desk hours of an application; a claimed check carries the same fields."""

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
