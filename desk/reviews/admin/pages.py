"""Pages beside the list of reviews: agreement, oversight, sampling plan, evaluation."""

from datetime import timedelta

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http import HttpResponseRedirect as Redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import access
from accounts.member_admin import PercentField
from analysis.admin.base import MemberAdmin, person
from analysis.admin.jobs import page_of
from analysis.models import JobKind, SamplingPlan
from analysis.selectors import jobs
from analysis.services.jobs import TooManyJobs, start_job
from desk.reviews.selectors import desk
from desk.reviews.selectors.agreement import agreements
from desk.reviews.selectors.oversight import QUICK, decisions_on_seeded, oversight
from desk.reviews.selectors.sampling import FORMULA, share_needed, strata
from desk.reviews.services.sampling import FIELDS, save_plan

PERIODS = (30, 90, 365)
SHOWN = 20


def agreement_page(page: MemberAdmin, request: HttpRequest) -> HttpResponse:
    """Show raw agreement and Cohen's kappa by application over a period."""
    if not access.sees_anything(request.user):
        raise PermissionDenied
    days = _days(request)
    context = page.site_context(
        request, title=_("Agreement of reviewers"), days=days, periods=PERIODS,
        rows=agreements(request.user, days=days),
    )  # fmt: skip
    return TemplateResponse(request, "admin/analysis/review/agreement.html", context)


def oversight_page(page: MemberAdmin, request: HttpRequest) -> HttpResponse:
    """Show leads and auditors how long reviewers look and when they agree with the machine.

    By reviewer, and by reviewer and week, over a period; to leads alone also how they decided
    seeded cases. Reviewers do not see each other.
    """
    if not access.oversees_anything(request.user):
        raise PermissionDenied
    days = _days(request)
    visible = desk.visible_reviews(request.user)
    reviews = visible.filter(application__in=access.overseeing(request.user))
    led = visible.filter(application__in=access.leading(request.user))
    end = timezone.now()
    start = end - timedelta(days=days)
    context = page.site_context(
        request, title=_("Oversight"), days=days, periods=PERIODS, quick=QUICK.seconds,
        people=oversight(reviews, start=start, end=end),
        weeks=oversight(reviews, start=start, end=end, weekly=True),
        leads=access.manages_anything(request.user),
        cases=decisions_on_seeded(led, start=start, end=end),
    )  # fmt: skip
    return TemplateResponse(request, "admin/analysis/review/oversight.html", context)


class PlanForm(forms.ModelForm[SamplingPlan]):
    """A sampling plan, changed by leads."""

    most_error = PercentField(
        label=gettext_lazy("Highest share of wrong decisions, in percent"),
        min_value=0.1,
        max_value=50,
    )
    confidence = PercentField(
        label=gettext_lazy("Confidence level, in percent"), min_value=50, max_value=99.9
    )
    most_share = PercentField(label=gettext_lazy("Highest share set automatically, in percent"))

    class Meta:
        model = SamplingPlan
        fields = FIELDS
        labels = {
            "days": gettext_lazy("Period, in days"),
            "by_action": gettext_lazy("Separate target for each action"),
            "by_band": gettext_lazy("Separate target for each risk band"),
            "by_segment": gettext_lazy("Separate target for each answering model"),
            "automatic": gettext_lazy("Set the sample share automatically"),
        }


def sampling_page(page: MemberAdmin, request: HttpRequest) -> HttpResponse:
    """Show what an application's sampling plan needs and has; its leads change it."""
    applications = access.applications_of(person(request))
    by_id = {str(item.pk): item for item in applications}
    application = by_id.get(request.GET.get("application", "")) or next(iter(by_id.values()), None)
    if application is None:
        raise PermissionDenied
    leads = access.may_manage(person(request), application.pk)
    plan = SamplingPlan.objects.filter(application=application).first()
    form = PlanForm(request.POST or None, instance=plan or SamplingPlan(application=application))
    if request.method == "POST":
        if not leads:
            raise PermissionDenied
        if form.is_valid():
            save_plan(plan=form.instance, by=person(request).get_username())
            address = reverse("admin:analysis_review_sampling")
            return Redirect(f"{address}?application={application.pk}")
        plan = SamplingPlan.objects.filter(application=application).first()  # as it is stored
    now = timezone.now()
    parts = strata(plan, start=now - timedelta(days=plan.days), end=now) if plan else []
    context = page.site_context(
        request, title=_("Sampling plan"), applications=list(by_id.values()),
        application=application, form=form, leads=leads, plan=plan, strata=parts,
        formula=_(FORMULA), share=share_needed(plan, parts) if plan else None,
    )  # fmt: skip
    return TemplateResponse(request, "admin/analysis/review/sampling.html", context)


def _days(request: HttpRequest) -> int:
    period = request.GET.get("days", "")
    return int(period) if period in map(str, PERIODS) else PERIODS[1]


def evaluation_page(page: MemberAdmin, request: HttpRequest) -> HttpResponse:
    """Show a button for each application that the user leads, and the latest evaluations."""
    if not access.sees_anything(request.user):
        raise PermissionDenied
    if request.method == "POST":
        return _start_evaluation(request)
    evaluations = jobs.visible_jobs(request.user).filter(kind=JobKind.EVALUATION)
    latest = evaluations.defer("progress", "result").order_by("-id")[:SHOWN]
    context = page.site_context(
        request, title=_("Evaluation of reviewed checks"),
        applications=list(access.leading(request.user)), jobs=list(latest),
    )  # fmt: skip
    return TemplateResponse(request, "admin/analysis/review/evaluation.html", context)


def _start_evaluation(request: HttpRequest) -> HttpResponse:
    by = person(request)
    application_id = request.POST.get("application", "")
    application = {str(item.pk): item for item in access.leading(by)}.get(application_id)
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


PAGES = {
    "agreement": agreement_page,
    "oversight": oversight_page,
    "sampling": sampling_page,
    "evaluation": evaluation_page,
}
"""The pages by the last part of their address."""
