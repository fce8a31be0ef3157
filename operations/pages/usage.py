"""The page of usage: by application and month, and as CSV."""

import csv
from dataclasses import asdict
from datetime import date
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from accounts import access
from accounts.models import Application
from desk.dashboard.export import harmless
from operations.usage import COLUMNS, MOST_MONTHS, first_month, storage, usage

_MONTHS = 3


class UsageForm(forms.Form):
    months = forms.IntegerField(
        min_value=1, max_value=MOST_MONTHS, label=_("Months, including this one")
    )


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Show the usage of applications that this person leads or audits."""
    applications, form = _applications(request), _form(request)
    context: dict[str, Any] = {
        **admin.site.each_context(request),
        "title": _("Usage"),
        "form": form,
        "query": request.GET.urlencode(),
    }
    if form.is_valid():
        context |= {"rows": usage(applications, _first(form)), "stored": storage(applications)}
    status = 200 if form.is_valid() else 400
    return TemplateResponse(request, "operations/usage.html", context, status=status)


@require_safe
def export(request: HttpRequest) -> HttpResponse:
    applications, form = _applications(request), _form(request)
    if not form.is_valid():
        raise Http404
    answer = HttpResponse(content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = 'attachment; filename="usage.csv"'
    writer = csv.DictWriter(answer, COLUMNS)
    writer.writeheader()
    for row in usage(applications, _first(form)):
        writer.writerow(asdict(row) | {"application": harmless(row.application)})
    return answer


def _applications(request: HttpRequest) -> list[Application]:
    if not access.oversees_anything(request.user):
        raise PermissionDenied
    return list(access.overseeing(request.user))


def _form(request: HttpRequest) -> UsageForm:
    return UsageForm({"months": _MONTHS} | request.GET.dict())


def _first(form: UsageForm) -> date:
    return first_month(timezone.now().date(), form.cleaned_data["months"])
