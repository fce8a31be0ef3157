"""Jobs in the admin: work that takes too long for a page, its progress and its result."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.filters import ApplicationFilter
from analysis.admin.badges import badge, moment
from analysis.admin.base import RowPageAdmin
from analysis.models import Batch, Job, JobKind
from analysis.selectors import jobs
from analysis.selectors.checks import states_in
from analysis.selectors.excerpts import replayed_page


@admin.register(Job)
class JobAdmin(RowPageAdmin):
    list_display = ("created", "kind", "application", "created_by", "state_word", "steps_done")
    empty_list = _("Replays, evaluations and verifications appear here.")
    list_filter = (ApplicationFilter,)
    allowed_lookups = frozenset({"application"})
    ordering = ("-id",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Job]:
        """Return the started jobs of the user's applications, without their large columns."""
        return jobs.visible_jobs(request.user).defer("input", "progress", "result")

    @admin.display(description=_("started"))
    def created(self, job: Job) -> str:
        return moment(job.created_at)

    @admin.display(description=_("state"))
    def state_word(self, job: Job) -> SafeString | str:
        return badge(job.get_state_display(), job.state)

    @admin.display(description=_("progress"))
    def steps_done(self, job: Job) -> str:
        if not job.total:
            return gettext("not counted yet")
        return " / ".join(number_format(n, force_grouping=True) for n in (job.done, job.total))

    def row_page(self, request: HttpRequest, job: Job) -> HttpResponse:
        """Show a job's progress, which HTMX polls every two seconds, or its result."""
        result = job.result
        if result and job.kind == JobKind.REPLAY:
            result = replayed_page(result)
        context = self.page_context(
            request,
            job,
            job=job,
            found=result,
            words=job.get_kind_display(),
            title=capfirst(job.get_kind_display()),
        )
        part = request.headers.get("HX-Request") and not job.is_finished
        name = "progress" if part else "job"
        answer = TemplateResponse(request, f"admin/analysis/job/{name}.html", context)
        if request.headers.get("HX-Request") and job.is_finished:
            answer["HX-Refresh"] = "true"
        return answer


def page_of(job: Job) -> HttpResponseRedirect:
    return HttpResponseRedirect(reverse("admin:analysis_job_change", args=[job.pk]))


# Batches in the admin.


@admin.register(Batch)
class BatchAdmin(RowPageAdmin):
    list_display = ("created_at", "application", "items_total", "refused")
    empty_list = _("Batches appear here when an application submits several answers at once.")
    list_select_related = ("application",)
    ordering = ("-id",)

    @admin.display(description=_("refused"))
    def refused(self, batch: Batch) -> int:
        return len(batch.errors)

    def row_page(self, request: HttpRequest, batch: Batch) -> HttpResponse:
        """Show a batch: its progress, the refused items and links to its checks."""
        context = self.page_context(request, batch, batch=batch, states=states_in(batch).items())
        return TemplateResponse(request, "admin/analysis/batch/batch.html", context)
