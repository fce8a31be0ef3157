"""Reads checks and batches, always within one application."""

import json
import re
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db.models import Count, Q, QuerySet
from django.db.models.functions import Left

from analysis.models import ENDED, Batch, Check, CheckState, Feedback
from analysis.services.months import CLOCKS_APART, first_id

EXCERPT_CHARACTERS = 200
MOST_SHOWN = 20
"""Comments of end users that the page of a check shows."""
_SCALARS = {"true": True, "false": False}
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?", re.ASCII)
# The columns of a list; the long texts are not loaded.
_LIST_FIELDS = (
    "id", "batch_id", "source_model", "created_at", "state", "action", "risk_level",
    "risk_score", "sampled", "finished_at",
)  # fmt: skip


def has_ended(check_id: UUID) -> bool:
    """Return whether the check is done or failed."""
    return Check.everything.filter(pk=check_id, state__in=ENDED).exists()


def checks_of(
    application_id: UUID, filters: dict[str, Any], metadata: Mapping[str, str] | None = None
) -> QuerySet[Check]:
    """Return an application's checks with the beginning of the question; newest first by `-id`.

    `metadata`: members that the checks' metadata must have; a value that reads as a JSON scalar
    also matches that scalar.
    """
    lookups = {"created_after": "created_at__gte", "created_before": "created_at__lt"}
    conditions = {lookups.get(name, name): value for name, value in filters.items()}
    # Bounds for the ids too, so that the list need not scan from the end.
    if after := filters.get("created_after"):
        conditions["pk__gte"] = first_id(after, -CLOCKS_APART)
    if before := filters.get("created_before"):
        conditions["pk__lt"] = first_id(before, CLOCKS_APART)
    checks = Check.objects.filter(application_id=application_id, **conditions)
    for name, value in (metadata or {}).items():
        condition = Q(metadata__contains={name: value})
        scalar = _SCALARS.get(value)
        if scalar is None and _NUMBER.fullmatch(value):
            scalar = json.loads(value)
        if scalar is not None:
            condition |= Q(metadata__contains={name: scalar})
        checks = checks.filter(condition)
    return _for_list(checks)


def check_state(application_id: UUID, check_id: UUID) -> str:
    """Return only the state. Raises Check.DoesNotExist, also for another application's check."""
    checks = Check.everything.filter(pk=check_id, application_id=application_id)
    return str(checks.values_list("state", flat=True).get())


def check_of(application_id: UUID, check_id: UUID) -> Check:
    """Return a check with only its state.

    Raises Check.DoesNotExist, also for another application's.
    """
    checks = Check.objects.only("id", "application_id", "state")
    return checks.get(pk=check_id, application_id=application_id)


def batch_of(application_id: UUID, batch_id: UUID) -> Batch:
    """Return one batch. Raises Batch.DoesNotExist, also for another application's."""
    return Batch.everything.get(pk=batch_id, application_id=application_id)


def states_in(batch: Batch) -> dict[str, int]:
    """Return the number of a batch's checks in each state."""
    counts = _checks_in(batch).values_list("state").annotate(n=Count("id")).order_by()
    return {**dict.fromkeys(CheckState.values, 0), **dict(counts)}


def items_of(batch: Batch) -> QuerySet[Check]:
    """Return a batch's checks in the order of submission."""
    return _for_list(_checks_in(batch).order_by("batch_index"), "batch_index")


def _checks_in(batch: Batch) -> QuerySet[Check]:
    return Check.everything.filter(batch=batch)


def _for_list(checks: QuerySet[Check], *further: str) -> QuerySet[Check]:
    excerpt = Left("query", EXCERPT_CHARACTERS)
    return checks.annotate(excerpt=excerpt).only(*_LIST_FIELDS, *further)


def comments_on(check: Check) -> list[Feedback]:
    """Return the latest feedback with a comment on a check, newest first."""
    feedback = Feedback.objects.filter(check_record=check).exclude(comment="")
    return list(feedback.order_by("-changed_at", "-id")[:MOST_SHOWN])
