"""Jobs: work that takes too long for a page, done by workers in slices."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from accounts.models import Application, one_of
from lib.workqueue.models import LeasedModel


class JobKind(models.TextChoices):
    """The kind of work that a job does."""

    REPLAY = "replay", _("replay of stored checks")
    BULK = "bulk_decision", _("bulk decision on reviews")
    EVALUATION = "evaluation", _("evaluation of reviewed checks")
    RETENTION = "retention", _("erasure of expired data")
    VERIFICATION = "verification", _("verification of the trail")


class JobState(models.TextChoices):
    """The state of a job; PREPARED was shown to somebody as a count and awaits confirmation."""

    PREPARED = "prepared", _("Prepared")
    QUEUED = "queued", _("Queued")
    RUNNING = "running", _("Running")
    DONE = "done", _("Done")
    FAILED = "failed", _("Failed")


class Job(LeasedModel):
    """One long piece of work for an application, run by `services.jobs`.

    `input` is the request, `progress` the position of the work, `result` its outcome. `total` is 0
    until it is known.
    """

    application = models.ForeignKey(Application, on_delete=models.PROTECT, related_name="jobs")
    kind = models.CharField(max_length=13, choices=JobKind)
    state = models.CharField(max_length=8, choices=JobState)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="jobs"
    )
    created_by = models.CharField(max_length=200)
    created_at = models.DateTimeField(db_default=Now())
    input = models.JSONField()
    progress = models.JSONField(default=dict)
    result = models.JSONField(null=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    finished_at = models.DateTimeField(null=True)

    class Meta(LeasedModel.Meta):
        indexes = [
            *LeasedModel.Meta.indexes,
            models.Index(
                fields=["id"],
                name="job_unfinished",
                condition=Q(state__in=["prepared", "queued", "running"]),
            ),
            models.Index(fields=["application", "-id"], name="job_of_application"),
        ]
        constraints = [
            *LeasedModel.Meta.constraints,
            one_of("job_kind_known", "kind", JobKind),
            one_of("job_state_known", "state", JobState),
            models.CheckConstraint(
                condition=Q(state="done", result__isnull=False)
                | (~Q(state="done") & Q(result__isnull=True)),
                name="job_result_paired",
            ),
        ]

    def __str__(self) -> str:
        return self.get_kind_display()

    @property
    def is_finished(self) -> bool:
        """True if the job has ended, whether done or failed."""
        return self.state in (JobState.DONE, JobState.FAILED)
