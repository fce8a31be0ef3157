"""The home page of staff: open work, today's figures beside yesterday's, and problems."""

from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.contrib import admin
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import access
from analysis.admin.base import person
from analysis.selectors.jobs import last_verifications
from analysis.trends.metrics import ANY, FAILED
from desk.dashboard.page_parts import Tile, count
from desk.dashboard.period import PeriodCounts, read_period
from desk.dashboard.selectors import home
from desk.dashboard.selectors.home import HomeAlert
from desk.dashboard.tiles import tiles
from desk.reviews.figures import links
from desk.reviews.figures.dashboard_filter import DashboardFilter
from desk.reviews.selectors import desk
from desk.verdict_page import words

_NEXT = 5
"""Items of the queue that the home page names."""


@dataclass(frozen=True, slots=True)
class _Days:
    """The counts of today and yesterday (days in UTC)."""

    today: PeriodCounts
    yesterday: PeriodCounts


def overview(request: HttpRequest) -> HttpResponse:
    """Show the home page, limited to the reader's applications."""
    reader, now = person(request), timezone.now()
    applications = tuple(access.applications_of(reader).values_list("pk", flat=True))
    days = _days(applications, now.date())
    decides = access.decides_anything(reader)
    midnight = timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)
    context = {
        **admin.site.each_context(request),
        "title": _("Home"),
        "queues": desk.queues(reader),
        "current_review": desk.current_review(reader),
        "may_decide": decides,
        "next_items": desk.list_rows(desk.offered(reader))[:_NEXT] if decides else [],
        "day": desk.decisions_since(reader, midnight) if decides else None,
        "tiles": [*tiles(days.today, days.yesterday), _overturned_tile(reader, days)],
        "problems": [
            *home.problems(reader, applications, now),
            *signals_that_did_not_run(days.today),
        ],
        "trails": last_verifications(access.auditing(reader)),
        "now": now,
    }
    return TemplateResponse(request, "analysis/home/page.html", context)


def _days(applications: tuple[UUID, ...], today: date) -> _Days:
    filters = DashboardFilter(today, today, applications=applications)
    return _Days(read_period(filters), read_period(filters.before))


def _overturned_tile(reader: User, days: _Days) -> Tile:
    spans = (days.today.filters.span, days.yesterday.filters.span)
    now, before = (home.overturned(reader, start=s.start, end=s.end) for s in spans)
    url = links.reviews(days.today.filters, spans[0], state="decided", decision="overturned")
    return Tile(_("Overturned by reviewers"), count(now, url), _("previously %d") % before)


def signals_that_did_not_run(today: PeriodCounts) -> list[HomeAlert]:
    """Return one alert for all signals that did not run: a single check can lack every one."""
    reading = today.whole("not_checked")
    counts = {key: n for key, n in reading.counts.items() if n and key not in (ANY, FAILED)}
    if not counts:
        return []
    worst = max(counts, key=lambda key: counts[key])
    values = {
        "signal": words.signal_name(worst), "n": counts[worst], "all": reading.of,
        "kinds": len(counts),
    }  # fmt: skip
    if len(counts) == 1:
        text = _("“%(signal)s” did not run in %(n)d of %(all)d checks today.") % values
        return [HomeAlert(text, links.checks(today.filters, "not_checked", worst))]
    text = _(
        "%(kinds)d signals did not run in some of %(all)d checks today, most often “%(signal)s” "
        "(in %(n)d)."
    )
    return [HomeAlert(text % values, links.checks(today.filters, "not_checked", ANY))]
