"""Reviews: the decisions that people make about checks."""

from django.conf import settings
from django.db import models
from django.db.models import Q, Value
from django.db.models.functions import Now
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import Application, Team
from analysis.models.check import Check


class ReviewReason(models.TextChoices):
    """The reason why a check is on the review desk."""

    BLOCK = "block", _("blocked")
    WARN = "warn", _("warned")
    FAILED = "failed", _("could not be checked")
    NOT_CHECKED = "not_checked", _("allowed, not fully checked")
    QUALITY_SAMPLE = "quality_sample", _("sampled for quality review")


class ReviewDecision(models.TextChoices):
    """A reviewer's decision."""

    CONFIRMED = "confirmed", _("Confirmed")
    OVERTURNED = "overturned", _("Overturned")
    ESCALATED = "escalated", _("Escalated")
    REPLAYED = "replayed", _("retried (a failed check)")


class ReviewStage(models.TextChoices):
    """The stage of a review: first, blind second, or adjudication."""

    FIRST = "first", _("first review")
    SECOND = "second", _("second review, blind to the first")
    ADJUDICATION = "adjudication", _("adjudication by a lead")


class Review(models.Model):
    """One check on the desk, and one person's decision on it; open until `decision` is set.

    The desk offers what has the lowest `rank_at`: the time it came, put back by
    MINUTES_A_POINT for each point of `risk`. Whoever claims it holds it until `lease_until`.
    `version` grows with each change that another person may have to know of. A decision may be
    undone for a minute and is then fixed: a trigger refuses any change of it. `work_began_at`: when
    who holds it, or decided it, took it; null where it was decided without being taken.
    """

    MINUTES_A_POINT = 6

    check_record = models.ForeignKey(Check, on_delete=models.PROTECT, related_name="reviews")
    application = models.ForeignKey(Application, on_delete=models.PROTECT, related_name="reviews")
    reason = models.CharField(max_length=14, choices=ReviewReason)
    stage = models.CharField(
        max_length=12,
        choices=ReviewStage,
        default=ReviewStage.FIRST,
        db_default=ReviewStage.FIRST.value,
    )
    created_at = models.DateTimeField(db_default=Now())
    risk = models.PositiveSmallIntegerField(default=0, db_default=0)
    rank_at = models.DateTimeField(db_default=Now())
    due_at = models.DateTimeField(null=True)
    overdue_notified_at = models.DateTimeField(null=True)
    version = models.PositiveIntegerField(default=1, db_default=1)
    claimed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.PROTECT,
        related_name="claimed_reviews",
    )
    lease_until = models.DateTimeField(null=True)
    work_began_at = models.DateTimeField(null=True, editable=False)
    assigned_to = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.PROTECT,
        related_name="assigned_reviews",
    )
    assigned_team = models.ForeignKey(
        Team, null=True, on_delete=models.SET_NULL, related_name="assigned_reviews"
    )
    snoozed_until = models.DateTimeField(null=True)
    decision = models.CharField(  # noqa: DJ001  null until decided, as a paired field
        max_length=10, null=True, choices=ReviewDecision
    )
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT)
    decided_at = models.DateTimeField(null=True)
    note = models.TextField(blank=True, db_default="")
    reason_codes = models.JSONField(default=list, db_default=Value([], models.JSONField()))
    corrected_text = models.TextField(blank=True, default="", db_default="")

    class Meta:
        indexes = [
            models.Index(
                fields=["application", "created_at"],
                name="review_open",
                condition=Q(decision__isnull=True),
            ),
            models.Index(
                fields=["rank_at", "id"], name="review_rank", condition=Q(decision__isnull=True)
            ),
            models.Index(
                fields=["application", "rank_at", "id"],
                name="review_offered",
                condition=Q(decision__isnull=True),
            ),
            models.Index(
                fields=["application", "due_at"],
                name="review_due",
                condition=Q(decision__isnull=True),
            ),
            models.Index(
                fields=["due_at", "id"],
                name="review_overdue_unnotified",
                condition=Q(decision__isnull=True, overdue_notified_at__isnull=True),
            ),
            models.Index(
                fields=["claimed_by"], name="review_claimed", condition=Q(decision__isnull=True)
            ),
            models.Index(
                fields=["assigned_to", "rank_at"],
                name="review_assigned",
                condition=Q(decision__isnull=True, assigned_to__isnull=False),
            ),
            models.Index(
                fields=["assigned_team", "rank_at"],
                name="review_assigned_team",
                condition=Q(decision__isnull=True, assigned_team__isnull=False),
            ),
            models.Index(
                fields=["application", "-decided_at"],
                include=["reason", "decision"],
                name="review_decided_how",
                condition=Q(decision__isnull=False),
            ),
            models.Index(
                fields=["check_record"], name="review_further", condition=~Q(stage="first")
            ),
            models.Index(
                fields=["decided_by", "-decided_at"],
                name="review_by_person",
                condition=Q(decision__isnull=False),
            ),
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
                condition=Q(stage__in=ReviewStage.values), name="review_stage_known"
            ),
            models.CheckConstraint(
                condition=Q(assigned_to__isnull=True) | Q(assigned_team__isnull=True),
                name="review_assigned_to_one",
            ),
            models.CheckConstraint(condition=Q(risk__lte=100), name="review_risk_is_a_score"),
            models.CheckConstraint(
                condition=Q(claimed_by__isnull=True, lease_until__isnull=True)
                | Q(claimed_by__isnull=False, lease_until__isnull=False, decision__isnull=True),
                name="review_lease_paired_while_open",
            ),
            models.CheckConstraint(
                condition=Q(decision__isnull=False)
                | Q(note="", corrected_text="", reason_codes=[]),
                name="review_words_only_with_a_decision",
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
        return gettext("review of %s") % self.check_record_id
