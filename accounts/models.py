"""Tables of applications (the tenants), their API keys, and people's roles in them."""

from collections.abc import Iterable
from datetime import date, time
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import uuid_utils.compat as uuid
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.authenticator import Authenticator, RecoveryCodes  # noqa: F401  Django finds models
from accounts.session_store import LogoutToken, Session  # noqa: F401  here

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

# Fields and constraints of which tables have several.


def hours_field(
    default: int, help_text: "StrOrPromise"
) -> "models.PositiveSmallIntegerField[int, int]":
    return models.PositiveSmallIntegerField(
        default=default, db_default=default, validators=[MinValueValidator(1)], help_text=help_text
    )


def limit_field(help_text: "StrOrPromise") -> "models.PositiveIntegerField[int | None, int | None]":
    return models.PositiveIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1)], help_text=help_text
    )


def one_of(name: str, field: str, values: Iterable[str]) -> models.CheckConstraint:
    """Return the constraint that a column holds one of these values."""
    return models.CheckConstraint(
        condition=Q((f"{field}__in", [str(value) for value in values])), name=name
    )


def limit_above_zero(name: str, field: str) -> models.CheckConstraint:
    return models.CheckConstraint(
        condition=Q((f"{field}__isnull", True)) | Q((f"{field}__gt", 0)), name=name
    )


def is_share(name: str, field: str) -> models.CheckConstraint:
    return models.CheckConstraint(
        condition=Q((f"{field}__gte", 0), (f"{field}__lte", 1)), name=name
    )


