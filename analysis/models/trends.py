"""Trends: counts of checks by hour and day, and the checks that await counting."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from accounts.models import Application
from analysis.models.check import Check
from analysis.trends.metrics import MAX_VALUE, Dimension, Grain


class Topic(models.Model):
    """A group of similar questions, named by the words that distinguish it from other groups.

    `example` is the question nearest to the centre. A topic keeps its id between runs as long as
    most of its questions stay together.
    """

    application = models.ForeignKey(Application, on_delete=models.CASCADE, related_name="+")
    words = ArrayField(models.CharField(max_length=60))
    example = models.TextField()
    made_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return ", ".join(self.words)


class TrendCell(models.Model):
    """The counts of one series in one bucket, at the positions of `trends.metrics`."""

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
                condition=Q(dimension__in=[str(d) for d in Dimension]), name="trend_dimension_known"
            ),
            models.CheckConstraint(
                condition=Q(grain__in=[str(g) for g in Grain]), name="trend_grain_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.dimension} {self.value} {self.grain} {self.bucket}"


class TrendPending(models.Model):
    """A check that has ended and is not yet counted; the transaction that counts it deletes it.

    `delta` is -1 if a failed check is tried again. It has no foreign key: checks are never deleted,
    and the lookup would cost the worker time.
    """

    check_id = models.UUIDField()
    failed = models.BooleanField()
    delta = models.SmallIntegerField(db_default=1)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(delta__in=(-1, 1)), name="trend_pending_delta")
        ]

    def __str__(self) -> str:
        return f"{self.check_id} ({self.delta:+d})"


class TopicRun(models.Model):
    """The last computation of an application's topics: when, of how many questions, since when."""

    application = models.OneToOneField(
        Application, primary_key=True, on_delete=models.CASCADE, related_name="+"
    )
    made_at = models.DateTimeField(db_default=Now())
    since = models.DateTimeField()
    questions = models.PositiveIntegerField()
    all_read = models.BooleanField()

    def __str__(self) -> str:
        return f"topics of {self.application_id}"


class TopicMember(models.Model):
    """A question of a topic, of at most one. `created_at` is the check's."""

    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, related_name="members")
    check_record = models.OneToOneField(Check, on_delete=models.PROTECT, related_name="topic")
    created_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"{self.check_record_id} in {self.topic_id}"
