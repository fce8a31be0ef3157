"""What changed at which time: policies put in force, our models, and new source models."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Any
from uuid import UUID

from django.db import connection

from analysis.models import Policy
from audit.models import Event, TrailEntry

MOST = 30
_EARLIER = timedelta(days=30)
_SWITCHES = """
SELECT application_id, signal, day, models, before
FROM (SELECT application_id, signal, day, models,
             lag(models) OVER (PARTITION BY application_id, signal ORDER BY day) AS before
      FROM (SELECT application_id, signal, day, array_agg(model::text) AS models
            FROM analysis_modeluse
            WHERE application_id = ANY(%(applications)s::uuid[])
              AND day >= %(earlier)s AND day < %(end)s
            GROUP BY 1, 2, 3) AS by_day) AS following
WHERE day >= %(start)s AND NOT models <@ before
"""
_FIRST_SEEN = """
SELECT application_id, value, min(bucket)
FROM analysis_trendcell
WHERE application_id = ANY(%(applications)s::uuid[]) AND dimension = 'source_model'
  AND grain = 'day' AND value <> ''
GROUP BY 1, 2
HAVING min(bucket) >= %(start)s AND min(bucket) < %(end)s
"""
_FIRST_DAYS = """
SELECT DISTINCT ON (application_id) application_id, bucket
FROM analysis_trendcell
WHERE application_id = ANY(%(applications)s::uuid[]) AND dimension = 'all' AND grain = 'day'
ORDER BY application_id, bucket
"""


@dataclass(frozen=True, slots=True)
class Change:
    """Something that may move the figures; `policy_id` of a policy that was put in force."""

    at: datetime
    application_id: UUID
    words: str
    policy_id: int | None = None


def changes(applications: Sequence[UUID], *, start: datetime, end: datetime) -> list[Change]:
    """All changes in [start, end), oldest first; the latest MOST of them."""
    found = [
        *_policies(applications, start, end),
        *_own_models(applications, start, end),
        *_source_models(applications, start, end),
    ]
    return sorted(found, key=lambda one: (one.at, one.words))[-MOST:]


def _policies(applications: Sequence[UUID], start: datetime, end: datetime) -> Iterator[Change]:
    versions = Policy.objects.filter(application__in=applications).values_list("pk", "version")
    known = {str(pk): version for pk, version in versions}
    entries = TrailEntry.objects.filter(
        subject_type="policy",
        subject_id__in=list(known),
        event=Event.POLICY_ACTIVATED,
        occurred_at__gte=start,
        occurred_at__lt=end,
    )
    for entry in entries:
        if entry.application_id is not None:
            words = f"policy version {known[entry.subject_id]} in force"
            yield Change(entry.occurred_at, entry.application_id, words, int(entry.subject_id))


def _own_models(applications: Sequence[UUID], start: datetime, end: datetime) -> Iterator[Change]:
    """The days on which a signal was made by a model that did not make it on the day before."""
    asked: dict[str, Any] = {
        "applications": [str(one) for one in applications],
        "earlier": (start - _EARLIER).date(),
        "start": start.date(),
        "end": end.date(),
    }
    with connection.cursor() as cursor:
        cursor.execute(_SWITCHES, asked)
        rows = cursor.fetchall()
    for application, signal, day, models, before in rows:
        new = ", ".join(sorted(set(models) - set(before)))
        yield Change(datetime.combine(day, time.min, UTC), application, f"{signal}: {new}")


def _source_models(
    applications: Sequence[UUID], start: datetime, end: datetime
) -> Iterator[Change]:
    """The first day of each model, but not the first day of the application."""
    asked: dict[str, Any] = {
        "applications": [str(one) for one in applications],
        "start": start,
        "end": end,
    }
    with connection.cursor() as cursor:
        cursor.execute(_FIRST_SEEN, asked)
        seen = cursor.fetchall()
        cursor.execute(_FIRST_DAYS, asked)
        first = dict(cursor.fetchall())
    for application, model, at in seen:
        if at > first[application]:
            yield Change(at, application, f"first answers by {model}")
