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
_OF_DIMENSION = {
    Dimension.SOURCE_MODEL: "source_model = %(value)s",
    Dimension.POLICY: "policy = %(value)s",
    Dimension.COLLECTION: "%(value)s = ANY(collections)",
}


@dataclass(frozen=True, slots=True)
class Listed:
    """Which checks: submitted in [start, end), counted at one of `places` (none: at any).

    `dimension` with `value`, `topic` and `nothing_found` where they are given.
    """

    start: datetime
    end: datetime
    places: tuple[int, ...] = ()
    dimension: Dimension = Dimension.ALL
    value: str = ""
    topic: int | None = None
    nothing_found: bool = False


def places(metric: str, keys: Sequence[str], *, onwards: bool = False) -> tuple[int, ...]:
    """Where a metric counts these keys, or from the first of them on; () for unknown ones."""
    known = BY_NAME.get(metric)
    if known is None or not set(keys) <= set(known.keys):
        return ()
    start = PLACES[metric].start
    if onwards:
        return tuple(range(start + known.keys.index(keys[0]), start + len(known.keys)))
    return tuple(start + known.keys.index(key) for key in keys)


def newest(listed: Listed, applications: Sequence[UUID]) -> list[UUID]:
    """The newest of these checks, at most MOST."""
    asked: dict[str, Any] = {
        "applications": [str(one) for one in applications],
        "start": listed.start,
        "end": listed.end,
        "places": list(listed.places),
        "value": listed.value,
        "topic": listed.topic,
        "most": MOST,
    }
    with connection.cursor() as cursor:
        cursor.execute(_NEWEST.format(more=_more(listed)), asked)
        return [check_id for (check_id,) in cursor.fetchall()]


def _more(listed: Listed) -> str:
    """Conditions; all of them written here, none of them given."""
    conditions = []
    if listed.places:
        conditions.append("places && %(places)s::smallint[]")
    if listed.dimension in _OF_DIMENSION:
        conditions.append(_OF_DIMENSION[listed.dimension])
    if listed.nothing_found:
        conditions.append("nothing_found")
    if listed.topic is not None:
        conditions.append(
            "check_record_id IN (SELECT check_record_id FROM analysis_topicmember"
            " WHERE topic_id = %(topic)s)"
        )
    return "".join(f" AND {one}" for one in conditions)
