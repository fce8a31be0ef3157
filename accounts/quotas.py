"""Quotas of applications: how many checks a day and a month, and how much of files is stored.

What is used is counted in PostgreSQL, for applications with a quota. What is submitted at one
moment may exceed a quota by as much as comes at once; nothing that was accepted is refused later.
"""

import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from uuid import UUID

from django.db import connection
from django.db.models import Sum

from accounts.models import QuotaUse

_NOTE = """
INSERT INTO accounts_quotause (application_id, day, slot, checks) VALUES (%s, %s, %s, %s)
ON CONFLICT (application_id, day, slot) DO UPDATE
SET checks = accounts_quotause.checks + excluded.checks
"""


@dataclass(frozen=True, slots=True)
class Quotas:
    """Checks that may be submitted; None: no limit."""

    per_day: int | None
    per_month: int | None


class QuotaExceeded(Exception):
    """A quota would be exceeded: `name` of `limit`, free again at `resets_at`."""

    def __init__(self, name: str, limit: int, used: int, resets_at: datetime) -> None:
        super().__init__(
            f"The quota {name} of this application is {limit}, and {used} are used. "
            f"It is reset at {resets_at:%Y-%m-%dT%H:%M:%SZ}."
        )
        self.name = name
        self.limit = limit
        self.resets_at = resets_at


def require_quota(application_id: UUID, quotas: Quotas, checks: int, now: datetime) -> None:
    """Raise QuotaExceeded where so many checks more would be too many."""
    for name, limit, first, resets_at in _windows(quotas, now.astimezone(UTC).date()):
        used = used_since(application_id, first)
        if used + checks > limit:
            raise QuotaExceeded(name, limit, used, resets_at)


def note_use(application_id: UUID, quotas: Quotas, checks: int, now: datetime) -> None:
    """Count checks that were accepted, where there is a quota."""
    if checks and (quotas.per_day is not None or quotas.per_month is not None):
        day, slot = now.astimezone(UTC).date(), secrets.randbelow(QuotaUse.SLOTS)
        with connection.cursor() as cursor:
            cursor.execute(_NOTE, [application_id, day, slot, checks])


def used_since(application_id: UUID, first: date) -> int:
    """Checks counted on this day and later."""
    rows = QuotaUse.objects.filter(application=application_id, day__gte=first)
    return rows.aggregate(total=Sum("checks"))["total"] or 0


def _windows(quotas: Quotas, today: date) -> Iterator[tuple[str, int, date, datetime]]:
    if quotas.per_day is not None:
        yield "checks_per_day", quotas.per_day, today, _midnight(today + timedelta(days=1))
    if quotas.per_month is not None:
        first = today.replace(day=1)
        following = (first + timedelta(days=32)).replace(day=1)
        yield "checks_per_month", quotas.per_month, first, _midnight(following)


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
