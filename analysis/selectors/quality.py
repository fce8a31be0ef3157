"""Overturn, false-positive and false-negative rates with intervals, counted from the reviews."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import connection

from analysis.models import ReviewDecision
from analysis.trends.quality import QUALITY, QualityMetric, Reviewed
from documents.injection.evaluation import wilson

MOST_DAYS = 100
# The last opinion on each check counts, and none while a further one is open: a review that another
# follows is left out. Only where an allowed check was not fully checked is the check itself read.
_COUNTS = """
SELECT CASE WHEN r.reason IN ('block', 'warn') THEN 'flagged'
            WHEN r.reason = 'quality_sample' THEN 'sampled_allows'
            WHEN (SELECT c.sampled FROM analysis_check AS c WHERE c.id = r.check_record_id)
            THEN 'sampled_allows' ELSE '' END,
       r.decision, count(*)
FROM analysis_review AS r
WHERE r.application_id = ANY(%(applications)s::uuid[])
  AND r.decision IS NOT NULL AND r.decision IN ('confirmed', 'overturned')
  AND r.decided_at >= %(start)s AND r.decided_at < %(end)s
  AND r.reason <> 'dead'
  AND NOT EXISTS (SELECT FROM analysis_review AS further
                  WHERE further.check_record_id = r.check_record_id
                    AND further.id > r.id AND further.stage <> 'first')
GROUP BY 1, 2
"""


@dataclass(frozen=True, slots=True)
class Rate:
    """A share with its 95 % Wilson interval; all three None where nothing was decided."""

    metric: QualityMetric
    overturned: int
    of: int
    rate: float | None
    low: float | None
    high: float | None


def quality(applications: Sequence[UUID], *, start: datetime, end: datetime) -> tuple[Rate, ...]:
    """Each metric over the reviews decided in [start, end): one query.

    Raises ValueError for a period that is empty or longer than MOST_DAYS.
    """
    if start >= end:
        raise ValueError("The period ends before it begins.")
    if end - start > timedelta(days=MOST_DAYS):
        raise ValueError(f"The period is longer than {MOST_DAYS} days.")
    asked: dict[str, Any] = {
        "applications": [str(one) for one in applications],
        "start": start,
        "end": end,
    }
    with connection.cursor() as cursor:
        cursor.execute(_COUNTS, asked)
        rows: list[tuple[str, str, int]] = cursor.fetchall()
    return tuple(_rate(metric, rows) for metric in QUALITY)


def _rate(metric: QualityMetric, rows: Sequence[tuple[str, str, int]]) -> Rate:
    counts = Counter[str]()
    for kind, decision, count in rows:
        if metric.of in (Reviewed.ALL, kind):
            counts[decision] += count
    overturned, of = counts[ReviewDecision.OVERTURNED], counts.total()
    if not of:
        return Rate(metric, 0, 0, None, None, None)
    low, high = wilson(overturned, of)
    return Rate(metric, overturned, of, overturned / of, low, high)
