"""Closes past days of the desk: their decisions are counted once and stored.

A decision can be undone for a minute, and its follow-up is opened at the same moment; so a day no
longer changes once the next one is over (docs/decisions/0610-trends-are-counted-from-an-outbox.md).
"""

from datetime import UTC, date, datetime, time, timedelta

from django.db import DEFAULT_DB_ALIAS, connection, transaction
from django.db.models import Min

from accounts.models import Application
from analysis.models import DecidedDay, DecidedReach, Review
from analysis.trends.metrics import Grain
from desk.reviews.selectors.decision_counts import rows_by_application

_LOCK = 0x6465636964
"""The advisory lock held while days are closed, until the transaction ends ("decid")."""


@transaction.atomic
def close_days(now: datetime) -> int:
    """Count the uncounted days before yesterday (UTC); return how many there were."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
    last = now.astimezone(UTC).date() - timedelta(days=2)
    first = _first(last)
    if first is None or first > last:
        return 0
    DecidedDay.objects.bulk_create(_count_days(first, last), batch_size=5_000)
    DecidedReach.objects.update_or_create(pk=1, defaults={"day": last})
    return (last - first).days + 1


def _first(last: date) -> date | None:
    """Return the first uncounted day, or None if nothing has been decided."""
    reach = DecidedReach.objects.filter(pk=1).first()
    if reach is not None:
        return reach.day + timedelta(days=1)
    earliest = Review.objects.filter(decision__isnull=False).aggregate(first=Min("decided_at"))
    return min(earliest["first"].astimezone(UTC).date(), last) if earliest["first"] else None


def _count_days(first: date, last: date) -> list[DecidedDay]:
    rows = rows_by_application(
        DEFAULT_DB_ALIAS,
        Application.objects.values_list("pk", flat=True),
        start=datetime.combine(first, time.min, UTC),
        end=datetime.combine(last + timedelta(days=1), time.min, UTC),
        grain=Grain.DAY,
    )
    return [
        DecidedDay(
            application_id=application, day=at.astimezone(UTC).date(), reason=reason,
            decision=decision, decided=count, followed=followed, sample_count=sample_count,
        )
        for application, at, reason, decision, count, followed, sample_count in rows
    ]  # fmt: skip
