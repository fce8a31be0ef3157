"""Starts the evaluation of reviewed checks, a job whose result is a page."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http import HttpResponseRedirect as Redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts import access
from analysis.admin.base import MemberAdmin, person
from analysis.admin.jobs import page_of
from analysis.models import JobKind
from analysis.selectors import jobs
from analysis.services.jobs import TooManyJobs, start_job

SHOWN = 20


def evaluation_page(desk: MemberAdmin, request: HttpRequest) -> HttpResponse:
    """Show a button for each application that the user leads, and the latest evaluations."""
    if not access.sees_anything(request.user):
        raise PermissionDenied
    if request.method == "POST":
        return _start(request)
    evaluations = jobs.visible_jobs(request.user).filter(kind=JobKind.EVALUATION)
    latest = evaluations.defer("progress", "result").order_by("-id")[:SHOWN]
    context = desk.site_context(
        request, title=_("Evaluation of reviewed checks"),
        applications=list(access.managed(request.user)), jobs=list(latest),
    )  # fmt: skip
    return TemplateResponse(request, "admin/analysis/review/evaluation.html", context)


def _start(request: HttpRequest) -> HttpResponse:
    by = person(request)
    application_id = request.POST.get("application", "")
    application = {str(item.pk): item for item in access.managed(by)}.get(application_id)
    if application is None:
        raise PermissionDenied
    try:
        job = start_job(
            application_id=application.pk, kind=JobKind.EVALUATION, options={},
            by=by.get_username(), person=by,
        )  # fmt: skip
    except TooManyJobs as error:
        messages.error(request, str(error))
        return Redirect(reverse("admin:analysis_review_evaluation"))
    return page_of(job)
