"""Reviews: what a person has to decide about a check."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from accounts.models import Application
from analysis.models.check import Check


class ReviewReason(models.TextChoices):
    """Why a check is on the desk."""

    BLOCK = "block", "blocked"
    WARN = "warn", "warned"
    DEAD = "dead", "could not be checked"
    QUALITY_SAMPLE = "quality_sample", "drawn into the quality sample"


class ReviewDecision(models.TextChoices):
    """What the reviewer said."""

    CONFIRMED = "confirmed"
    OVERTURNED = "overturned"
    ESCALATED = "escalated"
    REPLAYED = "replayed", "replayed (a dead check, tried again)"


class Review(models.Model):
    """One check on the desk; open until `decision` is set."""

    check_record = models.ForeignKey(Check, on_delete=models.PROTECT, related_name="reviews")
    application = models.ForeignKey(Application, on_delete=models.PROTECT, related_name="reviews")
    reason = models.CharField(max_length=14, choices=ReviewReason)
    created_at = models.DateTimeField(db_default=Now())
    decision = models.CharField(  # noqa: DJ001  null until decided, as a paired field
        max_length=10, null=True, choices=ReviewDecision
    )
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT)
    decided_at = models.DateTimeField(null=True)
    note = models.TextField(blank=True, db_default="")

    class Meta:
        indexes = [
            models.Index(
                fields=["application", "created_at"],
                name="review_open",
                condition=Q(decision__isnull=True),
            )
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["check_record"],
                condition=Q(decision__isnull=True),
                name="review_one_open_per_check",
            ),
            models.CheckConstraint(
                condition=Q(reason__in=ReviewReason.values), name="review_reason_known"
            ),
            models.CheckConstraint(
                condition=Q(decision__isnull=True, decided_by__isnull=True, decided_at__isnull=True)
                | Q(
                    decision__isnull=False,
                    decision__in=ReviewDecision.values,
                    decided_by__isnull=False,
                    decided_at__isnull=False,
                ),
                name="review_decision_paired",
            ),
        ]

    def __str__(self) -> str:
        return f"review of {self.check_record_id}"
