"""Tables of managers and the facts they stated.

A fact about a manager belongs to that manager, one about the site to the application. An entry is
never edited: another value of the same slot supersedes it, and both stay with their dates. Deleting
an entry deletes the row, with the earlier values that it superseded.
"""

import uuid_utils.compat as uuid
from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from pgvector.django import HalfVectorField

from accounts.models import Application

DIMENSIONS = 384
MOST_NAME = 120
MOST_TEXT = 500
MOST_SLOT = 200
MOST_VALUE = 200
MOST_SOURCE = 200


class Manager(models.Model):
    """A person who asks the assistant, within one application. `user`: their account, if any."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid7, editable=False)
    application = models.ForeignKey(Application, on_delete=models.PROTECT, related_name="managers")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="managers",
    )
    name = models.CharField(max_length=MOST_NAME)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["application", "name"], name="manager_name_once_per_application"
            ),
            models.UniqueConstraint(
                fields=["application", "user"], name="manager_once_per_user_and_application"
            ),
            # What the foreign keys of entries point to, so that none leads to a stranger's.
            models.UniqueConstraint(fields=["id", "application"], name="manager_in_application"),
            models.CheckConstraint(condition=~Q(name=""), name="manager_is_named"),
        ]

    def __str__(self) -> str:
        return self.name


class Target(models.TextChoices):
    USER = "user", _("the manager's own")
    COMPANY = "company", _("the application's")


class Origin(models.TextChoices):
    STATED = "stated", _("stated in a conversation")
    CORRECTED = "corrected", _("corrected by hand")
    IMPORTED = "imported", _("imported from a file")


class MemoryEntry(models.Model):
    """One fact, in the words of the manager who stated it.

    `manager` is the owner of a user fact and empty for a company fact; `stated_by` said it. `slot`
    names what has one value at a time ("limit m/s scaffold wind"), `value` that value; a fact
    without a slot has neither. `source` says where it was said, `judge` who selected it.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid7, editable=False)
    application = models.ForeignKey(Application, on_delete=models.PROTECT, related_name="+")
    target = models.CharField(max_length=7, choices=Target)
    manager = models.ForeignKey(
        Manager, on_delete=models.CASCADE, null=True, related_name="entries"
    )
    stated_by = models.ForeignKey(
        Manager, on_delete=models.SET_NULL, null=True, related_name="stated"
    )
    text = models.CharField(max_length=MOST_TEXT)
    slot = models.CharField(max_length=MOST_SLOT, blank=True, db_default="")
    value = models.CharField(max_length=MOST_VALUE, blank=True, db_default="")
    confidence = models.FloatField()
    judge = models.CharField(max_length=160)
    origin = models.CharField(max_length=9, choices=Origin, db_default="stated")
    source = models.CharField(max_length=MOST_SOURCE, blank=True, db_default="")
    embedding = HalfVectorField(dimensions=DIMENSIONS)
    embedding_model = models.CharField(max_length=160)
    stated_at = models.DateTimeField(db_default=Now())
    superseded_at = models.DateTimeField(null=True)
    superseded_by = models.ForeignKey(
        "self", on_delete=models.CASCADE, null=True, related_name="supersedes"
    )

    class Meta:
        verbose_name_plural = "memory entries"
        indexes = [
            models.Index(
                fields=["application", "target", "manager"],
                name="memory_active",
                condition=Q(superseded_at=None),
            )
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(target="user", manager__isnull=False)
                | Q(target="company", manager__isnull=True),
                name="memory_user_fact_has_its_manager",
            ),
            models.CheckConstraint(
                condition=Q(superseded_at=None, superseded_by=None)
                | Q(superseded_at__isnull=False, superseded_by__isnull=False),
                name="memory_superseded_at_and_by",
            ),
            models.CheckConstraint(
                condition=Q(superseded_at=None) | Q(superseded_at__gte=F("stated_at")),
                name="memory_superseded_after_stated",
            ),
            models.CheckConstraint(
                condition=~Q(superseded_by=F("id")), name="memory_never_supersedes_itself"
            ),
            models.CheckConstraint(
                condition=Q(slot="", value="") | (~Q(slot="") & ~Q(value="")),
                name="memory_slot_and_value",
            ),
            models.CheckConstraint(condition=~Q(text=""), name="memory_says_something"),
            models.CheckConstraint(
                condition=Q(confidence__gte=0.65, confidence__lte=1), name="memory_is_confident"
            ),
            models.CheckConstraint(
                condition=Q(origin__in=Origin.values), name="memory_origin_known"
            ),
            models.UniqueConstraint(
                fields=["application", "target", "manager", "slot"],
                condition=Q(superseded_at=None) & ~Q(slot=""),
                nulls_distinct=False,
                name="memory_one_value_a_slot",
            ),
            models.UniqueConstraint(
                fields=["application", "target", "manager", "text"],
                condition=Q(superseded_at=None),
                nulls_distinct=False,
                name="memory_text_once",
            ),
        ]

    def __str__(self) -> str:
        return gettext("Fact %s") % self.pk
