"""Evaluation of what was reviewed, by one button: a job, whose result is a page."""

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
    """The button for each application that one leads, and the latest evaluations."""
    if not access.sees_anything(request.user):
        raise PermissionDenied
    if request.method == "POST":
        return _start(request)
    done = jobs.seen(request.user).filter(kind=JobKind.EVALUATION).defer("held", "result")
    context = {
        **desk.admin_site.each_context(request),
        "opts": desk.opts,
        "media": desk.media,
        "title": _("Evaluation of what was reviewed"),
        "applications": list(access.managed(request.user)),
        "jobs": list(done.order_by("-id")[:SHOWN]),
    }
    return TemplateResponse(request, "admin/analysis/review/evaluation.html", context)


def _start(request: HttpRequest) -> HttpResponse:
    by = person(request)
    asked = request.POST.get("application", "")
    chosen = {str(one.pk): one for one in access.managed(by)}.get(asked)
    if chosen is None:
        raise PermissionDenied
    try:
        job = start_job(
            application_id=chosen.pk, kind=JobKind.EVALUATION, given={},
            by=by.get_username(), person=by,
        )  # fmt: skip
    except TooManyJobs as error:
        messages.error(request, str(error))
        return Redirect(reverse("admin:analysis_review_evaluation"))
    return page_of(job)
