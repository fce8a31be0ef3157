"""Stores what was counted: the checks behind each figure; models, claims and judges by day.

The counting transaction writes all of it, so that a list contains exactly the checks of its figure
(docs/decisions/0720-a-figure-and-its-list.md).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date
from typing import Any
from uuid import UUID

from django.db import connection

from analysis.models import CountedCheck, ModelUse
from analysis.sql import load
from analysis.trends.metrics import PLACES, Dimension, Facts, positions, series_of

_FAILED_PLACE = PLACES["checks"].start + 1
_ADD_CLAIMS, _ADD_JUDGES = load("add_claims"), load("add_judges")
_SUMMED = ("decided", "unavailable", "calls", "tokens")
_MOST_NAME = 160
_CHANGES = ("policy", "places", "nothing_found")


@dataclass(frozen=True, slots=True)
class CountedRow:
    """A check, its facts, and whether it is counted (1) or no longer counted (-1)."""

    check_id: UUID
    facts: Facts
    delta: int


def keep(counted_rows: Sequence[CountedRow]) -> None:
    """Store these checks and delete those being retried, within the caller's transaction."""
    retried_ids = [item.check_id for item in counted_rows if item.delta < 0]
    if retried_ids:
        # A check that was counted as done in the meantime is kept.
        CountedCheck.objects.filter(pk__in=retried_ids, places__contains=[_FAILED_PLACE]).delete()
    new_rows = [item for item in counted_rows if item.delta > 0]
    CountedCheck.objects.bulk_create(
        [_row(item) for item in new_rows],
        update_conflicts=True,
        unique_fields=["check_record"],
        update_fields=_CHANGES,
    )
    uses = {
        (facts.application_id, _day(facts), signal, model)
        for facts in (item.facts for item in new_rows)
        for signal, model in facts.models
    }
    ModelUse.objects.bulk_create(
        [
            ModelUse(
                application_id=application, day=day, signal=signal[:40], model=model[:_MOST_NAME]
            )
            for application, day, signal, model in sorted(uses)
        ],
        ignore_conflicts=True,
    )
    # Add the claims of finished checks, each counted once, to their days of submission.
    claims = Counter[tuple[UUID, date]]()
    for facts in (item.facts for item in new_rows):
        claims[facts.application_id, _day(facts)] += facts.claims
    columns: dict[str, list[Any]] = {
        "applications": [str(application) for application, _ in claims],
        "days": [day for _, day in claims],
        "claims": list(claims.values()),
    }
    with connection.cursor() as cursor:
        cursor.execute(_ADD_CLAIMS, columns)
    _add_judges([item.facts for item in new_rows])


def _add_judges(facts_list: Iterable[Facts]) -> None:
    """Add the judges' work on finished checks, each counted once, to the days of submission."""
    sums: dict[tuple[UUID, date, str], Counter[str]] = defaultdict(Counter)
    for facts in facts_list:
        for use in facts.judges:
            key = facts.application_id, _day(facts), use.judge[:_MOST_NAME]
            sums[key].update({name: getattr(use, name) for name in _SUMMED})
    if not sums:
        return
    columns: dict[str, list[Any]] = {
        "applications": [str(application) for application, _, _ in sums],
        "days": [day for _, day, _ in sums],
        "judges": [judge for _, _, judge in sums],
        **{name: [counts[name] for counts in sums.values()] for name in _SUMMED},
    }
    with connection.cursor() as cursor:
        cursor.execute(_ADD_JUDGES, columns)


def _day(facts: Facts) -> date:
    return facts.created_at.astimezone(UTC).date()


def _row(counted_row: CountedRow) -> CountedCheck:
    facts = counted_row.facts
    series = series_of(facts)
    return CountedCheck(
        check_record_id=counted_row.check_id,
        application_id=facts.application_id,
        created_at=facts.created_at,
        source_model=next(value for name, value in series if name is Dimension.SOURCE_MODEL),
        policy=facts.policy,
        collections=[value for name, value in series if name is Dimension.COLLECTION],
        places=positions(facts),
        nothing_found=facts.nothing_found,
    )
