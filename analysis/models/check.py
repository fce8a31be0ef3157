"""The table of checks: one submitted answer and its state. It is also the queue."""

from typing import TypeVar

import uuid_utils.compat as uuid
from django.contrib.postgres.indexes import GinIndex
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import Application, one_of
from analysis.engine.types import Action, RiskLevel
from lib.workqueue.models import LeasedModel


class CheckState(models.TextChoices):
    """The state of a check; `services.lifecycle` defines the allowed changes."""

    QUEUED = "queued", _("Queued")
    RUNNING = "running", _("Running")
    DONE = "done", _("Done")
    FAILED = "failed", _("Failed")


ENDED = (CheckState.DONE, CheckState.FAILED)
Row = TypeVar("Row", bound=models.Model)


class Traffic(models.Manager[Row]):
    """Rows that applications submitted.

    Probes are rows too until their run is over, or for as long as they are cases (`Case`), and are
    found by `everything` alone: no list, figure or notification may show one.
    """

    def get_queryset(self) -> models.QuerySet[Row]:
        return super().get_queryset().filter(is_probe=False)


class Batch(models.Model):
    """A list of answers submitted together. Refused items are kept in `errors`.

    `ended_at` is when all checks were noticed to have ended (`services.lifecycle.end_batches`).
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid7, editable=False)
    application = models.ForeignKey(Application, on_delete=models.PROTECT, related_name="batches")
    items_total = models.PositiveIntegerField()
    errors = models.JSONField(default=list)
    created_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True, editable=False)
    is_probe = models.BooleanField(default=False, db_default=False, editable=False)

    objects = Traffic()
    everything = models.Manager()  # noqa: DJ012  a manager too

    class Meta:
        verbose_name_plural = "batches"
        indexes = [models.Index(fields=["id"], name="batch_open", condition=Q(ended_at=None))]

    def __str__(self) -> str:
        return str(self.id)


class Check(LeasedModel):
    """One submitted answer: its input (a trigger refuses edits), state and outcome.

    `query … token_logprobs` are the input as submitted; if a conversation was sent, `query` and
    `answer` were taken from `messages`. Erased parts have the time of erasure; the trail says by
    whom and why (`services.erasure`).
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid7, editable=False)
    application = models.ForeignKey(Application, on_delete=models.PROTECT, related_name="checks")
    batch = models.ForeignKey(Batch, null=True, on_delete=models.PROTECT, related_name="checks")
    batch_index = models.PositiveIntegerField(null=True)
    submitted_by = models.CharField(max_length=200)
    is_probe = models.BooleanField(default=False, db_default=False, editable=False)

    query = models.TextField(blank=True)
    answer = models.TextField()
    sources = models.JSONField(null=True)
    collections = models.JSONField(default=list)
    scope = models.JSONField(default=dict)
    source_model = models.CharField(max_length=200, blank=True)
    metadata = models.JSONField(default=dict)
    samples = models.JSONField(default=list)
    token_logprobs = models.JSONField(null=True)
    messages = models.JSONField(null=True)
    input_sha256 = models.CharField(max_length=64)
    created_at = models.DateTimeField(db_default=Now())

    state = models.CharField(max_length=8, choices=CheckState, default=CheckState.QUEUED)

    action = models.CharField(max_length=5, null=True, choices=[(a, a) for a in Action])  # noqa: DJ001
    risk_level = models.CharField(  # noqa: DJ001  null until decided, as a paired field
        max_length=6, null=True, choices=[(level, level) for level in RiskLevel]
    )
    risk_score = models.PositiveSmallIntegerField(null=True)
    sampled = models.BooleanField(null=True)
    sampling_probability = models.FloatField(null=True)
    finished_at = models.DateTimeField(null=True)

    input_erased_at = models.DateTimeField(null=True, editable=False)
    result_erased_at = models.DateTimeField(null=True, editable=False)
    reviews_erased_at = models.DateTimeField(null=True, editable=False)

    objects = Traffic()
    everything = models.Manager()

    class Meta(LeasedModel.Meta):
        indexes = [
            *LeasedModel.Meta.indexes,
            models.Index(fields=["application", "-id"], name="check_by_application"),
            models.Index(fields=["action", "-id"], name="check_by_action"),
            models.Index(fields=["application", "action", "-id"], name="check_application_action"),
            models.Index(
                fields=["application", "risk_level", "-id"], name="check_application_level"
            ),
            models.Index(fields=["risk_level", "-id"], name="check_by_level"),
            models.Index(fields=["created_at"], name="check_by_date"),
            GinIndex(fields=["metadata"], opclasses=["jsonb_path_ops"], name="check_by_metadata"),
            models.Index(fields=["-id"], name="check_failed", condition=Q(state=CheckState.FAILED)),
        ]
        constraints = [
            *LeasedModel.Meta.constraints,
            models.CheckConstraint(
                condition=~Q(answer="") | Q(input_erased_at__isnull=False),
                name="check_answer_not_empty",
            ),
            models.CheckConstraint(
                # Claims, evidence and reviewers quote the input, so all of it is deleted together.
                condition=Q(input_erased_at__isnull=True)
                | Q(result_erased_at__isnull=False, reviews_erased_at__isnull=False),
                name="check_input_erased_last",
            ),
            models.CheckConstraint(
                condition=Q(messages=None) | Q(input_erased_at=None),
                name="check_messages_erased_with_input",
            ),
            one_of("check_state_known", "state", CheckState),
            models.CheckConstraint(
                # Each with `isnull=False`: a CHECK that comes out as NULL is satisfied.
                condition=Q(
                    state=CheckState.DONE,
                    action__isnull=False,
                    risk_level__isnull=False,
                    risk_score__isnull=False,
                    sampling_probability__isnull=False,
                    action__in=[str(a) for a in Action],
                    risk_level__in=[str(level) for level in RiskLevel],
                    risk_score__range=(0, 100),
                    sampled__isnull=False,
                    sampling_probability__range=(0, 1),
                    finished_at__isnull=False,
                )
                | (
                    ~Q(state=CheckState.DONE)
                    & Q(
                        action__isnull=True,
                        risk_level__isnull=True,
                        risk_score__isnull=True,
                        sampled__isnull=True,
                        sampling_probability__isnull=True,
                        finished_at__isnull=True,
                    )
                ),
                name="check_outcome_all_or_nothing",
            ),
            models.CheckConstraint(
                condition=Q(batch__isnull=True, batch_index__isnull=True)
                | Q(batch__isnull=False, batch_index__isnull=False),
                name="check_batch_paired",
            ),
            models.UniqueConstraint(fields=["batch", "batch_index"], name="check_batch_item_once"),
        ]

    def __str__(self) -> str:
        return str(self.id)

    @property
    def is_sampled(self) -> bool:
        """True if it is in the quality sample; False also while that is not drawn."""
        return bool(self.sampled)

    @property
    def labels(self) -> dict[str, object]:
        """The metadata that a person can read, such as a ticket; nested ones are for programs."""
        return {n: v for n, v in self.metadata.items() if not isinstance(v, dict | list)}


