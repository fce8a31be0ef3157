"""Policies: versioned, immutable thresholds, weights and actions."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext

from accounts.models import Application


class Policy(models.Model):
    """One version of an application's policy. `rules` is a `PolicyRules` document.

    Never edited (a trigger refuses it): a change is a new version.
    """

    application = models.ForeignKey(Application, on_delete=models.PROTECT, related_name="policies")
    version = models.PositiveIntegerField()
    rules = models.JSONField()
    note = models.CharField(max_length=500, blank=True)
    is_active = models.BooleanField(default=False)
    created_by = models.CharField(max_length=200)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name_plural = "policies"
        constraints = [
            models.UniqueConstraint(
                fields=["application", "version"], name="policy_version_unique"
            ),
            models.UniqueConstraint(
                fields=["application"],
                condition=Q(is_active=True),
                name="policy_one_active_per_application",
            ),
            models.CheckConstraint(condition=Q(version__gte=1), name="policy_version_from_1"),
        ]

    def __str__(self) -> str:
        words = {"application": self.application, "version": self.version}
        return gettext("%(application)s policy %(version)s") % words
