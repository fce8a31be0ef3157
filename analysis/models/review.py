"""Reviews: the decisions that people make about checks."""

from django.conf import settings
from django.db import models
from django.db.models import Q, Value
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import Application, Team, one_of
from analysis.models.check import Check


class ReviewReason(models.TextChoices):
    """The reason why a check is on the review desk."""

    BLOCK = "block", _("blocked")
    WARN = "warn", _("warned")
    FAILED = "failed", _("could not be checked")
    NOT_CHECKED = "not_checked", _("allowed, not fully checked")
    QUALITY_SAMPLE = "quality_sample", _("sampled for quality review")
    HELD = "held", _("held until a person approves it")


class ReviewDecision(models.TextChoices):
    """A reviewer's decision. APPROVED and REFUSED are those on a held answer."""

    CONFIRMED = "confirmed", _("Confirmed")
    OVERTURNED = "overturned", _("Overturned")
    ESCALATED = "escalated", _("Escalated")
    REPLAYED = "replayed", _("retried (a failed check)")
    APPROVED = "approved", _("Approved")
    REFUSED = "refused", _("Refused")


class Opinion(models.TextChoices):
    """A reviewer's first opinion of an answer, given before its verdict is shown."""

    SHOW = "show", _("I would show it")
    WITHHOLD = "withhold", _("I would not show it")
    UNSURE = "unsure", _("I cannot say")


class ReviewStage(models.TextChoices):
    """The stage of a review: first, second (blind but for held answers), or adjudication."""

    FIRST = "first", _("first review")
    SECOND = "second", _("second review")
    ADJUDICATION = "adjudication", _("adjudication by a lead")


class Review(models.Model):
    """One check on the desk, and one person's decision on it; open until `decision` is set.

    The desk offers what has the lowest `rank_at`: the time it came, put back by
    MINUTES_A_POINT for each point of `risk`. Whoever claims it holds it until `lease_until`.
    `version` grows with each change that another person may have to know of. A decision may be
    undone for a minute and is then fixed: a trigger refuses any change of it. `work_began_at`: when
    who holds it, or decided it, took it; null where it was decided without being taken. `opinion`
    and `evidence_seconds` are of the same person; the browser counts those seconds.
    """

    MINUTES_A_POINT = 6
    OPEN, DECIDED = "open", "decided"

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
    opinion = models.CharField(  # noqa: DJ001  null where none was asked for
        max_length=8, null=True, choices=Opinion, editable=False
    )
    evidence_seconds = models.PositiveIntegerField(null=True, editable=False)
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
            one_of("review_reason_known", "reason", ReviewReason),
            one_of("review_stage_known", "stage", ReviewStage),
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

    @property
    def state(self) -> str:
        """OPEN or DECIDED."""
        return self.DECIDED if self.decision else self.OPEN

    @property
    def is_overdue(self) -> bool:
        """True if it is open and past its due time."""
        return bool(not self.decision and self.due_at and self.due_at < timezone.now())


class HoldState(models.TextChoices):
    """The state of a held answer; an approved text that a person has changed is `edited`."""

    AWAITING = "awaiting", _("awaiting review")
    APPROVED = "approved", _("approved")
    EDITED = "edited", _("approved in other words")
    REFUSED = "refused", _("refused")
    EXPIRED = "expired", _("not decided in time")


class HeldAnswer(models.Model):
    """The hold on the answer of a check, by its decision's terms (`analysis.engine`'s `Hold`).

    `review` is the one that decided it. After `due_at` the terms decide, and it has expired; a
    person may still decide it then.
    """

    check_record = models.OneToOneField(
        Check, primary_key=True, on_delete=models.PROTECT, related_name="held"
    )
    state = models.CharField(max_length=8, choices=HoldState, default=HoldState.AWAITING)
    due_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True)
    review = models.OneToOneField(
        Review, null=True, on_delete=models.PROTECT, related_name="settled_hold"
    )

    class Meta:
        indexes = [
            models.Index(
                fields=["due_at"], name="held_awaiting", condition=Q(state=HoldState.AWAITING)
            )
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(state=HoldState.AWAITING, settled_at__isnull=True, review__isnull=True)
                | Q(state=HoldState.EXPIRED, settled_at__isnull=False, review__isnull=True)
                | Q(
                    state__in=(HoldState.APPROVED, HoldState.EDITED, HoldState.REFUSED),
                    settled_at__isnull=False,
                    review__isnull=False,
                ),
                name="held_answer_settled_by_somebody",
            )
        ]
