"""Quotas of applications: checks per day and month, and claims per month.

Use is counted in PostgreSQL, for applications with a quota: checks when submitted, claims when
their check is done (`finish_check.sql`). Simultaneous submissions may together exceed a quota;
nothing that was accepted is refused later.
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
    for name, limit, first, resets_at in _windows(quotas, today):
        usage = used_since(application_id, first)
        if usage + checks > limit:
            raise QuotaExceeded(name, limit, usage, resets_at)
    if quotas.claims_per_month is not None:
        usage = claims_since(application_id, today.replace(day=1))
        if usage >= quotas.claims_per_month:
            limit, resets_at = quotas.claims_per_month, _next_month(today)
            raise QuotaExceeded("claims_per_month", limit, usage, resets_at)


def note_use(application_id: UUID, quotas: Quotas, checks: int, now: datetime) -> None:
    """Count accepted checks, if there is a quota."""
    if checks and (quotas.per_day is not None or quotas.per_month is not None):
        day, slot = now.astimezone(UTC).date(), secrets.randbelow(QuotaUse.SLOTS)
        with connection.cursor() as cursor:
            cursor.execute(_NOTE, [application_id, day, slot, checks])


def used_since(application_id: UUID, first: date) -> int:
    """Return the checks counted on this day and later."""
    return _sum(application_id, first, "checks")


def claims_since(application_id: UUID, first: date) -> int:
    """Return the claims counted on this day and later."""
    return _sum(application_id, first, "claims")


def _sum(application_id: UUID, first: date, column: str) -> int:
    rows = QuotaUse.objects.filter(application=application_id, day__gte=first)
    return rows.aggregate(total=Sum(column))["total"] or 0


def _windows(quotas: Quotas, today: date) -> Iterator[tuple[str, int, date, datetime]]:
    if quotas.per_day is not None:
        yield "checks_per_day", quotas.per_day, today, _midnight(today + timedelta(days=1))
    if quotas.per_month is not None:
        first = today.replace(day=1)
        yield "checks_per_month", quotas.per_month, first, _next_month(today)


def _next_month(today: date) -> datetime:
    return _midnight((today.replace(day=1) + timedelta(days=32)).replace(day=1))


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
