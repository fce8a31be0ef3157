"""Tables of conversations, turns and evidence; turns and briefing mails are also queues.

A question is accepted once its row is committed; a worker claims and answers it (`workqueue`).
"""

import uuid_utils.compat as uuid
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from accounts.models import Application
from analysis.models import Check
from lib.workqueue.models import LeasedModel
from memory.models import Manager

MOST_TITLE = 120


class Conversation(models.Model):
    """One manager's conversation.

    A question may depend on the one before it; only memory carries facts over.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid7, editable=False)
    manager = models.ForeignKey(Manager, on_delete=models.PROTECT, related_name="conversations")
    title = models.CharField(max_length=MOST_TITLE, blank=True, db_default="")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        indexes = [models.Index(fields=["manager", "-id"], name="conversation_by_manager")]

    def __str__(self) -> str:
        return self.title or str(self.id)


class TurnState(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


OPEN = (TurnState.QUEUED, TurnState.RUNNING)
ENDED = (TurnState.DONE, TurnState.FAILED)


class Step(models.TextChoices):
    """The step in answering a question; shown while its manager waits."""

    WAITING = "waiting"
    RETRIEVING = "retrieving", _("searching the documents")
    WEATHER = "weather", _("asking for the weather")
    MEMORY = "memory", _("reading what you told me")
    WRITING = "writing", _("writing the answer")
    CHECKING = "checking", _("checking the answer")
    DONE = "done"


class Turn(LeasedModel):
    """A question and its answer.

    `collections` and `documents` (a choice by metadata) bound what is searched; empty: everything.
    `check_record` is the check of the answer; null if nothing was found and so nothing claimed.
    `answer` is what the manager is shown. `writing` says who wrote it and how, and what is shown
    beside it; `arrived` what each source had brought before the answer was written; `memory` what
    was remembered of the manager's words; `milliseconds` how long each step took.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid7, editable=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.PROTECT, related_name="turns")
    application = models.ForeignKey(Application, on_delete=models.PROTECT, related_name="turns")
    question = models.TextField()
    collections = models.JSONField(default=list)
    documents = models.JSONField(default=dict, db_default={})
    asked_by = models.CharField(max_length=200)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    state = models.CharField(
        max_length=7, choices=TurnState, default=TurnState.QUEUED, db_default="queued"
    )
    step = models.CharField(max_length=10, choices=Step, default=Step.WAITING, db_default="waiting")

    check_record = models.OneToOneField(
        Check, null=True, on_delete=models.PROTECT, related_name="assistant_turn"
    )
    answer = models.TextField(blank=True, db_default="")
    arrived = models.JSONField(default=dict, db_default={})
    writing = models.JSONField(null=True)
    memory = models.JSONField(null=True)
    milliseconds = models.JSONField(default=dict)
    finished_at = models.DateTimeField(null=True)

    class Meta(LeasedModel.Meta):
        indexes = [
            *LeasedModel.Meta.indexes,
            models.Index(fields=["conversation", "id"], name="turn_by_conversation"),
            models.Index(
                fields=["conversation"],
                name="turn_open",
                condition=Q(state__in=["queued", "running"]),
            ),
        ]
        constraints = [
            *LeasedModel.Meta.constraints,
            models.CheckConstraint(condition=~Q(question=""), name="turn_asks_something"),
            models.CheckConstraint(
                condition=Q(state__in=TurnState.values), name="turn_state_known"
            ),
            models.CheckConstraint(condition=Q(step__in=Step.values), name="turn_step_known"),
            models.CheckConstraint(
                condition=Q(state="done", writing__isnull=False, finished_at__isnull=False)
                | (~Q(state="done") & Q(finished_at__isnull=True)),
                name="turn_done_with_its_answer",
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)

    def notes_before(self) -> frozenset[str]:
        """Return the notes of the conversation's earlier answers. One query."""
        turns = Turn.objects.filter(conversation=self.conversation_id, pk__lt=self.pk)
        rows = turns.exclude(writing=None).values_list("writing__notes", flat=True)
        return frozenset(note for notes in rows for note in notes or ())


class TurnEvidence(models.Model):
    """The evidence of one turn before anything was written. Never edited: a trigger refuses it.

    `sha256` is also in the metadata of the turn's check.
    """

    turn = models.OneToOneField(
        Turn, primary_key=True, on_delete=models.PROTECT, related_name="evidence"
    )
    contents = models.JSONField()
    sha256 = models.CharField(max_length=64)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    def __str__(self) -> str:
        return f"evidence of {self.turn_id}"


class TokenUse(models.Model):
    """Tokens that an application has spent on language models on one day (UTC)."""

    application = models.ForeignKey(Application, on_delete=models.CASCADE, related_name="+")
    day = models.DateField()
    tokens = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["application", "day"], name="token_use_once_a_day")
        ]

    def __str__(self) -> str:
        return f"{self.tokens} tokens on {self.day}"


class BriefingSchedule(models.Model):
    """The schedule of a manager's briefing: a local time on these days (Monday is 0).

    `last_on` is the local day of the last one, so that each day's is started once.
    """

    manager = models.OneToOneField(
        Manager, primary_key=True, on_delete=models.CASCADE, related_name="briefing_schedule"
    )
    email = models.EmailField()
    at = models.TimeField()
    timezone = models.CharField(max_length=64)
    weekdays = models.JSONField(default=list)
    is_active = models.BooleanField(default=True, db_default=True)
    last_on = models.DateField(null=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    def __str__(self) -> str:
        return f"{self.at:%H:%M} {self.timezone}"


class MailState(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    SENT = "sent"
    FAILED = "failed"


class BriefingMail(LeasedModel):
    """The mail of a briefing, sent once its questions are answered."""

    conversation = models.OneToOneField(
        Conversation, on_delete=models.CASCADE, related_name="briefing_mail"
    )
    email = models.EmailField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    state = models.CharField(
        max_length=7, choices=MailState, default=MailState.QUEUED, db_default="queued"
    )
    sent_at = models.DateTimeField(null=True)

    class Meta(LeasedModel.Meta):
        constraints = [
            *LeasedModel.Meta.constraints,
            models.CheckConstraint(
                condition=Q(state__in=MailState.values), name="briefing_mail_state_known"
            ),
            models.CheckConstraint(
                condition=Q(state="sent", sent_at__isnull=False)
                | (~Q(state="sent") & Q(sent_at__isnull=True)),
                name="briefing_mail_sent_at_only_when_sent",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.conversation_id} {self.state}"
