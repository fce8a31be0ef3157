"""What an application has used, by day (UTC): checks and claims, as they are stored."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime, time, timedelta
from uuid import UUID

from django.db import connection

MOST_DAYS = 366
_USED = """
WITH made AS (
    SELECT id, (created_at AT TIME ZONE 'UTC')::date AS day, state
    FROM analysis_check
    WHERE application_id = %(application)s
      AND created_at >= %(first)s AND created_at < %(behind)s
),
claimed AS (
    SELECT day, count(*) AS claims
    FROM made JOIN analysis_claim ON annotated_answer_id = made.id
    GROUP BY day
)
SELECT day, count(*), count(*) FILTER (WHERE state = 'done'),
       count(*) FILTER (WHERE state = 'failed'), coalesce(max(claims), 0)
FROM made LEFT JOIN claimed USING (day)
GROUP BY day ORDER BY day
"""


@dataclass(frozen=True, slots=True)
class Used:
    """One day. Claims of results that were erased since are not counted."""

    day: date
    checks: int
    done: int
    failed: int
    claims: int


COLUMNS = tuple(field.name for field in fields(Used))


def usage_of(application_id: UUID, first: date, last: date) -> Sequence[Used]:
    """The days from `first` to `last` on which something was submitted."""
    named: dict[str, UUID | datetime] = {
        "application": application_id,
        "first": datetime.combine(first, time(), UTC),
        "behind": datetime.combine(last + timedelta(days=1), time(), UTC),
    }
    with connection.cursor() as cursor:
        cursor.execute(_USED, named)
        return [Used(*row) for row in cursor.fetchall()]
