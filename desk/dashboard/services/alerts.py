"""Alerts about the trends, written into the outbox."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from accounts.models import Application
from analysis.trends.metrics import ANY, BY_NAME, Grain, bucket_of
from audit.models import Event
from audit.services import append_named
from desk.dashboard.selectors.drift import DriftPeriod, drift, drift_alarms
from desk.dashboard.selectors.trends import BucketRange, TrendQuery, trend
from desk.dashboard.trends.drift import BEFORE_DAYS, DriftTest
from desk.dashboard.trends.unusual import RejectionCount, total, unusual
from notifications.models import EventKind
from notifications.services import notify, wants

RECENT_HOURS = (6, 24)
BEFORE_HOURS = 7 * 24
NOT_AGAIN = timedelta(days=BEFORE_DAYS)
_REJECTIONS = BY_NAME["rejections"]


def notify_unusual_rejections(*, now: datetime | None = None) -> int:
    """Notify about unusual changes of the rejection rate; return for how many applications.

    At most one for each application, direction and day (UTC).
    """
    moment = now or timezone.now()
    alerts = 0
    for application_id in wants(EventKind.REJECTIONS_UNUSUAL):
        change = unusual_rejections(application_id, now=moment)
        if change is None:
            continue
        way = "rose" if change["recent"]["share"] > change["before"]["share"] else "fell"
        notify(
            EventKind.REJECTIONS_UNUSUAL,
            application_id=application_id,
            key=f"{EventKind.REJECTIONS_UNUSUAL}:{way}:{moment:%Y-%m-%d}",
            data=change,
        )
        alerts += 1
    return alerts


def unusual_rejections(application_id: UUID, *, now: datetime) -> dict[str, Any] | None:
    """Return the data of an unusual recent change, by the shortest window that shows one, or None.

    Hours are whole ones; the last is the one before `now`, whose checks have had time to end.
    """
    until = bucket_of(now, Grain.HOUR)
    hours = _by_hour(application_id, until=until, hours=max(RECENT_HOURS) + BEFORE_HOURS)
    for length in RECENT_HOURS:
        window = hours[: length + BEFORE_HOURS]
        starts = range(0, len(window), length)
        recent, *earlier = (total(window[at : at + length]) for at in starts)
        if change := unusual(recent, earlier):
            return {
                "recent": {**_counts(change.recent), "hours": length, "until": until.isoformat()},
                "before": {**_counts(change.before), "hours": BEFORE_HOURS},
                "z": round(change.z, 2),
                "dispersion": round(change.dispersion, 2),
                "url": f"{settings.PUBLIC_URL}{reverse('admin:analysis_check_changelist')}",
            }
    return None


def notify_drift(*, now: datetime | None = None) -> int:
    """Enter new drift in the trail, and notify of it; return for how many applications.

    What the trail has told in the last NOT_AGAIN is not told again: a change that lasts stays
    within the compared weeks for that long.
    """
    moment = now or timezone.now()
    period = DriftPeriod.until(moment.astimezone(UTC).date())
    ids = list(Application.objects.values_list("pk", flat=True))
    earlier = {
        (entry.application_id, item["what"], item["dimension"], item["value"])
        for entry in drift_alarms(ids, since=moment - NOT_AGAIN)
        for item in entry.data["drifts"]
    }
    alerts = 0
    for application_id in ids:
        tests = drift([application_id], period).get(application_id, [])
        fresh = [t for t in tests if t.is_drift and (application_id, *t.name) not in earlier]
        if fresh:
            _tell_drift(application_id, period, fresh)
            alerts += 1
    return alerts


@transaction.atomic
def _tell_drift(application_id: UUID, period: DriftPeriod, tests: Sequence[DriftTest]) -> None:
    data = {
        "first": period.recent.isoformat(),
        "last": (period.end - timedelta(days=1)).isoformat(),
        "before_from": period.start.isoformat(),
        "drifts": [asdict(test) for test in tests],
    }
    append_named(
        Event.DRIFT_NOTICED,
        subject_type="application",
        subject_id=str(application_id),
        by="watchdog",
        application_id=application_id,
        **data,
    )
    page = f"{reverse('dashboard_drift')}?application={application_id}"
    notify(
        EventKind.DRIFT_NOTICED,
        application_id=application_id,
        key=f"{EventKind.DRIFT_NOTICED}:{period.end}",
        data={**data, "url": f"{settings.PUBLIC_URL}{page}"},
    )


def _by_hour(application_id: UUID, *, until: datetime, hours: int) -> list[RejectionCount]:
    """Return the counts of each hour, the latest first."""
    period = BucketRange(Grain.HOUR, until - timedelta(hours=hours), until)
    read = trend(TrendQuery((application_id,), period), _REJECTIONS)
    counts: dict[datetime, RejectionCount] = {}
    for series in read.series:
        readings = read.read_all(_REJECTIONS, series.vectors)
        for at, reading in zip(series.buckets, readings, strict=True):
            counts[at] = RejectionCount(reading.counts.get(ANY, 0), reading.of)
    nothing = RejectionCount(0, 0)
    return [counts.get(until - timedelta(hours=ago), nothing) for ago in range(1, hours + 1)]


def _counts(checks: RejectionCount) -> dict[str, Any]:
    return {"rejected": checks.rejected, "of": checks.of, "share": round(checks.share, 4)}
