"""Totals of all checks for monitoring, taken from the counts of the trends."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from django.db import connection
from django.db.models import Sum
from django.utils import timezone

from analysis.models import Check, CheckState
from analysis.models.trends import ClaimDay, JudgeDay, ModelUse
from analysis.trends.metrics import BY_NAME, LENGTH, PLACES, TIMES, Dimension, Grain

MODEL_DAYS = 7
_TOTALS = """
    SELECT place, sum(count) FROM analysis_trendcell,
        unnest(counts) WITH ORDINALITY AS counted (count, place)
    WHERE dimension = %s AND grain = %s GROUP BY place
"""
_ACTIONS_BY_APPLICATION = """
    SELECT slug, place, sum(count) FROM analysis_trendcell
        JOIN accounts_application AS application ON application.id = application_id,
        unnest(counts[%s:%s]) WITH ORDINALITY AS counted (count, place)
    WHERE dimension = %s AND grain = %s GROUP BY slug, place ORDER BY slug, place
"""


@dataclass(frozen=True, slots=True)
class Queue:
    """A queue's state: the items that wait and the age of the oldest in seconds."""

    depth: int
    oldest: float


def totals() -> Mapping[str, Mapping[str, int]]:
    """Return the counts of each metric by key, over all applications and days."""
    with connection.cursor() as cursor:
        cursor.execute(_TOTALS, [Dimension.ALL, Grain.DAY])
        sums = {int(place) - 1: int(count) for place, count in cursor.fetchall()}
    counts = [sums.get(place, 0) for place in range(LENGTH)]
    return {
        name: dict(zip(BY_NAME[name].keys, counts[place.start : place.end], strict=True))
        for name, place in PLACES.items()
    }


def summed_milliseconds() -> Mapping[str, int]:
    """Return the sum of each time of all counted checks, by metric."""
    return ClaimDay.objects.aggregate(**{name: Sum(name, default=0) for name in TIMES})


def actions_by_application() -> list[tuple[str, str, int]]:
    """Return (application, action, checks with it) for each application with a finished check."""
    place = PLACES["actions"]
    with connection.cursor() as cursor:
        # Arrays count from 1.
        values: list[int | str] = [place.start + 1, place.end, Dimension.ALL, Grain.DAY]
        cursor.execute(_ACTIONS_BY_APPLICATION, values)
        rows = cursor.fetchall()
    return [(slug, BY_NAME["actions"].keys[at - 1], int(count)) for slug, at, count in rows]


def check_queue() -> Queue:
    queued = Check.objects.filter(state=CheckState.QUEUED)
    oldest = queued.order_by("created_at").values_list("created_at", flat=True).first()
    age = (timezone.now() - oldest).total_seconds() if oldest else 0.0
    return Queue(queued.count(), age)


def judges_total() -> list[tuple[str, int, int, int, int]]:
    """Return (judge, decided, unavailable, calls, tokens) for each judge."""
    names = ("decided", "unavailable", "calls", "tokens")
    rows = JudgeDay.objects.values("judge").annotate(*map(Sum, names)).order_by("judge")
    return list(rows.values_list("judge", *(f"{name}__sum" for name in names)))


def models_in_use() -> list[tuple[str, str]]:
    """Return the (signal, model) pairs of recent days."""
    since = timezone.now().date() - timedelta(days=MODEL_DAYS)
    uses = ModelUse.objects.filter(day__gte=since).order_by("signal", "model")
    return list(uses.values_list("signal", "model").distinct())
