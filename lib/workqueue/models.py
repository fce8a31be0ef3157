"""The columns that make a table a queue, and the constraints that the database keeps on them."""

from typing import Any

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

QUEUED, RUNNING, FAILED = "queued", "running", "failed"
MAX_ERROR = 500


class LeasedModel(models.Model):
    """A row that workers claim in turn. The table's `state` knows queued, running and failed.

    `epoch` counts the claims: whoever claimed last may finish the row, nobody else. `attempts`
    counts them since the row was queued afresh. A running row whose `lease_until` has passed may be
    claimed by another worker; a queued one is enqueued again when `due_at` is long past. Both are
    read on the database's clock. `last_error`: why the attempt before failed.
    """

    epoch = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    attempts = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    lease_until = models.DateTimeField(null=True, editable=False)
    due_at = models.DateTimeField("next attempt", null=True, db_default=Now(), editable=False)
    last_error = models.CharField(
        max_length=MAX_ERROR, blank=True, default="", db_default="", editable=False
    )

    class Meta:
        abstract = True
        indexes = [
            models.Index(fields=["due_at"], name="%(class)s_due", condition=Q(state=QUEUED)),
            models.Index(
                fields=["lease_until"], name="%(class)s_leased", condition=Q(state=RUNNING)
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(state=RUNNING, lease_until__isnull=False)
                | (~Q(state=RUNNING) & Q(lease_until__isnull=True)),
                name="%(class)s_lease_only_while_running",
            ),
            models.CheckConstraint(
                condition=Q(state=QUEUED, due_at__isnull=False)
                | (~Q(state=QUEUED) & Q(due_at__isnull=True)),
                name="%(class)s_due_only_while_queued",
            ),
        ]


def requeued_fields() -> dict[str, Any]:
    """Return the changes that queue a row again with all its attempts before it."""
    return {
        "state": QUEUED,
        "attempts": 0,
        "epoch": F("epoch") + 1,
        "lease_until": None,
        "due_at": Now(),
    }
