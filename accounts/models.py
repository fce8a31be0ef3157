"""Applications (the tenants), their API keys, and who holds which role in them."""

import uuid_utils.compat as uuid
from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now


class Application(models.Model):
    """A REST client of WATCHDOG: everything stored belongs to exactly one application."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid7, editable=False)
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=120)
    quality_sample_rate = models.FloatField(
        default=settings.QUALITY_SAMPLE_RATE,
        validators=[MinValueValidator(0.0), MaxValueValidator(1.0)],
        help_text="Share (0 to 1) of all checks, whatever their action, drawn for review.",
    )
    rate_limit_per_minute = models.PositiveIntegerField(
        null=True,
        blank=True,
        default=settings.DEFAULT_RATE_LIMIT_PER_MINUTE,
        help_text="Checks a minute; empty for no limit.",
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(quality_sample_rate__gte=0, quality_sample_rate__lte=1),
                name="application_sample_rate_is_a_share",
            ),
            models.CheckConstraint(
                condition=Q(rate_limit_per_minute__isnull=True) | Q(rate_limit_per_minute__gt=0),
                name="application_rate_limit_positive",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Scope(models.TextChoices):
    """What an API key may do."""

    CHECKS_WRITE = "checks:write", "submit answers"
    CHECKS_READ = "checks:read", "read checks"
    DOCUMENTS_WRITE = "documents:write", "upload and delete documents"
    DOCUMENTS_READ = "documents:read", "list and search documents"
    POLICIES_WRITE = "policies:write", "make policy versions and put them in force"
    POLICIES_READ = "policies:read", "read policies and replay stored checks under them"


DEFAULT_SCOPES = tuple(scope for scope in Scope if scope is not Scope.POLICIES_WRITE)
"""What a key may do for which nothing is named: its application's policy is a lead's to change."""


def all_scopes() -> list[str]:
    """The scopes of a key for which none are named."""
    return [str(scope) for scope in DEFAULT_SCOPES]


class ApiKey(models.Model):
    """A key of an application. Only its prefix and the SHA-256 of its secret are stored."""

    application = models.ForeignKey(Application, on_delete=models.CASCADE, related_name="api_keys")
    name = models.CharField(max_length=120)
    prefix = models.CharField(max_length=12, unique=True, editable=False)
    secret_sha256 = models.CharField(max_length=64, editable=False)
    scopes = models.JSONField(default=all_scopes)
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


class Role(models.TextChoices):
    """What a person may do with an application's checks."""

    REVIEWER = "reviewer", "reviewer"
    LEAD = "lead", "lead"
    AUDITOR = "auditor", "auditor (reads all, changes nothing)"


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
            models.CheckConstraint(condition=Q(role__in=Role.values), name="membership_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.role} of {self.application}"
