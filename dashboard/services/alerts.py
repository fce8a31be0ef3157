"""What the trends tell people outside of: written into the outbox with its cause."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from analysis.trends.metrics import ANY, BY_NAME, Grain, bucket_of
from dashboard.selectors.trends import Asked, Period, trend
from dashboard.trends.unusual import Change, Counted, unusual
from notifications.models import Kind
from notifications.services import notify, wants

RECENT_HOURS = (6, 24)
BEFORE_HOURS = 7 * 24
_REJECTIONS = BY_NAME["rejections"]


def tell_unusual_rejections(*, now: datetime | None = None) -> int:
    """Tell of unusual changes of the rejection rate; of how many applications.

    At most one for each application, direction and day (UTC).
    """
    moment = now or timezone.now()
    found = 0
    for application_id in wants(Kind.REJECTIONS_UNUSUAL):
        told = unusual_rejections(application_id, now=moment)
        if told is None:
            continue
        way = "rose" if told["recent"]["share"] > told["before"]["share"] else "fell"
        notify(
            Kind.REJECTIONS_UNUSUAL,
            application_id=application_id,
            key=f"{Kind.REJECTIONS_UNUSUAL}:{way}:{moment:%Y-%m-%d}",
            data=told,
        )
        found += 1
    return found


def unusual_rejections(application_id: UUID, *, now: datetime) -> dict[str, Any] | None:
    """What is unusual about the last hours of an application, by the shortest stretch that is.

    Hours are whole ones; the last is the one before `now`, whose checks have had time to end.
    """
    until = bucket_of(now, Grain.HOUR)
    hours = _by_hour(application_id, until=until, hours=max(RECENT_HOURS) + BEFORE_HOURS)
    for length in RECENT_HOURS:
        recent, *earlier = _stretches(hours[: length + BEFORE_HOURS], length)
        if change := unusual(recent, earlier):
            return _told(change, length, until)
    return None


def _by_hour(application_id: UUID, *, until: datetime, hours: int) -> list[Counted]:
    """The counts of each hour, the latest first."""
    period = Period(Grain.HOUR, until - timedelta(hours=hours), until)
    read = trend(Asked((application_id,), period), _REJECTIONS)
    found: dict[datetime, Counted] = {}
    for series in read.series:
        readings = read.read_all(_REJECTIONS, series.vectors)
        for at, reading in zip(series.buckets, readings, strict=True):
            found[at] = Counted(reading.counts.get(ANY, 0), reading.of)
    nothing = Counted(0, 0)
    return [found.get(until - timedelta(hours=ago), nothing) for ago in range(1, hours + 1)]


def _stretches(hours: Sequence[Counted], length: int) -> list[Counted]:
    parts = (hours[at : at + length] for at in range(0, len(hours), length))
    return [Counted(sum(h.rejected for h in part), sum(h.of for h in part)) for part in parts]


def _told(change: Change, hours: int, until: datetime) -> dict[str, Any]:
    return {
        "recent": {**_counts(change.recent), "hours": hours, "until": until.isoformat()},
        "before": {**_counts(change.before), "hours": BEFORE_HOURS},
        "z": round(change.z, 2),
        "dispersion": round(change.dispersion, 2),
        "url": f"{settings.PUBLIC_URL}{reverse('admin:analysis_check_changelist')}",
    }


def _counts(counted: Counted) -> dict[str, Any]:
    return {
        "rejected": counted.rejected,
        "of": counted.of,
        "share": round(counted.share, 4),
    }
