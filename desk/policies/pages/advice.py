"""The page of threshold advice: a table, a curve and their basis. Changes nothing."""

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from accounts import access
from accounts.member_admin import PercentField
from accounts.models import Application
from analysis.admin.base import person
from desk.policies.advice import curve
from desk.policies.advice.report import (
    ALPHA,
    DAYS,
    DELTA,
    KINDS,
    LARGEST_SHARE,
    MAX_DAYS,
    SMALLEST_SHARE,
    AdviceRequest,
    advise,
    percent,
)
from desk.policies.advice.thresholds import LABELS, Threshold


class AdviceForm(forms.Form):
    """The parameters of the advice, kept in the URL so that the page can be shared."""

    application = forms.ModelChoiceField(
        queryset=Application.objects.none(), empty_label=None, label=_("Application")
    )
    threshold = forms.ChoiceField(
        label=_("Threshold"),
        choices=[(each.value, label) for each, label in LABELS.items()],
        help_text=_("Accepted is what is allowed; for the last, what is not blocked."),
    )
    alpha = PercentField(
        min_value=100 * SMALLEST_SHARE,
        max_value=100 * LARGEST_SHARE,
        label=_("Highest acceptable share of unsupported answers among the accepted, in percent"),
    )
    delta = PercentField(
        min_value=100 * SMALLEST_SHARE,
        max_value=100 * LARGEST_SHARE,
        label=_("Risk that the actual share is higher, in percent"),
    )
    days = forms.IntegerField(min_value=1, max_value=MAX_DAYS, label=_("Period, in days"))

    def __init__(self, applications: QuerySet[Application], data: dict[str, Any]) -> None:
        super().__init__(data=data)
        field = self.fields["application"]
        if isinstance(field, forms.ModelChoiceField):
            field.queryset = applications

    def question(self) -> AdviceRequest:
        values = self.cleaned_data
        threshold = Threshold(values["threshold"])
        return AdviceRequest(threshold, values["alpha"], values["delta"], values["days"])


@require_safe
def advice_page(request: HttpRequest) -> HttpResponse:
    """Show advice for one of the applications that this person may see."""
    applications = access.applications_of(person(request))
    if not access.sees_anything(person(request)):
        raise PermissionDenied
    first = applications.first()
    start = {
        "application": "" if first is None else str(first.pk),
        "threshold": str(Threshold.UNSUPPORTED_AT),
        "alpha": f"{100 * ALPHA:g}",
        "delta": f"{100 * DELTA:g}",
        "days": str(DAYS),
    }
    form = AdviceForm(applications, start | request.GET.dict())
    context: dict[str, Any] = {
        **admin.site.each_context(request),
        "title": _("Threshold advice"),
        "form": form,
    }
    if form.is_valid():
        advice = advise(form.cleaned_data["application"].pk, form.question())
        context |= {
            "advice": advice,
            "confidence": percent(1 - advice.delta),
            "at": advice.current if advice.proposed is None else advice.proposed,
            "kinds": [(KINDS[kind], point) for kind, point in advice.kinds.items()],
            "curve": curve.draw(advice.curve, alpha=advice.alpha, best_threshold=advice.proposed),
        }
    return TemplateResponse(request, "admin/analysis/advice/advice.html", context)
