"""Policies: versioned, immutable thresholds, weights and actions."""

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext

from accounts.models import Application, one_of
from analysis.engine.replay import Arm, TrialMode
from analysis.models.check import Check


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


# Trials: a second policy version in shadow, or on a share of the checks.


class Trial(models.Model):
    """A trial of `policy` against `control`, the version in force; open until `ended_at` is set.

    With `judge`, of that judge in shadow of the one in force; `policy` may then be `control`.
    Nothing but its end may be edited (a trigger refuses it). Activating another version ends the
    trial, so that it always compares the same two.
    """

    application = models.ForeignKey(Application, on_delete=models.PROTECT, related_name="trials")
    control = models.ForeignKey(Policy, on_delete=models.PROTECT, related_name="+")
    policy = models.ForeignKey(Policy, on_delete=models.PROTECT, related_name="trials")
    mode = models.CharField(max_length=6, choices=[(mode, mode) for mode in TrialMode])
    share = models.FloatField()
    judge = models.CharField(max_length=200, blank=True, db_default="")
    started_by = models.CharField(max_length=200)
    started_at = models.DateTimeField(db_default=Now())
    ended_by = models.CharField(max_length=200, blank=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["application"],
                condition=Q(ended_at__isnull=True),
                name="trial_one_open_per_application",
            ),
            one_of("trial_mode_known", "mode", TrialMode),
            models.CheckConstraint(
                condition=Q(share__gt=0, share__lte=1), name="trial_share_is_a_share"
            ),
            models.CheckConstraint(
                condition=Q(judge="") & ~Q(policy=F("control"))
                | ~Q(judge="") & Q(mode=TrialMode.SHADOW),
                name="trial_of_two_versions",
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, ended_by="")
                | (Q(ended_at__isnull=False) & ~Q(ended_by="")),
                name="trial_end_paired",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.mode} of version {self.policy.version}"


class TrialCheck(models.Model):
    """A check's arm of the trial and, in shadow mode, the other version's outcome. Never edited."""

    check_record = models.OneToOneField(
        Check, primary_key=True, on_delete=models.PROTECT, related_name="trial_check"
    )
    trial = models.ForeignKey(Trial, on_delete=models.PROTECT, related_name="checks")
    arm = models.CharField(max_length=7, choices=[(arm, arm) for arm in Arm])
    outcome = models.JSONField(null=True)

    class Meta:
        constraints = [one_of("trial_arm_known", "arm", Arm)]
