"""Reads what drift is tested on: the counts of the trends, and decided reviews, by day."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from uuid import UUID

import numpy as np

from analysis.sql import load
from analysis.trends.metrics import BY_NAME, OTHER, PLACES, Dimension, Grain, Metric
from audit.models import Event, TrailEntry
from desk.dashboard.selectors.rows import fetch_rows
from desk.dashboard.trends import topics
from desk.dashboard.trends.drift import (
    BEFORE_DAYS,
    LEAST_REVIEWS,
    RECENT_DAYS,
    Comparison,
    DayCounts,
    DriftTest,
    drift_tests,
)
from desk.dashboard.trends.reading import matrix

DAYS = BEFORE_DAYS + RECENT_DAYS
MOST_SEGMENTS = 10
"""Collections and models of an application that are compared, the most frequent."""
QUESTIONS, _IDS = 2_000, 65_536
"""An application's questions that topics are told from, drawn by the last two bytes of their id."""
TOPICS_OF = 3
"""Applications whose topics are compared at once: it takes a tenth of a second for each."""
MIXES = ("language", "answer_length", "sources")
"""Metrics whose mix is compared over all checks."""
_SEGMENTS = (Dimension.COLLECTION, Dimension.SOURCE_MODEL)
_DECIDED = load("overturned_days")
_DONE = PLACES["checks"].start + 1
_FIRST, _LAST = PLACES["risk"].start, PLACES["sources"].end
_CELLS = """
SELECT application_id, dimension, value, (bucket AT TIME ZONE 'UTC')::date,
       (ARRAY[counts[%(done)s]] || counts[%(first)s:%(last)s])::text
FROM analysis_trendcell
WHERE application_id = ANY(%(applications)s::uuid[]) AND grain = %(grain)s
  AND dimension = ANY(%(dimensions)s) AND bucket >= %(start)s AND bucket < %(end)s
"""
_QUESTIONS = """
SELECT (c.created_at AT TIME ZONE 'UTC')::date, k.query, e.model, halfvec_send(e.query)
FROM analysis_countedcheck AS c
JOIN analysis_checkembedding AS e ON e.check_record_id = c.check_record_id
JOIN analysis_check AS k ON k.id = c.check_record_id
WHERE c.application_id = %(application)s AND c.created_at >= %(start)s AND c.created_at < %(end)s
  AND e.query IS NOT NULL
  AND 256 * get_byte(uuid_send(c.check_record_id), 14) + get_byte(uuid_send(c.check_record_id), 15)
      < %(below)s
ORDER BY c.check_record_id
"""
_HEADER = 4
"""Bytes before the numbers of a vector that PostgreSQL sends."""
_Key = tuple[UUID, str, str]


@dataclass(frozen=True, slots=True)
class DriftPeriod:
    """The whole days [start, end) in UTC that are compared: BEFORE_DAYS and then RECENT_DAYS."""

    start: date
    recent: date
    end: date

    @classmethod
    def until(cls, end: date) -> "DriftPeriod":
        """Return the days before this one."""
        return cls(end - timedelta(days=DAYS), end - timedelta(days=RECENT_DAYS), end)

    @property
    def bounds(self) -> dict[str, datetime]:
        """The beginning of `start` and of `end`, as parameters of a statement."""
        return {
            "start": datetime.combine(self.start, time.min, UTC),
            "end": datetime.combine(self.end, time.min, UTC),
        }


def drift(applications: Sequence[UUID], period: DriftPeriod) -> dict[UUID, list[DriftTest]]:
    """Return the tests of each application with something to compare.

    Two queries, and of up to TOPICS_OF applications one more each for the topics of questions.
    """
    comparisons: dict[UUID, list[Comparison]] = defaultdict(list)
    for application, items in _of_checks(applications, period).items():
        comparisons[application] += items
        if len(applications) <= TOPICS_OF:
            checks = int(items[0].days.sum())
            comparisons[application] += _of_topics(application, checks, period)
    for application, items in _of_reviews(applications, period).items():
        comparisons[application] += items
    return {application: drift_tests(items) for application, items in comparisons.items()}


def drift_alarms(applications: Sequence[UUID], *, since: datetime) -> list[TrailEntry]:
    """Return what the trail has of drift, newest first."""
    entries = TrailEntry.objects.filter(
        event=Event.DRIFT_NOTICED, application_id__in=applications, occurred_at__gte=since
    )
    return list(entries.order_by("-id"))


