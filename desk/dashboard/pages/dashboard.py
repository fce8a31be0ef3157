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
class _PageParts:
    """The form, its filters and the page; the last two are None if the form is invalid."""

    bar: FilterBar
    filters: DashboardFilter | None = None
    read: ReplicaRead[DashboardPage] | None = None

    @property
    def built(self) -> DashboardPage | None:
        return self.read.value if self.read else None


@require_safe
def page(request: HttpRequest, name: str) -> HttpResponse:
    page_parts = _page_parts(request, name)
    context: dict[str, Any] = {
        **admin.site.each_context(request),
        "title": _("Insights: %s") % TITLES[name],
        "name": name,
        "tabs": [(key, reverse(f"dashboard_{key}"), title) for key, title in TITLES.items()],
        "bar": page_parts.bar,
        "query": request.GET.urlencode(),
    }
    if page_parts.filters and page_parts.read:
        context |= {
            "asked": page_parts.filters,
            "built": page_parts.read.value,
            "source_note": source_note(page_parts.read),
            "before": days_before(page_parts.filters),
            "growing": page_parts.filters.last >= timezone.now().date(),
        }
    status = 200 if page_parts.built else 400
    return TemplateResponse(request, "admin/analysis/dashboard/page.html", context, status=status)


@require_safe
def export(request: HttpRequest, name: str, table: str) -> HttpResponse:
    """Return one table of a page as CSV with the page's figures, and note it in the trail."""
    if name not in _PAGES:
        raise Http404
    page_parts = _page_parts(request, name)
    if page_parts.filters is None or page_parts.built is None:
        raise Http404
    exported_table = next((item for item in page_parts.built.tables if item.name == table), None)
    if exported_table is None:
        raise Http404
    filename = f"{exported_table.name}-{page_parts.filters.first}-{page_parts.filters.last}.csv"
    headers = {
        "Content-Disposition": f'attachment; filename="{filename}"',
        "Cache-Control": "no-store",
    }
    file = as_csv(exported_table).encode()
    note_table(
        applications=page_parts.filters.applications,
        table=f"{name}/{exported_table.name}",
        query=page_parts.filters.query,
        rows=len(exported_table.rows),
        file=file,
        by=person(request).get_username(),
    )
    return HttpResponse(file, content_type="text/csv; charset=utf-8", headers=headers)


def _page_parts(request: HttpRequest, name: str) -> _PageParts:
    reader = person(request)
    if not access.sees_anything(reader):
        raise PermissionDenied
    parameters = {key: str(value) for key, value in request.GET.items() if value}
    bar = FilterBar(access.applications_of(reader), parameters)
    if not bar.is_valid():
        return _PageParts(bar)
    filters = bar.filters()
    names = {
        application.pk: application.name
        for application in bar.applications
        if application.pk in filters.applications
    }
    return _PageParts(bar, filters, replica.read(lambda: _PAGES[name](filters, reader, names)))


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
