"""The home page of staff: open work, today's figures beside yesterday's, and problems."""

from dataclasses import dataclass
from datetime import date, timedelta
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
from desk.dashboard.build import parted_by
from desk.dashboard.checks import SMALL_SAMPLE, what_changed
from desk.dashboard.page_parts import Cell, TableRow, Tile, count, points, share
from desk.dashboard.period import PeriodCounts, read_period
from desk.dashboard.selectors import breakdown, home
from desk.dashboard.selectors.home import HomeAlert
from desk.dashboard.tiles import tiles
from desk.reviews.figures import links
from desk.reviews.figures.dashboard_filter import DashboardFilter
from desk.reviews.selectors import desk
from desk.verdict_page import words

_NEXT = 10
"""Items of the queue that the home page names."""
_WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class RejectionsMove:
    """The share of failed safety checks in a week, its change in points, and what most of it is."""

    share: Cell
    change: Cell
    mostly: TableRow | None


def overview(request: HttpRequest) -> HttpResponse:
    """Show the home page, limited to the reader's applications."""
    reader, now = person(request), timezone.now()
    applications = tuple(access.applications_of(reader).values_list("pk", flat=True))
    decides, oversees = access.decides_anything(reader), access.oversees_anything(reader)
    day_tiles: list[Tile] = []
    problems = home.problems(reader, applications, now)
    if oversees:  # figures are for those who answer for them: reviewers have their queue
        filters = DashboardFilter(now.date(), now.date(), applications=applications)
        today, yesterday = read_period(filters), read_period(filters.before)
        day_tiles = [*tiles(today, yesterday), _overturned_tile(reader, filters)]
        problems += signals_that_did_not_run(today)
    queues = desk.queues(reader)
    context = {
        **admin.site.each_context(request),
        "title": _("Home"),
        "queues": queues,
        "waiting": sum(queue.depth for queue in queues),
        "current_review": desk.current_review(reader),
        "may_decide": decides,
        "next_items": desk.list_rows(desk.offered(reader))[:_NEXT] if decides else [],
        "day": desk.decisions_since(reader) if decides else None,
        "tiles": day_tiles,
        "moved": rejections_move(applications, now.date()) if oversees else None,
        "problems": problems,
        "trails": last_verifications(access.auditing(reader)),
        "now": now,
    }
    return TemplateResponse(request, "analysis/home/page.html", context)


def rejections_move(applications: tuple[UUID, ...], today: date) -> RejectionsMove | None:
    """Return how rejections moved against the week before, or None if either has few checks."""
    only = applications[0] if len(applications) == 1 else None
    filters = DashboardFilter(today - _WEEK + timedelta(days=1), today, only, applications)
    rows = breakdown.by_application(filters)
    now, before = sum(row.now.done for row in rows), sum(row.before.done for row in rows)
    if min(now, before) < SMALL_SAMPLE:
        return None
    rejected = sum(row.now.rejected for row in rows)
    change = points(rejected / now - sum(row.before.rejected for row in rows) / before)
    moved = change.value or 0
    segments = what_changed(filters, parted_by(filters)).rows if moved else ()
    mostly = (row for row in segments if (row.cells[0].value or 0) / moved >= 0.5)
    address = links.dashboard(filters)
    return RejectionsMove(share(rejected, now, address), change, next(mostly, None))


def _overturned_tile(reader: User, filters: DashboardFilter) -> Tile:
    spans = (filters.span, filters.before.span)
    now, before = (home.overturned(reader, start=s.start, end=s.end) for s in spans)
    url = links.reviews(filters, filters.span, state="decided", decision="overturned")
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