def _of_checks(applications: Sequence[UUID], period: DriftPeriod) -> dict[UUID, list[Comparison]]:
    rows = fetch_rows(
        _CELLS,
        applications,
        **period.bounds,
        grain=str(Grain.DAY),
        dimensions=[str(Dimension.ALL), *map(str, _SEGMENTS)],
        done=_DONE,
        first=_FIRST + 1,
        last=_LAST,
    )
    vectors = matrix([row[-1] for row in rows], 1 + _LAST - _FIRST)
    days: dict[_Key, DayCounts] = defaultdict(
        lambda: np.zeros((DAYS, 1 + _LAST - _FIRST), dtype=np.int64)
    )
    for (application, dimension, value, day, _), vector in zip(rows, vectors, strict=True):
        days[application, dimension, value][(day - period.start).days] += vector
    comparisons = {}
    for application in {key[0] for key in days}:
        whole = days[application, str(Dimension.ALL), ""]
        items = [_of_metric(BY_NAME[name], Dimension.ALL, "", whole) for name in (*MIXES, "risk")]
        for dimension in _SEGMENTS:
            by_value = {k[2]: v for k, v in days.items() if k[:2] == (application, str(dimension))}
            names = sorted(by_value, key=lambda name: (-int(by_value[name][:, 0].sum()), name))
            first, rest = names[:MOST_SEGMENTS], names[MOST_SEGMENTS:]
            columns = [by_value[name][:, 0] for name in first]
            if rest:
                columns.append(np.sum([by_value[name][:, 0] for name in rest], axis=0))
            if columns:
                keys, mix = (*first, *([OTHER] if rest else [])), np.stack(columns, axis=1)
                items.append(Comparison(str(dimension), str(Dimension.ALL), "", keys, mix))
            items += [
                _of_metric(BY_NAME["risk"], dimension, name, by_value[name]) for name in first
            ]
        comparisons[application] = items
    return comparisons


def _of_metric(metric: Metric, dimension: Dimension, value: str, days: DayCounts) -> Comparison:
    start = 1 + PLACES[metric.name].start - _FIRST
    counts = days[:, start : start + len(metric.keys)]
    is_ordered = metric.name != "language"
    return Comparison(metric.name, str(dimension), value, metric.keys, counts, is_ordered)


def _of_topics(application: UUID, checks: int, period: DriftPeriod) -> list[Comparison]:
    """Return the mix of topics: groups of similar questions of all the weeks, and what is in none.

    The groups know nothing of days, so they differ between the periods by chance alone where
    nothing has changed.
    """
    below = min(_IDS, _IDS * QUESTIONS // max(1, checks))
    rows = fetch_rows(
        _QUESTIONS, [application], application=application, **period.bounds, below=below
    )
    rows = [row for row in rows if row[2] == rows[-1][2]]  # vectors of one model compare
    if not rows:
        return []
    numbers = b"".join(bytes(row[3])[_HEADER:] for row in rows)
    vectors = np.frombuffer(numbers, dtype=">f2").reshape(len(rows), -1).astype(np.float32)
    largest = topics.groups(vectors)[:MOST_SEGMENTS]
    topic_of = np.full(len(rows), len(largest))
    for at, group in enumerate(largest):
        topic_of[list(group)] = at
    days = np.zeros((DAYS, len(largest) + 1), dtype=np.int64)
    np.add.at(days, ([(row[0] - period.start).days for row in rows], topic_of), 1)
    keys = (", ".join(words) for words in topics.names(largest, [row[1] for row in rows]))
    return [Comparison("topic", str(Dimension.ALL), "", (*keys, OTHER), days)]


def _of_reviews(applications: Sequence[UUID], period: DriftPeriod) -> dict[UUID, list[Comparison]]:
    rows = fetch_rows(_DECIDED, applications, **period.bounds)
    days: dict[tuple[UUID, str, str, str], DayCounts] = defaultdict(
        lambda: np.zeros((DAYS, 2), dtype=np.int64)
    )
    for application, dimension, value, day, what, overturned, confirmed in rows:
        counts = days[application, what, dimension, value]
        counts[(day - period.start).days] = overturned, confirmed
    comparisons: dict[UUID, list[Comparison]] = defaultdict(list)
    for key in sorted(days, key=lambda key: (-int(days[key].sum()), *map(str, key))):
        application, what, dimension, value = key
        of_kind = sum((c.what, c.dimension) == key[1:3] for c in comparisons[application])
        if of_kind < MOST_SEGMENTS:
            keys = ("overturned", "confirmed")
            comparisons[application].append(
                Comparison(what, dimension, value, keys, days[key], least=LEAST_REVIEWS)
            )
    return comparisons
