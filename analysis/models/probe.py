"""Answers whose right verdict is known beforehand: probes with their results, and cases."""

import re

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from accounts.models import Application, one_of
from analysis.models.check import Check
from lib.workqueue.models import MAX_ERROR

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")


class ProbeVerdict(models.TextChoices):
    """The verdict that a probe must get."""

    FLAGGED = "flagged", _("WARN or BLOCK")
    BLOCKED = "blocked", _("BLOCK alone")
    ALLOWED = "allowed", _("ALLOW alone")


class ProbeWay(models.TextChoices):
    """A way by which an answer reaches its verdict."""

    API = "api", _("API")
    BATCH = "batch", _("Batch")
    PROXY = "proxy", _("Proxy")
    STREAM = "stream", _("Stream")
    JUDGE = "judge", _("Judge")


class ProbeOutcome(models.TextChoices):
    """The outcome of sending a probe."""

    PASSED = "passed", _("passed")
    MISSED = "missed", _("missed: a bad answer got through")
    FALSE_ALARM = "false_alarm", _("false alarm: a good answer was flagged")
    UNCHECKED = "unchecked", _("not checked: there was no verdict")


class Probe(models.Model):
    """An application's own probe; one with the name of an included probe replaces that one."""

    application = models.ForeignKey(Application, on_delete=models.CASCADE, related_name="probes")
    name = models.SlugField(
        max_length=60,
        help_text=_("The name of an included probe replaces that one, also by one switched off."),
    )
    query = models.TextField(_("question"), blank=True)
    answer = models.TextField()
    sources = models.JSONField(
        default=list, blank=True, help_text=_('A JSON list of texts, such as ["First source."].')
    )
    verdict = models.CharField(
        _("right verdict"), max_length=7, choices=ProbeVerdict, default=ProbeVerdict.FLAGGED
    )
    is_active = models.BooleanField(_("active"), default=True)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(
                fields=["application", "name"],
                name="probe_name_once",
                violation_error_message=_("The application has a probe of this name."),
            ),
            one_of("probe_verdict_known", "verdict", ProbeVerdict),
            models.CheckConstraint(condition=~Q(answer=""), name="probe_has_an_answer"),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """Require a name of lower-case letters, digits and hyphens, and sources that are texts."""
        if not NAME.fullmatch(self.name):
            raise ValidationError({"name": _("Lower-case letters, digits and hyphens.")})
        texts = self.sources
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise ValidationError({"sources": _("A list of texts.")})


class ProbeResult(models.Model):
    """One probe sent by one way in one run; never changed.

    `application` is null for a probe put to a judge itself, which belongs to no application.
    """

    run = models.UUIDField()
    application = models.ForeignKey(
        Application, null=True, on_delete=models.CASCADE, related_name="probe_results"
    )
    probe = models.CharField(max_length=60)
    way = models.CharField(max_length=6, choices=ProbeWay)
    judge = models.CharField(max_length=160, blank=True)
    verdict = models.CharField(max_length=7, choices=ProbeVerdict)
    outcome = models.CharField(max_length=11, choices=ProbeOutcome)
    action = models.CharField(max_length=5, blank=True)
    detail = models.CharField(max_length=MAX_ERROR, blank=True)
    milliseconds = models.PositiveIntegerField()
    at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [
            models.Index(fields=["application", "-at"], name="probe_result_newest"),
            models.Index(fields=["at"], name="probe_result_by_age"),
        ]
        constraints = [
            one_of("probe_result_outcome_known", "outcome", ProbeOutcome),
            models.CheckConstraint(
                condition=Q(way=ProbeWay.JUDGE, application=None) & ~Q(judge="")
                | Q(way__in=[w for w in ProbeWay.values if w != ProbeWay.JUDGE], judge="")
                & Q(application__isnull=False),
                name="probe_result_of_application_or_judge",
            ),
        ]


class CaseUse(models.TextChoices):
    """The use of a case."""

    SEEDED = "seeded", _("seeded in the review queue")
    REGRESSION = "regression", _("decided again by every policy")


class Case(models.Model):
    """An answer of which a lead knows whether it may be shown.

    Its check is a probe that stays. A seeded case goes to reviewers as any other review does, and
    tells how often they are right; a regression case tells what a policy version gets wrong.
    """

    check_record = models.OneToOneField(
        Check, primary_key=True, on_delete=models.PROTECT, related_name="case"
    )
    application = models.ForeignKey(Application, on_delete=models.PROTECT, related_name="cases")
    use = models.CharField(max_length=10, choices=CaseUse)
    name = models.CharField(max_length=100)
    is_bad = models.BooleanField(
        _("must not be shown"),
        default=True,
        help_text=_("Whether the right decision on the answer is not to show it."),
    )
    added_by = models.CharField(max_length=200, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        indexes = [models.Index(fields=["application", "use"], name="case_by_use")]
        constraints = [one_of("case_use_known", "use", CaseUse)]

    def __str__(self) -> str:
        return self.name
