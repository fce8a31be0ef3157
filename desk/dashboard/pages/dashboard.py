"""The dashboard: its pages of figures, and each table of them as CSV."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import admin
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from accounts import access
from analysis.admin.base import person
from desk.dashboard import build, replica
from desk.dashboard.build import DashboardPage
from desk.dashboard.export import as_csv
from desk.dashboard.pages.bar import FilterBar
from desk.dashboard.period import days_before
from desk.dashboard.replica import FigureSource, ReplicaRead
from desk.reviews.figures.dashboard_filter import DashboardFilter
from desk.reviews.services.exports import note_table

_NOTED_SECONDS_BEHIND = 5.0
CHECKS, REVIEWS, TOPICS, DRIFT, OPERATION = "checks", "reviews", "topics", "drift", "operation"
TITLES = {
    CHECKS: _("Checks"),
    REVIEWS: _("Reviews"),
    TOPICS: _("Uncovered topics"),
    DRIFT: _("Drift"),
    OPERATION: _("Operations"),
}
ADDRESSES = {
    CHECKS: "admin/dashboard/",
    REVIEWS: "admin/dashboard/reviews/",
    TOPICS: "admin/dashboard/topics/",
    DRIFT: "admin/dashboard/drift/",
    OPERATION: "admin/dashboard/operation/",
}
_PAGES: dict[str, Callable[[DashboardFilter, User, dict[Any, str]], DashboardPage]] = {
    CHECKS: build.checks,
    REVIEWS: build.reviews,
    TOPICS: build.topics,
    DRIFT: build.drift,
    OPERATION: build.operation,
}


@dataclass(frozen=True, slots=True)
class _Figures:
    """The filters of a valid form, and the page with them."""

    filters: DashboardFilter
    read: ReplicaRead[DashboardPage]


@require_safe
def page(request: HttpRequest, name: str) -> HttpResponse:
    bar, figures = _bar_and_figures(request, name)
    context: dict[str, Any] = {
        **admin.site.each_context(request),
        "title": _("Insights: %s") % TITLES[name],
        "name": name,
        "tabs": [(key, reverse(f"dashboard_{key}"), title) for key, title in TITLES.items()],
        "bar": bar,
        "query": request.GET.urlencode(),
    }
    if figures:
        context |= {
            "asked": figures.filters,
            "built": figures.read.value,
            "source_note": source_note(figures.read),
            "before": days_before(figures.filters),
            "growing": figures.filters.last >= timezone.now().date(),
        }
    status = 200 if figures else 400
    return TemplateResponse(request, "admin/analysis/dashboard/page.html", context, status=status)


@require_safe
def export(request: HttpRequest, name: str, table: str) -> HttpResponse:
    """Return one table of a page as CSV with the page's figures, and note it in the trail."""
    if name not in _PAGES:
        raise Http404
    _bar, figures = _bar_and_figures(request, name)
    if figures is None:
        raise Http404
    filters, tables = figures.filters, figures.read.value.tables
    exported_table = next((item for item in tables if item.name == table), None)
    if exported_table is None:
        raise Http404
    filename = f"{exported_table.name}-{filters.first}-{filters.last}.csv"
    headers = {
        "Content-Disposition": f'attachment; filename="{filename}"',
        "Cache-Control": "no-store",
    }
    file = as_csv(exported_table).encode()
    note_table(
        applications=filters.applications,
        table=f"{name}/{exported_table.name}",
        query=filters.query,
        rows=len(exported_table.rows),
        file=file,
        by=person(request).get_username(),
    )
    return HttpResponse(file, content_type="text/csv; charset=utf-8", headers=headers)


def _bar_and_figures(request: HttpRequest, name: str) -> tuple[FilterBar, _Figures | None]:
    """Return the filter bar, and the figures that it asks for; None if it is invalid."""
    reader = person(request)
    if not access.sees_anything(reader):
        raise PermissionDenied
    parameters = {key: str(value) for key, value in request.GET.items() if value}
    bar = FilterBar(access.applications_of(reader), parameters)
    if not bar.is_valid():
        return bar, None
    filters = bar.filters()
    names = {
        application.pk: application.name
        for application in bar.applications
        if application.pk in filters.applications
    }
    return bar, _Figures(filters, replica.read(lambda: _PAGES[name](filters, reader, names)))


def source_note(read: ReplicaRead[Any]) -> str:
    """Return a note if the figures come from a fallback or a late replica, else ""."""
    if read.source is FigureSource.FALLBACK:
        return gettext(
            "The replica of the database cannot be used: read from the primary database."
        )
    if read.seconds_behind > _NOTED_SECONDS_BEHIND:
        return gettext("The replica of the database is %d seconds behind.") % round(
            read.seconds_behind
        )
    return ""
