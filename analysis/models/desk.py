"""Tables around a review: instructions, reason codes, judged claims, skips and drafts."""

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from accounts.models import Application, one_of
from analysis.engine.types import ClaimStatus
from analysis.models.result import Claim
from analysis.models.review import Review, ReviewDecision, ReviewReason

_CHOSEN = (ReviewDecision.CONFIRMED, ReviewDecision.OVERTURNED, ReviewDecision.ESCALATED)


class ReasonCode(models.Model):
    """A reason for review decisions, from a short list maintained by superusers.

    Decisions store the code itself, so a code is never deleted or renamed, only retired.
    """

    code = models.SlugField(max_length=40, unique=True)
    label = models.CharField(max_length=80)
    decision = models.CharField(
        max_length=10,
        blank=True,
        choices=[(d.value, d.label) for d in _CHOSEN],
        help_text=_("The decision that it gives a reason for; empty for any."),
    )
    position = models.PositiveSmallIntegerField(default=100)
    is_active = models.BooleanField(default=True)

    class Meta:
        ordering = ["position", "code"]
        constraints = [
            models.CheckConstraint(
                condition=Q(decision__in=["", *(d.value for d in _CHOSEN)]),
                name="reason_code_decision_known",
            )
        ]

    def __str__(self) -> str:
        return self.label


class QueueInstructions(models.Model):
    """A lead's instructions to the reviewers of a queue, or of all of an application's."""

    application = models.ForeignKey(
        Application, on_delete=models.CASCADE, related_name="instructions"
    )
    reason = models.CharField(
        max_length=14,
        blank=True,
        choices=ReviewReason,
        verbose_name=_("queue"),
        help_text=_("Empty: for all queues."),
    )
    text = models.TextField(max_length=10_000)

    class Meta:
        verbose_name = _("instructions")
        verbose_name_plural = _("instructions")
        constraints = [
            models.UniqueConstraint(
                fields=["application", "reason"],
                name="queue_instructions_once",
                violation_error_message=_("This queue has instructions already."),
            ),
            models.CheckConstraint(
                condition=Q(reason__in=["", *ReviewReason.values]),
                name="queue_instructions_reason_known",
            ),
        ]

    def __str__(self) -> str:
        return str(ReviewReason(self.reason).label if self.reason else _("all queues"))


class SamplingPlan(models.Model):
    """The largest share of wrong decisions that an application's lead accepts.

    In each stratum, at most `most_error` of the decisions are wrong, with this `confidence`, by the
    quality sample of the last `days`. `automatic`: the sample's share follows from it, up to
    `most_share`.
    """

    application = models.OneToOneField(
        Application, primary_key=True, on_delete=models.CASCADE, related_name="sampling_plan"
    )
    most_error = models.FloatField(
        _("highest share of wrong decisions"),
        default=0.02,
        validators=[MinValueValidator(0.001), MaxValueValidator(0.5)],
    )
    confidence = models.FloatField(
        _("certainty"),
        default=0.95,
        validators=[MinValueValidator(0.5), MaxValueValidator(0.999)],
    )
    days = models.PositiveIntegerField(
        _("days up to now"),
        default=90,
        validators=[MinValueValidator(1), MaxValueValidator(366)],
    )
    by_action = models.BooleanField(_("by action"), default=True)
    by_band = models.BooleanField(_("by band of the risk score"), default=False)
    by_segment = models.BooleanField(_("by model that wrote the answer"), default=False)
    automatic = models.BooleanField(
        _("automatic"),
        default=False,
        help_text=_("The share of the quality sample is set so that the plan can be met."),
    )
    most_share = models.FloatField(
        _("highest automatic share"),
        default=0.2,
        validators=[MinValueValidator(0.0), MaxValueValidator(1.0)],
    )

    def __str__(self) -> str:
        return f"{self.application}: at most {self.most_error:g}, {self.confidence:g}"


class ClaimVerdict(models.Model):
    """A reviewer's verdict on a claim, which confirms or overrides the engine's status.

    A trigger ensures that the claim belongs to the reviewed check. A foreign key cannot: claims are
    partitioned, and an id alone is not unique.
    """

    review = models.ForeignKey(Review, on_delete=models.PROTECT, related_name="claim_verdicts")
    claim = models.ForeignKey(
        Claim, on_delete=models.PROTECT, related_name="verdicts", db_constraint=False
    )
    status = models.CharField(max_length=14, choices=[(s, s) for s in ClaimStatus])
    agrees = models.BooleanField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["review", "claim"], name="claim_verdict_once"),
            one_of("claim_verdict_status_known", "status", ClaimStatus),
        ]


class ReviewSkip(models.Model):
    """A record that somebody passed an item on, so that it is not offered to them again."""

    review = models.ForeignKey(Review, on_delete=models.CASCADE, related_name="skips")
    skipped_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    reason = models.CharField(max_length=500)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["review", "skipped_by"], name="review_skip_once"),
            models.CheckConstraint(condition=~Q(reason=""), name="review_skip_has_a_reason"),
        ]


class ReviewDraft(models.Model):
    """A reviewer's unfinished decision; deleted with the decision."""

    review = models.ForeignKey(Review, on_delete=models.CASCADE, related_name="drafts")
    written_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    fields = models.JSONField(default=dict)
    updated_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["review", "written_by"], name="review_draft_once")
        ]
