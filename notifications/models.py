"""Subscriptions and the outbox: each notification is a row until it has arrived."""

import secrets

import uuid_utils.compat as uuid
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import Application
from lib.workqueue.models import MAX_ERROR, LeasedModel


class EventKind(models.TextChoices):
    REVIEW_OVERDUE = "review.overdue", _("a review is overdue")
    REVIEW_ESCALATED = "review.escalated", _("a lead must settle a review")
    REJECTIONS_UNUSUAL = "rejections.unusual", _("the rejection rate changed unusually")
    CHECK_DONE = "check.done", _("a check has its verdict")
    CHECK_FAILED = "check.failed", _("a check was given up")
    BATCH_DONE = "batch.done", _("every check of a batch has ended")
    REVIEW_DECIDED = "review.decided", _("a review was decided")
    CHECK_RELEASED = "check.released", _("a held answer was approved, refused or not decided")
    PROBE_FAILED = "probe.failed", _("a probe of the guard did not pass")
    DRIFT_NOTICED = "drift.noticed", _("the answers, scores or overturned decisions have changed")
    CASES_FAILED = "cases.failed", _("regression cases do not pass after a change of the models")
    EVIDENCE_READY = "evidence.ready", _("the evidence pack of a month can be downloaded")
    TEST = "test", _("a test")


SUBSCRIBED = [kind for kind in EventKind if kind is not EventKind.TEST]
DESK = [
    EventKind.REVIEW_OVERDUE,
    EventKind.REVIEW_ESCALATED,
    EventKind.REJECTIONS_UNUSUAL,
    EventKind.PROBE_FAILED,
    EventKind.DRIFT_NOTICED,
    EventKind.CASES_FAILED,
    EventKind.EVIDENCE_READY,
]
"""Events that people receive, by e-mail too; the many others go to programs only."""
AT_ONCE = (EventKind.PROBE_FAILED, EventKind.CASES_FAILED)
"""Sent in quiet hours too: the guard does not work."""


class Channel(models.TextChoices):
    EMAIL = "email", _("e-mail")
    WEBHOOK = "webhook", _("webhook")


class NotificationState(models.TextChoices):
    QUEUED = "queued", _("Queued")
    RUNNING = "running", _("Running")
    SENT = "sent", _("Sent")
    FAILED = "failed", _("Failed")
    WITHDRAWN = "withdrawn", _("withdrawn (its cause was taken back, or it was switched off)")


def all_kinds() -> list[str]:
    return [str(kind) for kind in SUBSCRIBED]


def desk_kinds() -> list[str]:
    """Return the events for e-mail addresses, the default of new subscriptions."""
    return [str(kind) for kind in DESK]


def new_salt() -> str:
    """Return a salt that makes a webhook's secret unique."""
    return secrets.token_hex(16)