def check_time_zone(name: str) -> None:
    """Raise ValidationError for a time zone unknown to this machine."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValidationError(_("No time zone is called “%s”.") % name) from error


class Application(models.Model):
    """A REST client of WATCHDOG: everything stored belongs to exactly one application."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid7, editable=False)
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=120)
    quality_sample_rate = models.FloatField(
        default=0.02,
        validators=[MinValueValidator(0.0), MaxValueValidator(1.0)],
        help_text=_("Share (0 to 1) of all checks, whatever their action, drawn for review."),
    )
    rate_limit_per_minute = models.PositiveIntegerField(
        null=True, blank=True, default=6_000, help_text=_("Leave empty for no limit.")
    )
    desk_time_zone = models.CharField(
        max_length=60, default="UTC", db_default="UTC", validators=[check_time_zone]
    )
    desk_days = models.CharField(
        max_length=7,
        default="12345",
        db_default="12345",
        validators=[RegexValidator("^1?2?3?4?5?6?7?$", _("Digits from 1 to 7, in their order."))],
        help_text=_("Days on which the desk is open: 1 is Monday, 7 is Sunday."),
    )
    desk_opens_at = models.TimeField(default=time(9), db_default=time(9))
    desk_closes_at = models.TimeField(default=time(17), db_default=time(17))
    due_hours_block = hours_field(4, _("Desk hours until a blocked answer must be reviewed."))
    due_hours_failed = hours_field(
        8,
        _("Desk hours until a check that failed or was not fully checked must be reviewed."),
    )
    due_hours_warn = hours_field(
        16, _("Desk hours until an answer with a warning must be reviewed.")
    )
    due_hours_sample = hours_field(
        40, _("Desk hours until an answer of the quality sample must be reviewed.")
    )
    second_review_share = models.FloatField(
        default=0.0,
        db_default=0.0,
        validators=[MinValueValidator(0.0), MaxValueValidator(1.0)],
        help_text=_("Share (0 to 1) of all decisions that a second person makes again, blind."),
    )
    second_review_of_overturned_blocks = models.BooleanField(
        default=False,
        db_default=False,
        help_text=_("Every overturn of a BLOCK is decided again by a second person, blind."),
    )
    second_approver = models.BooleanField(
        default=False,
        db_default=False,
        help_text=_("A new policy version is activated by someone other than its author."),
    )
    cases_must_pass = models.BooleanField(
        default=True,
        db_default=True,
        help_text=_(
            "A policy version under which a regression case does not pass is not activated; a "
            "superuser may override this with a reason."
        ),
    )
    checks_per_day = limit_field(
        _("Checks that may be submitted on a day (UTC). Leave empty for no limit.")
    )
    checks_per_month = limit_field(
        _("Checks that may be submitted in a month (UTC). Leave empty for no limit.")
    )
    claims_per_month = limit_field(
        _("Claims that may be checked in a month (UTC). Leave empty for no limit.")
    )
    tokens_per_day = limit_field(
        _("Tokens that the assistant may spend on a day (UTC). Leave empty for no limit.")
    )
    file_megabytes = limit_field(
        _("Megabytes of uploaded files that may be stored. Leave empty for no limit.")
    )
    keep_inputs_days = limit_field(
        _(
            "How long the question, the answer, the sources and all that quotes them are kept. "
            "Leave empty to keep them for ever."
        )
    )
    keep_results_days = limit_field(
        _(
            "How long claims, evidence, measurements and decisions are kept. Leave empty to keep "
            "them for ever."
        )
    )
    keep_reviews_days = limit_field(
        _(
            "How long reviewers' notes and corrections, and end users' comments, are kept. Leave "
            "empty to keep them for ever."
        )
    )
    keep_files_days = limit_field(
        _(
            "How long uploaded documents, with their passages in the index, are kept. Leave empty "
            "to keep them for ever."
        )
    )
    keep_conversations_days = limit_field(
        _(
            "How long questions to the assistant, with answers and evidence, are kept. Leave empty "
            "to keep them for ever."
        )
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            *(
                limit_above_zero(f"application_{name}_positive", name)
                for name in (
                    "checks_per_day",
                    "checks_per_month",
                    "claims_per_month",
                    "tokens_per_day",
                    "file_megabytes",
                )
            ),
            *(
                limit_above_zero(f"application_keeps_{subject}_a_day", f"keep_{subject}_days")
                for subject in ("inputs", "results", "reviews", "files", "conversations")
            ),
            limit_above_zero("application_rate_limit_positive", "rate_limit_per_minute"),
            is_share("application_sample_rate_is_a_share", "quality_sample_rate"),
            is_share("application_second_review_is_a_share", "second_review_share"),
            models.CheckConstraint(
                condition=Q(desk_closes_at__gt=F("desk_opens_at")),
                name="application_desk_closes_after_opening",
            ),
            models.CheckConstraint(
                condition=Q(desk_days__regex="^1?2?3?4?5?6?7?$") & ~Q(desk_days=""),
                name="application_desk_days_known",
            ),
            models.CheckConstraint(
                condition=Q(
                    due_hours_block__gt=0,
                    due_hours_failed__gt=0,
                    due_hours_warn__gt=0,
                    due_hours_sample__gt=0,
                ),
                name="application_due_hours_positive",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def desk_holidays(self) -> list[date]:
        """The days on which the desk is closed; `claim_check.sql` reads the same."""
        return list(Holiday.objects.filter(application=self.pk).values_list("day", flat=True))


class Holiday(models.Model):
    """A day on which an application's desk is closed, without business hours."""

    application = models.ForeignKey(Application, on_delete=models.CASCADE, related_name="holidays")
    day = models.DateField(help_text=_("In the time zone of the desk."))
    name = models.CharField(max_length=80, blank=True)

    class Meta:
        ordering = ["day"]
        constraints = [
            models.UniqueConstraint(
                fields=["application", "day"],
                name="holiday_once_a_day",
                violation_error_message=_("This day is a holiday already."),
            )
        ]

    def __str__(self) -> str:
        return f"{self.day:%Y-%m-%d} {self.name}".strip()


class Scope(models.TextChoices):
    """A permission of an API key."""

    CHECKS_WRITE = "checks:write", "submit answers"
    CHECKS_READ = "checks:read", "read checks"
    CHECKS_ERASE = "checks:erase", "erase checks"
    DOCUMENTS_WRITE = "documents:write", "upload and delete documents"
    DOCUMENTS_READ = "documents:read", "list and search documents"
    POLICIES_WRITE = "policies:write", "make policy versions and put them in force"
    POLICIES_READ = "policies:read", "read policies and replay stored checks under them"
    REVIEWS_READ = "reviews:read", "read the review desk"
    REVIEWS_WRITE = "reviews:write", "claim, decide and release for named reviewers"
    MEMORY_READ = "memory:read", "read what managers stated"
    MEMORY_WRITE = "memory:write", "remember, correct and delete for managers"
    KEYS_ROTATE = "keys:rotate", "replace itself with a new key"
    ASSISTANT_READ = "assistant:read", "read managers' conversations"
    ASSISTANT_WRITE = "assistant:write", "ask the assistant for managers"
    WEBHOOKS_READ = "webhooks:read", "list webhooks and what was delivered to them"
    WEBHOOKS_WRITE = "webhooks:write", "send and resend events to a webhook"


DEFAULT_SCOPES = (
    Scope.CHECKS_WRITE, Scope.CHECKS_READ, Scope.DOCUMENTS_WRITE, Scope.DOCUMENTS_READ,
    Scope.POLICIES_READ,
)  # fmt: skip
"""Scopes of a key for which none are named.

Only leads change their application's policy, whoever submits answers does not decide on them,
managers' statements are for those who serve managers, and webhooks send data out.
"""


def all_scopes() -> list[str]:
    """Return the default scopes of a key."""
    return [str(scope) for scope in DEFAULT_SCOPES]


class ApiKey(models.Model):
    """A key of an application. Only its prefix and the SHA-256 of its secret are stored."""

    application = models.ForeignKey(Application, on_delete=models.CASCADE, related_name="api_keys")
    name = models.CharField(max_length=120)
    prefix = models.CharField(max_length=12, unique=True, editable=False)
    secret_sha256 = models.CharField(max_length=64, editable=False)
    scopes = models.JSONField(default=all_scopes)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="owned_api_keys",
        help_text=_("Who answers for the key and is asked when it expires."),
    )
    replaced_by = models.OneToOneField(
        "self", null=True, on_delete=models.PROTECT, related_name="replaces", editable=False
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True, editable=False)
    last_used_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        verbose_name = "API key"
        constraints = [
            models.CheckConstraint(
                condition=Q(expires_at__isnull=True) | Q(expires_at__gt=F("created_at")),
                name="api_key_expires_after_creation",
            ),
            models.CheckConstraint(
                condition=Q(secret_sha256__regex=r"^[0-9a-f]{64}$"),  # noqa: S106  a pattern
                name="api_key_secret_is_hashed",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"


class QuotaUse(models.Model):
    """The checks that an application submitted, and its claims checked, on one day (UTC).

    Counted in several slots, so that simultaneous submissions do not wait for one row.
    """

    SLOTS = 16

    application = models.ForeignKey(
        Application, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    day = models.DateField()
    slot = models.PositiveSmallIntegerField()
    checks = models.PositiveIntegerField(default=0)
    claims = models.PositiveIntegerField(default=0, db_default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["application", "day", "slot"], name="quota_use_once_a_day_and_slot"
            )
        ]

    def __str__(self) -> str:
        return f"{self.checks} checks on {self.day}"


class Role(models.TextChoices):
    """A person's role in an application."""

    REVIEWER = "reviewer", _("reviewer")
    LEAD = "lead", _("lead")
    AUDITOR = "auditor", _("auditor (reads all, changes nothing)")


class Membership(models.Model):
    """The role of one person in one application."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships"
    )
    application = models.ForeignKey(
        Application, on_delete=models.CASCADE, related_name="memberships"
    )
    role = models.CharField(max_length=10, choices=Role)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "application"], name="membership_one_role"),
            one_of("membership_role_known", "role", Role),
        ]

    def __str__(self) -> str:
        words = {
            "user": self.user,
            "role": self.get_role_display(),
            "application": self.application,
        }
        return gettext("%(user)s: %(role)s of %(application)s") % words


class ProviderIdentity(models.Model):
    """The owner of an account at an OpenID Connect provider: by subject, never by name.

    `closed_at`: when the account was closed because none of the person's groups gave a role; null
    for one that a person closed here, which no sign-in reopens.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="provider_identity"
    )
    issuer = models.CharField(max_length=300)
    subject = models.CharField(max_length=255)
    closed_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        verbose_name_plural = "provider identities"
        constraints = [
            models.UniqueConstraint(fields=["issuer", "subject"], name="provider_identity_once"),
            models.CheckConstraint(
                condition=~Q(issuer="") & ~Q(subject=""), name="provider_identity_named"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.subject} of {self.issuer}"


class Team(models.Model):
    """People of one application to whom reviews are assigned together."""

    application = models.ForeignKey(Application, on_delete=models.CASCADE, related_name="teams")
    name = models.CharField(max_length=80)
    members = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="teams", blank=True)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(
                fields=["application", "name"],
                name="team_name_once",
                violation_error_message=_("There is a team of this name already."),
            )
        ]

    def __str__(self) -> str:
        return self.name
