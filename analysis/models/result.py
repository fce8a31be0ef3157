"""The stored result of a check: the annotated answer and its claims. Never edited."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from accounts.models import one_of
from analysis.engine.types import ClaimStatus, LowConfidenceReason
from analysis.models.check import Check
from analysis.models.policy import Policy


class AnnotatedAnswer(models.Model):
    """The result of a check: `measurement` (the facts) and `decision` (the policy's outcome).

    `decision` is a pure function of the check's answer, `measurement` and `policy.rules` in
    `engine_version`. Each claim stores its own part of both documents. `suggestions` are questions
    offered instead of a refused one (null: decided before they existed).
    """

    check_record = models.OneToOneField(
        Check, primary_key=True, on_delete=models.PROTECT, related_name="annotated_answer"
    )
    policy = models.ForeignKey(Policy, on_delete=models.PROTECT, related_name="annotated_answers")
    engine_version = models.CharField(max_length=40)
    measurement = models.JSONField()
    decision = models.JSONField()
    suggestions = models.JSONField(null=True)
    milliseconds = models.FloatField()
    created_at = models.DateTimeField(db_default=Now())


class Claim(models.Model):
    """One atomic statement of an answer, its signals and its decision.

    `start` and `end` are code points into the answer. `signal` and `decision` are the
    `VerifierSignal` and `ClaimDecision` documents.
    """

    annotated_answer = models.ForeignKey(
        AnnotatedAnswer, on_delete=models.PROTECT, related_name="claims", db_index=False
    )
    claim_id = models.CharField(max_length=12)
    text = models.TextField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    subject = models.TextField(blank=True)
    extraction_method = models.CharField(max_length=60)
    status = models.CharField(max_length=14, choices=[(s, s) for s in ClaimStatus])
    reason = models.CharField(
        max_length=20, blank=True, choices=[(r, r) for r in LowConfidenceReason]
    )
    signal = models.JSONField()
    decision = models.JSONField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["annotated_answer", "claim_id"], name="claim_once_per_answer"
            ),
            models.CheckConstraint(
                condition=Q(end__gt=models.F("start")), name="claim_span_ordered"
            ),
            one_of("claim_status_known", "status", ClaimStatus),
            models.CheckConstraint(
                condition=Q(
                    status=str(ClaimStatus.LOW_CONFIDENCE),
                    reason__in=[str(r) for r in LowConfidenceReason],
                )
                | (~Q(status=str(ClaimStatus.LOW_CONFIDENCE)) & Q(reason="")),
                name="claim_reason_only_under_low_confidence",
            ),
        ]

    def __str__(self) -> str:
        return self.claim_id
