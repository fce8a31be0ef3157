"""Tables behind the figures of the trends: the counted checks and the models that ran."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q

from accounts.models import Application
from analysis.models.check import Check
from analysis.trends.metrics import MAX_VALUE


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

    def __str__(self) -> str:
        return f"counted {self.check_record_id}"


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

    def __str__(self) -> str:
        return f"{self.signal}: {self.model} on {self.day}"


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

    def __str__(self) -> str:
        return f"{self.claims} claims on {self.day}"


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

    def __str__(self) -> str:
        return f"{self.judge} on {self.day}"


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

    def __str__(self) -> str:
        return f"{self.reason} {self.decision} on {self.day}"


class DecidedReach(models.Model):
    """The last day up to which `DecidedDay` is complete; at most one row."""

    day = models.DateField()

    def __str__(self) -> str:
        return f"up to {self.day}"
