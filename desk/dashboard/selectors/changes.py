"""Changes that may move the figures: activated policies, our models, and new source models."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from uuid import UUID

from django.utils.translation import gettext as _

from analysis.models import Policy
from audit.models import Event, TrailEntry
from desk.dashboard.selectors.rows import fetch_rows

MOST = 30
_EARLIER = timedelta(days=30)
# First the models that were not used on the calendar day before, which are few and found without
# sorting; only for these the last day on which the signal was measured at all.
_SWITCHES = """
WITH newly AS MATERIALIZED (
    SELECT application_id, signal, day, model
    FROM analysis_modeluse AS uses
    WHERE application_id = ANY(%(applications)s::uuid[]) AND day >= %(start)s AND day < %(end)s
      AND NOT EXISTS (
        SELECT FROM analysis_modeluse AS before
        WHERE before.application_id = uses.application_id AND before.day = uses.day - 1
          AND before.signal = uses.signal AND before.model = uses.model)
)
SELECT application_id, signal, day, array_agg(model::text)
FROM newly CROSS JOIN LATERAL (
    SELECT max(earlier.day) AS last FROM analysis_modeluse AS earlier
    WHERE earlier.application_id = newly.application_id AND earlier.signal = newly.signal
      AND earlier.day < newly.day AND earlier.day >= %(earlier)s) AS made
WHERE last IS NOT NULL AND NOT EXISTS (
    SELECT FROM analysis_modeluse AS before
    WHERE before.application_id = newly.application_id AND before.day = last
      AND before.signal = newly.signal AND before.model = newly.model)
GROUP BY 1, 2, 3
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
    """A change that may move the figures; `policy_id` is set for an activated policy."""

    at: datetime
    application_id: UUID
    words: str
    policy_id: int | None = None


def changes(applications: Sequence[UUID], *, start: datetime, end: datetime) -> list[Change]:
    """Return the changes in [start, end), oldest first; only the latest MOST."""
    events = [
        *_policies(applications, start, end),
        *_own_models(applications, start, end),
        *_source_models(applications, start, end),
    ]
    return sorted(events, key=lambda event: (event.at, event.words))[-MOST:]


def _policies(applications: Sequence[UUID], start: datetime, end: datetime) -> Iterator[Change]:
    versions = Policy.objects.filter(application__in=applications).values_list("pk", "version")
    version_numbers = {str(pk): version for pk, version in versions}
    entries = TrailEntry.objects.filter(
        subject_type="policy",
        subject_id__in=list(version_numbers),
        event=Event.POLICY_ACTIVATED,
        occurred_at__gte=start,
        occurred_at__lt=end,
    )
    for entry in entries:
        if entry.application_id is not None:
            words = _("policy version %d in force") % version_numbers[entry.subject_id]
            yield Change(entry.occurred_at, entry.application_id, words, int(entry.subject_id))


def _own_models(applications: Sequence[UUID], start: datetime, end: datetime) -> Iterator[Change]:
    """Yield the days on which a signal's model differs from that of its previous day."""
    days = {"earlier": (start - _EARLIER).date(), "start": start.date(), "end": end.date()}
    for application, signal, day, models in fetch_rows(_SWITCHES, applications, **days):
        at = datetime.combine(day, time.min, UTC)
        yield Change(at, application, f"{signal}: {', '.join(sorted(models))}")


def _source_models(
    applications: Sequence[UUID], start: datetime, end: datetime
) -> Iterator[Change]:
    """Yield the first day of each source model, except on the application's first day."""
    rows = fetch_rows(_FIRST_SEEN, applications, start=start, end=end)
    first_days = dict(fetch_rows(_FIRST_DAYS, applications))
    for application, model, at in rows:
        if at > first_days[application]:
            yield Change(at, application, _("first answers by %s") % model)
