"""Trends: counts by hour and day, the checks that await counting and those behind each figure."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from accounts.models import Application, one_of
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
            one_of("trend_dimension_known", "dimension", Dimension),
            one_of("trend_grain_known", "grain", Grain),
        ]


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


class TopicRun(models.Model):
    """The last computation of an application's topics: when, of how many questions, since when."""

    application = models.OneToOneField(
        Application, primary_key=True, on_delete=models.CASCADE, related_name="+"
    )
    made_at = models.DateTimeField(db_default=Now())
    since = models.DateTimeField()
    questions = models.PositiveIntegerField()
    all_read = models.BooleanField()


class TopicMember(models.Model):
    """A question of a topic, of at most one. `created_at` is the check's."""

    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, related_name="members")
    check_record = models.OneToOneField(Check, on_delete=models.PROTECT, related_name="topic")
    created_at = models.DateTimeField(db_default=Now())


class CountedCheck(models.Model):
    """One check as the trends counted it, written by the transaction that counts it.

    `places` are the positions of `trends.metrics` to which it added 1, so the rows with a position
    are exactly the checks of that figure. `nothing_found`: it was rejected because retrieval found
    too little, or nothing on the subject.
    """

    check_record = models.OneToOneField(
        Check, primary_key=True, on_delete=models.PROTECT, related_name="counted"
    )
    application = models.ForeignKey(
        Application, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    created_at = models.DateTimeField()
    source_model = models.CharField(max_length=MAX_VALUE, blank=True)
    policy = models.CharField(max_length=12, blank=True)
    collections = ArrayField(models.CharField(max_length=MAX_VALUE))
    places = ArrayField(models.SmallIntegerField())
    nothing_found = models.BooleanField(default=False)

    class Meta:
        indexes = [
            models.Index(fields=["application", "-created_at"], name="counted_by_application"),
            models.Index(
                fields=["application", "-created_at"],
                name="counted_nothing_found",
                condition=Q(nothing_found=True),
            ),
            GinIndex(fields=["places"], name="counted_by_place"),
        ]


class ModelUse(models.Model):
    """A model of ours that produced a signal for an application on a day (UTC)."""

    application = models.ForeignKey(
        Application, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    signal = models.CharField(max_length=40)
    model = models.CharField(max_length=160)
    day = models.DateField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["application", "day", "signal", "model"], name="model_use_once_a_day"
            )
        ]


class ClaimDay(models.Model):
    """The claims of an application's counted checks that were submitted on a day (UTC).

    And the sums of their times in milliseconds, named as the metrics whose buckets count them.
    """

    application = models.ForeignKey(
        Application, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    day = models.DateField()
    claims = models.PositiveIntegerField()
    worker_time = models.PositiveBigIntegerField(db_default=0)
    total_time = models.PositiveBigIntegerField(db_default=0)
    waiting_time = models.PositiveBigIntegerField(db_default=0)
    model_time = models.PositiveBigIntegerField(db_default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["application", "day"], name="claim_day_once")
        ]


class JudgeDay(models.Model):
    """The work of a judge on an application's counted checks submitted on a day (UTC).

    The number of claims it `decided`, of claims it left to others while `unavailable`, and the
    `calls` and `tokens` of language models.
    """

    application = models.ForeignKey(
        Application, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    day = models.DateField()
    judge = models.CharField(max_length=160)
    decided = models.PositiveBigIntegerField()
    unavailable = models.PositiveBigIntegerField()
    calls = models.PositiveBigIntegerField()
    tokens = models.PositiveBigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["application", "day", "judge"], name="judge_day_once")
        ]


class DecidedDay(models.Model):
    """Counts of review decisions on a past day (UTC), which no longer change.

    `followed` is how many of the `decided` reviews were followed by another one; `sample_count` how
    many were of allowed, not fully checked answers that are also in the quality sample and were not
    followed.
    """

    application = models.ForeignKey(
        Application, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    day = models.DateField()
    reason = models.CharField(max_length=14)
    decision = models.CharField(max_length=10)
    decided = models.PositiveIntegerField()
    followed = models.PositiveIntegerField()
    sample_count = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["application", "day", "reason", "decision"], name="decided_day_once"
            )
        ]


class DecidedReach(models.Model):
    """The last day up to which `DecidedDay` is complete; at most one row."""

    day = models.DateField()
