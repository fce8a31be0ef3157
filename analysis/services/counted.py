"""Keeping what was counted: the checks behind each figure, and the models of each day.

Both are written by the transaction that counts, so that a list has exactly the checks of its figure
(docs/decisions/0720-a-figure-and-its-list.md).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC
from uuid import UUID

from analysis.models import CountedCheck, ModelUse
from analysis.trends.metrics import PLACES, Dimension, Facts, positions, series_of

_FAILED_PLACE = PLACES["checks"].start + 1
_CHANGES = ("policy", "places", "nothing_found")


@dataclass(frozen=True, slots=True)
class Counted:
    """A check, what is known of it, and whether it is counted (1) or no longer (-1)."""

    check_id: UUID
    facts: Facts
    delta: int


def keep(counted: Sequence[Counted]) -> None:
    """Keep these checks, and forget those that are tried again; in the caller's transaction."""
    forgotten = [one.check_id for one in counted if one.delta < 0]
    if forgotten:
        # One that is done by now, and was counted before, stays.
        CountedCheck.objects.filter(pk__in=forgotten, places__contains=[_FAILED_PLACE]).delete()
    added = [one for one in counted if one.delta > 0]
    CountedCheck.objects.bulk_create(
        [_row(one) for one in added],
        update_conflicts=True,
        unique_fields=["check_record"],
        update_fields=_CHANGES,
    )
    ModelUse.objects.bulk_create(_uses(one.facts for one in added), ignore_conflicts=True)


def _row(counted: Counted) -> CountedCheck:
    facts = counted.facts
    series = series_of(facts)
    return CountedCheck(
        check_record_id=counted.check_id,
        application_id=facts.application_id,
        created_at=facts.created_at,
        source_model=next(value for name, value in series if name is Dimension.SOURCE_MODEL),
        policy=facts.policy,
        collections=[value for name, value in series if name is Dimension.COLLECTION],
        places=positions(facts),
        nothing_found=facts.nothing_found,
    )


def _uses(found: Iterable[Facts]) -> list[ModelUse]:
    used = {
        (facts.application_id, facts.created_at.astimezone(UTC).date(), signal, model)
        for facts in found
        for signal, model in facts.models
    }
    return [
        ModelUse(application_id=application, day=day, signal=signal[:40], model=model[:160])
        for application, day, signal, model in sorted(used)
    ]
