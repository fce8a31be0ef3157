"""The page of usage: by application and month (UTC), beside what is stored now, and as CSV."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass, fields
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
from analysis.selectors.usage import used_by_month
from assistant.services.budget import tokens_by_month
from desk.dashboard.export import harmless
from documents.selectors import stored_bytes

_MONTHS = 3
MOST_MONTHS = 12
_MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class MonthUsed:
    """An application's use in one month; `tokens` are those of the assistant's language models."""

    month: date
    application: Application
    checks: int
    done: int
    failed: int
    claims: int
    tokens: int


@dataclass(frozen=True, slots=True)
class FileUsage:
    """The current size of an application's uploaded files, and its quota, in megabytes."""

    application: Application
    megabytes: float
    quota: int | None
    is_small: bool
    """True if there are files, though too small for a tenth of a megabyte."""


COLUMNS = tuple(field.name for field in fields(MonthUsed))


def first_month(today: date, months: int) -> date:
    """Return the first day of the period of `months` months that ends with today's."""
    month_number = today.year * 12 + today.month - months
    return date(month_number // 12, month_number % 12 + 1, 1)


def usage(applications: Sequence[Application], first: date) -> list[MonthUsed]:
    """Return every month since `first` with any use, newest first."""
    ids = [application.pk for application in applications]
    checks, tokens = used_by_month(ids, first), tokens_by_month(ids, first)
    rows = [
        MonthUsed(
            month,
            application,
            *checks.get((application.pk, month), (0, 0, 0, 0)),
            tokens.get((application.pk, month), 0),
        )
        for application in applications
        for month in {m for (pk, m) in (*checks, *tokens) if pk == application.pk}
    ]
    return sorted(rows, key=lambda row: (-row.month.toordinal(), row.application.slug))


def storage(applications: Sequence[Application]) -> list[FileUsage]:
    bytes_by_application = stored_bytes([application.pk for application in applications])
    usages = []
    for application in applications:
        size = bytes_by_application.get(application.pk, 0)
        megabytes, quota = round(size / _MEGABYTE, 1), application.file_megabytes
        is_small = size > 0 and not megabytes
        usages.append(FileUsage(application, megabytes, quota, is_small))
    return usages


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
        values = {name: getattr(row, name) for name in COLUMNS}
        writer.writerow(values | {"application": harmless(row.application.slug)})
    return answer


def _applications(request: HttpRequest) -> list[Application]:
    if not access.oversees_anything(request.user):
        raise PermissionDenied
    return list(access.overseeing(request.user))


def _form(request: HttpRequest) -> UsageForm:
    return UsageForm({"months": _MONTHS} | request.GET.dict())


def _first(form: UsageForm) -> date:
    return first_month(timezone.now().date(), form.cleaned_data["months"])
