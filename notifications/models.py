"""Who is told of what, and the outbox: each notification is a row until it has arrived."""

import secrets

import uuid_utils.compat as uuid
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from accounts.models import Application
from workqueue.models import LeasedModel


class Kind(models.TextChoices):
    """What is told of."""

    REVIEW_OVERDUE = "review.overdue", "a review is overdue"
    REVIEW_ESCALATED = "review.escalated", "a lead must settle a review"
    REJECTIONS_UNUSUAL = "rejections.unusual", "the rejection rate changed unusually"
    TEST = "test", "a test"


SUBSCRIBED = [kind for kind in Kind if kind is not Kind.TEST]


class Channel(models.TextChoices):
    """How it goes out."""

    EMAIL = "email", "e-mail"
    WEBHOOK = "webhook", "webhook"


class State(models.TextChoices):
    """Where a notification is."""

    QUEUED = "queued"
    RUNNING = "running"
    SENT = "sent"
    FAILED = "failed"
    WITHDRAWN = "withdrawn", "withdrawn (its cause was taken back, or it was switched off)"


def all_kinds() -> list[str]:
    """What a new subscription is told of."""
    return [str(kind) for kind in SUBSCRIBED]


def new_salt() -> str:
    """What tells the secret of one webhook from that of another."""
    return secrets.token_hex(16)


class Subscription(models.Model):
    """An address that is told of some events of one application. Switched off, never deleted.

    The secret of a webhook is not stored: `notifications.signing` derives it from `salt`.
    """

    application = models.ForeignKey(
        Application, on_delete=models.CASCADE, related_name="subscriptions"
    )
    channel = models.CharField(max_length=7, choices=Channel)
    target = models.CharField(
        "address", max_length=500, help_text="An e-mail address, or the URL of a webhook (https)."
    )
    kinds = ArrayField(
        models.CharField(max_length=20, choices=[(k.value, k.label) for k in SUBSCRIBED]),
        default=all_kinds,
    )
    is_active = models.BooleanField(default=True)
    salt = models.CharField(max_length=32, default=new_salt, editable=False)
    created_by = models.CharField(max_length=200, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["application", "channel", "target"],
                name="subscription_once_per_address",
                violation_error_message="This address has a subscription already.",
            ),
            models.CheckConstraint(
                condition=Q(channel__in=Channel.values), name="subscription_channel_known"
            ),
            models.CheckConstraint(
                condition=Q(kinds__contained_by=all_kinds()) & ~Q(kinds=[]),
                name="subscription_kinds_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_channel_display()} to {self.target}"


class Notification(LeasedModel):
    """One message to one subscription, written in the transaction of what it tells of.

    `key` names the cause: what is noticed twice is told once. `id` goes out with the message, so
    that a receiver knows one that comes twice.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid7, editable=False)
    subscription = models.ForeignKey(
        Subscription, on_delete=models.CASCADE, related_name="notifications"
    )
    kind = models.CharField(max_length=20, choices=Kind)
    key = models.CharField(max_length=200)
    data = models.JSONField()
    created_at = models.DateTimeField(db_default=Now())
    state = models.CharField(max_length=9, choices=State, default=State.QUEUED)
    sent_at = models.DateTimeField(null=True)

    class Meta(LeasedModel.Meta):
        indexes = [
            *LeasedModel.Meta.indexes,
            models.Index(fields=["subscription", "-id"], name="notification_newest"),
        ]
        constraints = [
            *LeasedModel.Meta.constraints,
            models.UniqueConstraint(fields=["subscription", "key"], name="notification_told_once"),
            models.CheckConstraint(
                condition=Q(kind__in=Kind.values), name="notification_kind_known"
            ),
            models.CheckConstraint(
                condition=Q(state__in=State.values), name="notification_state_known"
            ),
            models.CheckConstraint(
                condition=Q(state=State.SENT, sent_at__isnull=False)
                | (~Q(state=State.SENT) & Q(sent_at__isnull=True)),
                name="notification_sent_at_only_when_sent",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}, {self.created_at:%Y-%m-%d %H:%M}"
