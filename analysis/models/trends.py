"""Trends: counts of checks by hour and day, and what waits to be counted."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from accounts.models import Application
from analysis.trends.metrics import MAX_VALUE, Dimension, Grain


class TrendCell(models.Model):
    """The counts of one series in one bucket; their places are those of `trends.metrics`."""

    application = models.ForeignKey(Application, on_delete=models.CASCADE, related_name="+")
    dimension = models.CharField(max_length=12, choices=[(d, d) for d in Dimension])
    grain = models.CharField(max_length=4, choices=[(g, g) for g in Grain])
    bucket = models.DateTimeField()
    value = models.CharField(max_length=MAX_VALUE, blank=True)
    counts = ArrayField(models.IntegerField())

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["application", "dimension", "grain", "bucket", "value"],
                name="trend_cell_once",
            ),
            models.CheckConstraint(
                condition=Q(dimension__in=[str(d) for d in Dimension]),
                name="trend_dimension_known",
            ),
            models.CheckConstraint(
                condition=Q(grain__in=[str(g) for g in Grain]), name="trend_grain_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.dimension} {self.value} {self.grain} {self.bucket}"


class TrendPending(models.Model):
    """A check that has ended and is not counted yet; deleted by the transaction that counts it.

    `delta` is -1 where a failed check is tried again. No foreign key: a check is never deleted, and
    the look-up would cost the worker.
    """

    check_id = models.UUIDField()
    failed = models.BooleanField()
    delta = models.SmallIntegerField(db_default=1)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(delta__in=(-1, 1)), name="trend_pending_delta"),
        ]

    def __str__(self) -> str:
        return f"{self.check_id} ({self.delta:+d})"
