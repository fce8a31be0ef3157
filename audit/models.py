"""The append-only trail: who did what to what, and when; and the seals that protect it.

Entries have no foreign keys, since history outlives its subjects. The database refuses to change or
remove a row (triggers in `migrations/guards.sql`).
"""

from datetime import UTC
from uuid import UUID

from django.db import models
from django.db.models.functions import Now
from django.utils.formats import date_format
from django.utils.translation import gettext, gettext_noop

NO_APPLICATION = UUID(int=0)  # the chain of entries that belong to no application


class Event(models.TextChoices):
    APPLICATION_CREATED = "application.created"
    API_KEY_CREATED = "api_key.created"
    API_KEY_REVOKED = "api_key.revoked"
    API_KEY_ROTATED = "api_key.rotated"
    API_KEY_CHANGED = "api_key.changed"
    ROLE_GRANTED = "role.granted"
    ROLE_WITHDRAWN = "role.withdrawn"
    POLICY_CREATED = "policy.created"
    POLICY_ACTIVATED = "policy.activated"
    POLICY_TRIAL_STARTED = "policy.trial_started"
    POLICY_TRIAL_ENDED = "policy.trial_ended"
    CHECK_SUBMITTED = "check.submitted"
    CHECK_DECIDED = "check.decided"
    CHECK_FAILED = "check.failed"
    CHECK_RELEASED = "check.released"  # a held answer: `data` has its state and the text's digest
    CHECK_REPLAYED = "check.replayed"
    CHECK_LINK_MADE = "check.link_made"
    CHECK_FEEDBACK_GIVEN = "check.feedback_given"
    CHECK_ERASED = "check.erased"  # `data`: the parts erased and why; by whom is the actor
    CONVERSATION_ERASED = "conversation.erased"  # `data`: how many turns, and why
    PERSON_ERASED = "person.erased"  # `data`: what was erased, by kind; never a name
    HOLD_PLACED = "hold.placed"
    HOLD_LIFTED = "hold.lifted"
    COLLECTION_CREATED = "collection.created"
    COLLECTION_CHANGED = "collection.changed"
    COLLECTION_REEMBEDDED = "collection.reembedded"
    COLLECTION_DELETED = "collection.deleted"
    DOCUMENT_UPLOADED = "document.uploaded"
    DOCUMENT_DELETED = "document.deleted"
    REVIEW_DECIDED = "review.decided"
    RECORD_EXPORTED = "export.record"
    REVIEWED_EXPORTED = "export.reviewed"
    CITEEVAL_EXPORTED = "export.citeeval"
    DASHBOARD_EXPORTED = "export.dashboard"
    HEADS_EXPORTED = "export.heads"
    EVIDENCE_EXPORTED = "export.evidence"
    PROBES_SENT = "probe.sent"  # a run of probes: `data` has the counts and what was not passed
    PROBE_CHANGED = "probe.changed"
    CASE_CHANGED = "case.changed"  # added or deleted: `data` says which
    CASES_RUN = "case.run"  # after a change of engine or judge: `data` has both and the outcome
    DRIFT_NOTICED = "drift.noticed"  # `data` has the tests
    REVIEW_UNDONE = "review.undone"
    REVIEW_CHANGED = "review.changed"  # assigned, skipped, snoozed, released: `data` says which
    REASON_CODE_CHANGED = "reason_code.changed"
    APPLICATION_CHANGED = "application.changed"
    MANAGER_CREATED = "manager.created"
    MANAGER_CHANGED = "manager.changed"
    MANAGER_DELETED = "manager.deleted"
    MEMORY_WRITTEN = "memory.written"
    MEMORY_UNDONE = "memory.undone"
    MEMORY_DELETED = "memory.deleted"
    MEMORY_EXPORTED = "memory.exported"
    TEAM_CHANGED = "team.changed"
    SUBSCRIPTION_CHANGED = "subscription.changed"
    USER_CREATED = "user.created"
    USER_CHANGED = "user.changed"  # linked, closed, opened, signed out…: `data`
    LOGGED_IN = "user.logged_in"
    LOGIN_FAILED = "user.login_failed"
    LOGIN_LOCKED = "user.login_locked"
    PASSWORD_CHANGED = "user.password_changed"  # noqa: S105  an event
    SECOND_FACTOR_CHANGED = "user.second_factor_changed"  # enrolled, removed, new codes: `data`
    SECOND_FACTOR_FAILED = "user.second_factor_failed"


