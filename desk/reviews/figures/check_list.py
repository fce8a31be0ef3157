"""The checks behind a figure of the trends."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from analysis.trends.metrics import BY_NAME, PLACES, Dimension

MOST = 500
"""As the search shows at most; a list reads each of them by its id."""
_NEWEST = """
SELECT found.check_record_id
FROM unnest(%(applications)s::uuid[]) AS mine (id)
CROSS JOIN LATERAL (
    SELECT check_record_id, created_at FROM analysis_countedcheck
    WHERE application_id = mine.id AND created_at >= %(start)s AND created_at < %(end)s {more}
    ORDER BY created_at DESC
    LIMIT %(most)s
) AS found
ORDER BY found.created_at DESC
LIMIT %(most)s
"""
# The cells of the trends tell in which hours there is anything, and how much: first the days are
# found, then the hours of these days, and only their checks are read. Without that, a figure whose
# checks are rare or long ago walks back over a year of others. A check may stand at several of the
# places, so that no fewer than the largest of their counts are there. Each step is kept to its
# index: OFFSET 0 holds the join to one look-up for each row before it, and IS TRUE keeps from the
# index of places, which would be read whole for each hour.
_NEWEST_OF_PLACES = """
WITH days AS MATERIALIZED (
    SELECT application_id, bucket FROM (
        SELECT application_id, bucket, sum(number) OVER (ORDER BY bucket DESC)
               - sum(number) OVER (PARTITION BY bucket) AS newer
        FROM (
            SELECT application_id, bucket, CASE
                WHEN bucket >= %(start)s AND bucket + interval '24 hours' <= %(end)s THEN {most}
                ELSE 0 END AS number
            FROM analysis_trendcell
            WHERE application_id = ANY(%(applications)s::uuid[]) AND dimension = %(dimension)s
              AND grain = 'day' AND value = %(value)s AND {most} > 0
              AND bucket > %(start)s::timestamptz - interval '24 hours' AND bucket < %(end)s
        ) AS day
    ) AS counted
    WHERE newer < %(most)s
), hours AS MATERIALIZED (
    SELECT application_id, bucket FROM (
        SELECT application_id, hour.bucket, sum(number) OVER (ORDER BY hour.bucket DESC)
               - sum(number) OVER (PARTITION BY hour.bucket) AS newer
        FROM days CROSS JOIN LATERAL (
            SELECT bucket, {most} AS number FROM analysis_trendcell AS cell
            WHERE cell.application_id = days.application_id AND dimension = %(dimension)s
              AND grain = 'hour' AND value = %(value)s AND {most} > 0
              AND cell.bucket >= GREATEST(days.bucket, %(start)s)
              AND cell.bucket < LEAST(days.bucket + interval '24 hours', %(end)s)
            OFFSET 0
        ) AS hour
    ) AS counted
    WHERE newer < %(most)s
)
SELECT found.check_record_id
FROM hours CROSS JOIN LATERAL (
    SELECT check_record_id, created_at FROM analysis_countedcheck
    WHERE application_id = hours.application_id
      AND created_at >= hours.bucket AND created_at < hours.bucket + interval '1 hour'
      {more}
    OFFSET 0
) AS found
ORDER BY found.created_at DESC
LIMIT %(most)s
"""
_OF_DIMENSION = {
    Dimension.SOURCE_MODEL: "source_model = %(value)s",
    Dimension.POLICY: "policy = %(value)s",
    Dimension.COLLECTION: "%(value)s = ANY(collections)",
}


@dataclass(frozen=True, slots=True)
class CheckList:
    """The checks behind a figure: submitted in [start, end), counted at one of `places`.

    Without `places` they may be counted anywhere; with them, both ends are whole hours. `dimension`
    with `value`, `topic` and `nothing_found` restrict further if given.
    """

    start: datetime
    end: datetime
    places: tuple[int, ...] = ()
    dimension: Dimension = Dimension.ALL
    value: str = ""
    topic: int | None = None
    nothing_found: bool = False


def places(metric: str, keys: Sequence[str], *, onwards: bool = False) -> tuple[int, ...]:
    """Return the positions of a metric's keys, or from the first key on; () for unknown ones."""
    definition = BY_NAME.get(metric)
    if definition is None or not set(keys) <= set(definition.keys):
        return ()
    start = PLACES[metric].start
    if onwards:
        return tuple(range(start + definition.keys.index(keys[0]), start + len(definition.keys)))
    return tuple(start + definition.keys.index(key) for key in keys)


def newest(checks: CheckList, applications: Sequence[UUID]) -> list[UUID]:
    """Return the ids of the newest of these checks, at most MOST."""
    parameters: dict[str, Any] = {
        "applications": [str(application) for application in applications],
        "start": checks.start,
        "end": checks.end,
        "places": list(checks.places),
        "dimension": str(checks.dimension),
        "value": checks.value,
        "topic": checks.topic,
        "most": MOST,
    }
    with connection.cursor() as cursor:
        cursor.execute(_statement(checks), parameters)
        return [check_id for (check_id,) in cursor.fetchall()]


def _statement(checks: CheckList) -> str:
    """Return the statement: by cells if they count exactly these checks, else by check."""
    if not checks.places or checks.nothing_found or checks.topic is not None:
        return _NEWEST.format(more=_more(checks))
    counts = ", ".join(f"counts[{place + 1}]" for place in checks.places)  # arrays begin at 1
    return _NEWEST_OF_PLACES.format(more=_more(checks), most=f"GREATEST({counts})")


def _more(checks: CheckList) -> str:
    """Return further conditions; they contain no input."""
    conditions = []
    if checks.places:
        conditions.append("(places && %(places)s::smallint[]) IS TRUE")
    if checks.dimension in _OF_DIMENSION:
        conditions.append(_OF_DIMENSION[checks.dimension])
    if checks.nothing_found:
        conditions.append("nothing_found")
    if checks.topic is not None:
        conditions.append(
            "check_record_id IN (SELECT check_record_id FROM analysis_topicmember"
            " WHERE topic_id = %(topic)s)"
        )
    return "".join(f" AND {condition}" for condition in conditions)
