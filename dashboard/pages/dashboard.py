"""The dashboard: three pages of figures, and each table of them as CSV."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.contrib import admin
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from accounts import access
from analysis.admin.base import person
from dashboard import build
from dashboard.build import Built
from dashboard.checks import days_before
from dashboard.export import as_csv
from dashboard.pages.bar import FilterBar
from reviews.figures.asked import Asked
from reviews.services.exports import note_table

CHECKS, REVIEWS, TOPICS = "checks", "reviews", "topics"
TITLES = {CHECKS: _("Checks"), REVIEWS: _("Reviews"), TOPICS: _("Uncovered topics")}
ADDRESSES = {
    CHECKS: "admin/dashboard/",
    REVIEWS: "admin/dashboard/reviews/",
    TOPICS: "admin/dashboard/topics/",
}
_PAGES: dict[str, Callable[[Asked, User, dict[Any, str]], Built]] = {
    CHECKS: build.checks,
    REVIEWS: build.reviews,
    TOPICS: build.topics,
}


@dataclass(frozen=True, slots=True)
class _Shown:
    """The bar, what it asks for, and the page; both None where the bar was filled in wrongly."""

    bar: FilterBar
    asked: Asked | None = None
    built: Built | None = field(default=None)


@require_safe
def page(request: HttpRequest, name: str) -> HttpResponse:
    """One of the three pages."""
    shown = _shown(request, name)
    context: dict[str, Any] = {
        **admin.site.each_context(request),
        "title": _("Dashboard: %s") % TITLES[name],
        "name": name,
        "titles": TITLES,
        "bar": shown.bar,
        "query": request.GET.urlencode(),
    }
    if shown.asked and shown.built:
        context |= {
            "asked": shown.asked,
            "built": shown.built,
            "before": days_before(shown.asked),
            "growing": shown.asked.last >= timezone.now().date(),
        }
    status = 200 if shown.built else 400
    return TemplateResponse(request, "admin/analysis/dashboard/page.html", context, status=status)


@require_safe
def export(request: HttpRequest, name: str, table: str) -> HttpResponse:
    """One table of a page as CSV, with the figures that the page shows; told in the trail."""
    if name not in _PAGES:
        raise Http404
    shown = _shown(request, name)
    if shown.asked is None or shown.built is None:
        raise Http404
    found = next((one for one in shown.built.tables if one.name == table), None)
    if found is None:
        raise Http404
    named = f"{found.name}-{shown.asked.first}-{shown.asked.last}.csv"
    headers = {
        "Content-Disposition": f'attachment; filename="{named}"',
        "Cache-Control": "no-store",
    }
    file = as_csv(found).encode()
    note_table(
        applications=shown.asked.applications,
        table=f"{name}/{found.name}",
        asked=shown.asked.query,
        rows=len(found.rows),
        file=file,
        by=person(request).get_username(),
    )
    return HttpResponse(file, content_type="text/csv; charset=utf-8", headers=headers)


def _shown(request: HttpRequest, name: str) -> _Shown:
    reader = person(request)
    if not access.sees_anything(reader):
        raise PermissionDenied
    given = {key: str(value) for key, value in request.GET.items() if value}
    bar = FilterBar(access.applications_of(reader), given)
    if not bar.is_valid():
        return _Shown(bar)
    asked = bar.asked()
    names = {one.pk: one.name for one in bar.applications if one.pk in asked.applications}
    return _Shown(bar, asked, _PAGES[name](asked, reader, names))