_WORDINGS = {
    "Check link made": gettext_noop("Link to a check created"),
    "Check feedback given": gettext_noop("Feedback on a check given"),
    "Collection reembedded": gettext_noop("Collection embedded again"),
    "Check released": gettext_noop("Held answer settled"),
    "Hold placed": gettext_noop("Legal hold placed"),
    "Hold lifted": gettext_noop("Legal hold lifted"),
    "Dashboard exported": gettext_noop("Insights exported"),
    "Record exported": gettext_noop("Decision record exported"),
    "Reviewed exported": gettext_noop("Reviewed answers exported"),
    "Citeeval exported": gettext_noop("CiteEval data exported"),
    "Evidence exported": gettext_noop("Evidence pack exported"),
    "Heads exported": gettext_noop("Seals of the trail exported"),
    "Cases run": gettext_noop("Regression cases run again"),
    "Memory written": gettext_noop("Fact remembered"),
    "Memory undone": gettext_noop("Remembered fact taken back"),
    "Memory deleted": gettext_noop("Remembered facts deleted"),
}
"""Unclear labels, and the words that pages show instead."""


def event_words(label: str) -> str:
    """Return the label of an event, such as "Policy Trial Ended", as pages show it."""
    words = label.capitalize().replace("Api key", "API key")
    return gettext(_WORDINGS.get(words, words))


class TrailEntry(models.Model):
    """One event. `data` holds digests and identifiers, never content."""

    application_id = models.UUIDField(null=True)
    event = models.CharField(max_length=40, choices=Event)
    subject_type = models.CharField(max_length=40)
    subject_id = models.CharField(max_length=64)
    actor = models.CharField(max_length=200)
    data = models.JSONField(default=dict)
    occurred_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name_plural = "trail entries"
        indexes = [
            models.Index(fields=["application_id", "id"], name="trail_application"),
            models.Index(fields=["subject_type", "subject_id", "id"], name="trail_subject"),
            # Indexes only the rare events, not those of every check, so that their lists are short.
            models.Index(
                fields=["event", "id"],
                name="trail_rare_event",
                condition=~models.Q(event__in=[Event.CHECK_SUBMITTED, Event.CHECK_DECIDED]),
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(event__in=Event.values), name="trail_event_known"
            ),
            models.CheckConstraint(condition=~models.Q(actor=""), name="trail_actor_named"),
        ]

    def __str__(self) -> str:
        return f"{self.time_words} {self.event_words}"

    @property
    def time_words(self) -> str:
        """Return the time in UTC to the second, as the reader's language writes it."""
        occurred_at = self.occurred_at.astimezone(UTC)
        return f"{date_format(occurred_at, 'DATETIME_FORMAT')}:{occurred_at:%S}"

    @property
    def event_words(self) -> str:
        """Return the event in the reader's language."""
        return event_words(self.get_event_display())


class TrailSeal(models.Model):
    """Some entries of one chain (of one application), fixed for good. Never edited.

    It covers the chain's entries with ids above the previous seal and up to `up_to_id`, in the
    order of their ids: `entries` of them, the last of them the `position`-th of the chain. `hash`
    is the link after the last (`audit.sealing`), `signature` that of `audit.signing` on it.
    """

    chain = models.UUIDField()
    number = models.PositiveIntegerField()
    up_to_id = models.BigIntegerField()
    entries = models.PositiveIntegerField()
    position = models.PositiveBigIntegerField()
    leaves = models.BinaryField()
    previous_hash = models.BinaryField(max_length=32)
    hash = models.BinaryField(max_length=32)
    signature = models.BinaryField(max_length=64)
    key_name = models.CharField(max_length=16)
    sealed_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [models.Index(fields=["-up_to_id"], name="seal_watermark")]
        constraints = [
            models.UniqueConstraint(fields=["chain", "number"], name="seal_once_per_number"),
            models.UniqueConstraint(fields=["chain", "up_to_id"], name="seal_once_per_reach"),
            models.CheckConstraint(
                condition=models.Q(number__gte=1, entries__gte=1), name="seal_holds_something"
            ),
            models.CheckConstraint(
                condition=models.Q(position__gte=models.F("entries")), name="seal_position_reached"
            ),
        ]

    def __str__(self) -> str:
        return f"seal {self.number} of {self.chain}"
