"""Quotas of applications: checks per day and month, and claims per month.

Use is counted in PostgreSQL, for applications with a quota: checks when submitted, claims when
their check is done (`finish_check.sql`). Simultaneous submissions may together exceed a quota;
nothing that was accepted is refused later.
"""

import secrets
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
    """The checks that may be submitted, and claims that may be checked; None: no limit."""

    per_day: int | None
    per_month: int | None
    claims_per_month: int | None = None


class QuotaExceeded(Exception):
    """Raised if a quota would be exceeded: `name` of `limit`, free again at `resets_at`."""

    def __init__(self, name: str, limit: int, usage: int, resets_at: datetime) -> None:
        super().__init__(
            f"The quota {name} of this application is {limit}, of which {usage} are used. "
            f"It resets at {resets_at:%Y-%m-%dT%H:%M:%SZ}."
        )
        self.name = name
        self.limit = limit
        self.resets_at = resets_at


def require_quota(application_id: UUID, quotas: Quotas, checks: int, now: datetime) -> None:
    """Raise QuotaExceeded if `checks` more would exceed a quota."""
    today = now.astimezone(UTC).date()
    month, tomorrow = today.replace(day=1), _midnight(today + timedelta(days=1))
    next_month = _midnight((month + timedelta(days=32)).replace(day=1))
    for name, limit, column, first, more, resets_at in (
        ("checks_per_day", quotas.per_day, "checks", today, checks, tomorrow),
        ("checks_per_month", quotas.per_month, "checks", month, checks, next_month),
        ("claims_per_month", quotas.claims_per_month, "claims", month, 1, next_month),
    ):
        if limit is None:
            continue
        usage = used_since(application_id, first, column)
        if usage + more > limit:
            raise QuotaExceeded(name, limit, usage, resets_at)


def note_use(application_id: UUID, quotas: Quotas, checks: int, now: datetime) -> None:
    """Count accepted checks, if there is a quota."""
    if checks and (quotas.per_day is not None or quotas.per_month is not None):
        day, slot = now.astimezone(UTC).date(), secrets.randbelow(QuotaUse.SLOTS)
        with connection.cursor() as cursor:
            cursor.execute(_NOTE, [application_id, day, slot, checks])


def used_since(application_id: UUID, first: date, column: str) -> int:
    """Return the `checks` or `claims` counted on this day and later."""
    rows = QuotaUse.objects.filter(application=application_id, day__gte=first)
    return rows.aggregate(total=Sum(column))["total"] or 0


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