class Subscription(models.Model):
    """A subscription of an address to an application's events. Switched off, never deleted.

    A webhook's secret is not stored: `notifications.signing` derives it from `salt`. Until
    `previous_until` messages are also signed with the secret of `previous_salt`.
    """

    application = models.ForeignKey(
        Application, on_delete=models.CASCADE, related_name="subscriptions"
    )
    channel = models.CharField(max_length=7, choices=Channel)
    target = models.CharField(
        "address",
        max_length=500,
        help_text=_("An e-mail address, or the URL of a webhook (https)."),
    )
    kinds = ArrayField(
        models.CharField(max_length=20, choices=[(k.value, k.label) for k in SUBSCRIBED]),
        default=desk_kinds,
    )
    is_active = models.BooleanField(_("active"), default=True)
    quiet_from = models.TimeField(
        null=True,
        blank=True,
        help_text=_(
            "In quiet hours, in the time zone of the desk, nothing that can wait is sent, and what "
            "waited follows at their end."
        ),
    )
    quiet_until = models.TimeField(null=True, blank=True)
    salt = models.CharField(max_length=32, default=new_salt, editable=False)
    previous_salt = models.CharField(
        max_length=32, blank=True, default="", db_default="", editable=False
    )
    previous_until = models.DateTimeField(null=True, editable=False)
    created_by = models.CharField(max_length=200, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("webhook or e-mail")
        verbose_name_plural = _("webhooks and e-mails")
        constraints = [
            models.UniqueConstraint(
                fields=["application", "channel", "target"],
                name="subscription_once_per_address",
                violation_error_message=_("This address has a subscription already."),
            ),
            models.CheckConstraint(
                condition=Q(channel__in=Channel.values), name="subscription_channel_known"
            ),
            models.CheckConstraint(
                condition=Q(kinds__contained_by=all_kinds()) & ~Q(kinds=[]),
                name="subscription_kinds_known",
            ),
            models.CheckConstraint(
                condition=~Q(channel=Channel.EMAIL) | Q(kinds__contained_by=desk_kinds()),
                name="subscription_mail_is_for_the_desk",
                violation_error_message=_(
                    "E-mail is possible for reviews, rejections, drift, probes, cases and evidence "
                    "packs only."
                ),
            ),
            models.CheckConstraint(
                condition=Q(quiet_from=None, quiet_until=None)
                | Q(quiet_from__isnull=False, quiet_until__isnull=False),
                name="subscription_quiet_hours_end",
                violation_error_message=_("Quiet hours have a beginning and an end."),
            ),
        ]

    def __str__(self) -> str:
        words = {"channel": self.get_channel_display(), "target": self.target}
        return gettext("%(channel)s to %(target)s") % words


class Notification(LeasedModel):
    """One message to one subscription, written in the transaction of its cause.

    `key` names the cause, so that it is notified once. `id` is sent with the message, so that a
    receiver recognises a repetition.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid7, editable=False)
    subscription = models.ForeignKey(
        Subscription, on_delete=models.CASCADE, related_name="notifications"
    )
    kind = models.CharField(max_length=20, choices=EventKind)
    key = models.CharField(max_length=200)
    data = models.JSONField()
    created_at = models.DateTimeField(db_default=Now())
    state = models.CharField(
        max_length=9, choices=NotificationState, default=NotificationState.QUEUED
    )
    sent_at = models.DateTimeField(null=True)

    class Meta(LeasedModel.Meta):
        indexes = [
            *LeasedModel.Meta.indexes,
            models.Index(fields=["subscription", "-id"], name="notification_newest"),
            models.Index(fields=["created_at"], name="notification_by_age"),
        ]
        constraints = [
            *LeasedModel.Meta.constraints,
            models.UniqueConstraint(fields=["subscription", "key"], name="notification_told_once"),
            models.CheckConstraint(
                condition=Q(kind__in=EventKind.values), name="notification_kind_known"
            ),
            models.CheckConstraint(
                condition=Q(state__in=NotificationState.values), name="notification_state_known"
            ),
            models.CheckConstraint(
                condition=Q(state=NotificationState.SENT, sent_at__isnull=False)
                | (~Q(state=NotificationState.SENT) & Q(sent_at__isnull=True)),
                name="notification_sent_at_only_when_sent",
            ),
        ]

    def __str__(self) -> str:
        created_at = date_format(localtime(self.created_at), "DATETIME_FORMAT")
        return f"{self.get_kind_display()}, {created_at}"


class Attempt(models.Model):
    """One attempt to deliver a notification, and its result.

    `status` is that of the receiver's response, null without one and for e-mail; `error` is empty
    if it arrived.
    """

    notification = models.ForeignKey(Notification, on_delete=models.CASCADE, related_name="tries")
    at = models.DateTimeField(db_default=Now())
    status = models.PositiveSmallIntegerField(null=True)
    error = models.CharField(max_length=MAX_ERROR, blank=True)
    milliseconds = models.PositiveIntegerField()

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        at = date_format(localtime(self.at), "DATETIME_FORMAT")
        return f"{at}: {self.error or self.status or 'sent'}"