class IdempotencyKey(models.Model):
    """A client's `Idempotency-Key` with its request and what that request created.

    `made_id` is the id of an object of a package above this one; that object is never deleted.
    """

    application = models.ForeignKey(Application, on_delete=models.CASCADE)
    key = models.CharField(max_length=255)
    request_sha256 = models.CharField(max_length=64)
    check_made = models.ForeignKey(Check, null=True, on_delete=models.PROTECT)
    batch_made = models.ForeignKey(Batch, null=True, on_delete=models.PROTECT)
    made_id = models.UUIDField(null=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [models.Index(fields=["created_at"], name="idempotency_by_age")]
        constraints = [
            models.UniqueConstraint(fields=["application", "key"], name="idempotency_key_once"),
            models.CheckConstraint(
                condition=Q(
                    Q(check_made=None, batch_made=None) ^ Q(made_id=None),
                    Q(check_made=None) | Q(batch_made=None),
                ),
                name="idempotency_made_one_thing",
            ),
        ]


# Legal holds: prevent erasure whatever a retention period or a request says.


class LegalHold(models.Model):
    """A legal hold on one check, or on a whole application if `check_record` is null.

    It applies until it is lifted, and is never deleted. The trigger that guards erasure reads it.
    """

    application = models.ForeignKey(
        Application, on_delete=models.PROTECT, related_name="legal_holds"
    )
    check_record = models.ForeignKey(
        Check, null=True, blank=True, on_delete=models.PROTECT, related_name="legal_holds"
    )
    reason = models.CharField(max_length=500)
    placed_by = models.CharField(max_length=200, editable=False)
    placed_at = models.DateTimeField(db_default=Now(), editable=False)
    lifted_by = models.CharField(max_length=200, blank=True, db_default="", editable=False)
    lifted_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["application", "check_record"],
                condition=Q(lifted_at__isnull=True),
                nulls_distinct=False,
                name="legal_hold_once",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="legal_hold_has_a_reason"),
            models.CheckConstraint(
                condition=Q(lifted_at__isnull=True, lifted_by="")
                | (Q(lifted_at__isnull=False) & ~Q(lifted_by="")),
                name="legal_hold_lifted_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return gettext("hold on %s") % (self.check_record_id or self.application_id)

    def clean(self) -> None:
        """Require that a hold on a check belongs to the check's application."""
        check = self.check_record
        if check is not None and check.application_id != self.application_id:
            raise ValidationError({"check_record": _("This check belongs to another application.")})


# The table of end users' feedback on answers.

MOST_COMMENT = 2_000


class Feedback(models.Model):
    """One end user's feedback on one check; a later one replaces the earlier one.

    `giver` is a digest of the end user's token, or of the API key if there was none: it
    distinguishes people without naming them.
    """

    check_record = models.ForeignKey(Check, on_delete=models.PROTECT, related_name="feedback")
    application = models.ForeignKey(Application, on_delete=models.PROTECT, related_name="feedback")
    giver = models.CharField(max_length=64)
    helpful = models.BooleanField()
    comment = models.CharField(max_length=MOST_COMMENT, blank=True, db_default="")
    given_by = models.CharField(max_length=200)
    created_at = models.DateTimeField(db_default=Now())
    changed_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name_plural = "feedback"
        constraints = [
            models.UniqueConstraint(
                fields=["check_record", "giver"], name="feedback_one_word_each"
            ),
            models.CheckConstraint(
                condition=Q(giver__regex=r"^[0-9a-f]{64}$"), name="feedback_giver_is_a_digest"
            ),
            models.CheckConstraint(condition=~Q(given_by=""), name="feedback_given_by_somebody"),
        ]
