"""Which checks and batches there are, always within one application."""

from typing import Any
from uuid import UUID

from django.db.models import Count, QuerySet

from analysis.models import Batch, Check, CheckState

_ENDED = (CheckState.DONE, CheckState.FAILED)
# What a list shows; the texts stay where they are.
_LIST_FIELDS = (
    "id", "batch_id", "source_model", "created_at", "state", "action", "risk_level",
    "risk_score", "sampled", "finished_at",
)  # fmt: skip


def has_ended(check_id: UUID) -> bool:
    """Whether a verdict stands, or none will come."""
    return Check.objects.filter(pk=check_id, state__in=_ENDED).exists()


def checks_of(application_id: UUID, filters: dict[str, Any]) -> QuerySet[Check]:
    """An application's checks without their texts; newest first when ordered by `-id`."""
    lookups = {"created_after": "created_at__gte", "created_before": "created_at__lt"}
    conditions = {lookups.get(name, name): value for name, value in filters.items()}
    return Check.objects.filter(application_id=application_id, **conditions).only(*_LIST_FIELDS)


def check_state(application_id: UUID, check_id: UUID) -> str:
    """The state alone. Raises Check.DoesNotExist, also for another application's."""
    found = Check.objects.filter(pk=check_id, application_id=application_id)
    return str(found.values_list("state", flat=True).get())


def check_of(application_id: UUID, check_id: UUID) -> Check:
    """A check with its state alone. Raises Check.DoesNotExist, also for another application's."""
    found = Check.objects.only("id", "application_id", "state")
    return found.get(pk=check_id, application_id=application_id)


def batch_of(application_id: UUID, batch_id: UUID) -> Batch:
    """One batch. Raises Batch.DoesNotExist, also for another application's."""
    return Batch.objects.get(pk=batch_id, application_id=application_id)


def states_in(batch: Batch) -> dict[str, int]:
    """How many checks of a batch are in each state."""
    counted = batch.checks.values_list("state").annotate(n=Count("id")).order_by()
    return {**dict.fromkeys(CheckState.values, 0), **dict(counted)}


def items_of(batch: Batch) -> QuerySet[Check]:
    """A batch's checks in the order in which they were sent."""
    return batch.checks.only(*_LIST_FIELDS, "batch_index").order_by("batch_index")
