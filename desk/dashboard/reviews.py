"""The tables of the second page: the state of the queue, and what its decisions say of checks."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext, gettext_noop, ngettext
from django.utils.translation import gettext as _

from analysis.models import ReviewDecision
from desk.dashboard.page_parts import (
    NOTHING,
    Cell,
    Table,
    TableRow,
    Tile,
    count,
    grouped,
    in_percent,
    previously,
)
from desk.dashboard.selectors.backlog import Age, Waiting
from desk.dashboard.selectors.quality import Rate, rates
from desk.dashboard.vectors import place
from desk.reviews.agreement import Agreement
from desk.reviews.figures import links
from desk.reviews.figures.dashboard_filter import Bin, DashboardFilter
from desk.reviews.selectors.decision_counts import DecisionCount, Labels
from desk.reviews.templatetags.figures import time_between

ENOUGH = 30
"""Fewer labels, or pairs, and no rate is told: its interval would say nothing."""
RATE_TITLES = {
    "overturn_rate": gettext_noop("Overturned"),
    "false_positive_rate": gettext_noop("Flagged by mistake"),
    "false_negative_rate": gettext_noop("Allowed by mistake"),
}
"""Labels of the quality metrics."""
_OF = {
    "overturn_rate": gettext_noop("all decided reviews"),
    "false_positive_rate": gettext_noop("reviewed answers with WARN or BLOCK"),
    "false_negative_rate": gettext_noop("reviewed answers with ALLOW in the quality sample"),
}


def queue_tiles(
    filters: DashboardFilter,
    queues: Sequence[Waiting],
    rows: Sequence[DecisionCount],
    now: datetime,
) -> list[Tile]:
    """Return the tiles for backlog, overdue reviews, age and throughput."""
    waits, late = sum(item.depth for item in queues), sum(item.overdue for item in queues)
    oldest = min((item.oldest for item in queues), default=None)
    done, before = _within(rows, filters), _within(rows, filters.before)
    return [
        Tile(_("Waiting"), count(waits, links.reviews(filters))),
        Tile(_("Overdue"), count(late, links.reviews(filters, due="overdue"))),
        Tile(
            _("Oldest"),
            Cell(time_between(oldest, now), links.reviews(filters)) if oldest else Cell(NOTHING),
            note=_("since %s UTC") % date_format(oldest, "DATETIME_FORMAT") if oldest else "",
        ),
        Tile(
            _("Decided in the period"),
            count(done, links.reviews(filters, filters.span, state="decided")),
            previously(grouped(before)),
            _("%s a day") % grouped(done / filters.days, 1),
        ),
    ]


def queue(filters: DashboardFilter, queues: Sequence[Waiting]) -> Table:
    """Return the open reviews by application and reason."""
    rows = []
    for item in queues:
        here: dict[str, str] = {"application": str(item.application_id), "reason": item.reason}
        every = links.reviews(filters, None, **here)
        overdue = links.reviews(filters, None, **here, due="overdue")
        rows.append(
            TableRow(
                Cell(f"{item.application}: {item.words}", every),
                (
                    count(item.depth, every),
                    count(item.overdue, overdue),
                    Cell(date_format(item.oldest, "DATETIME_FORMAT")),
                ),
            )
        )
    return Table(
        name="queue",
        title=_("Current queue"),
        first=_("Application and reason"),
        columns=(_("Waiting"), _("Overdue"), _("Oldest since (UTC)")),
        rows=tuple(rows),
        empty=_("Nothing is waiting."),
    )


def age(filters: DashboardFilter, queues: Sequence[Waiting], ages: Sequence[Age]) -> Table:
    rows = []
    for at, age in enumerate(ages):
        number = sum(each.by_age[at] for each in queues)
        times = {"until": f"{age.end:%Y-%m-%d}"}
        if age.start:
            times["since"] = f"{age.start:%Y-%m-%d}"
        rows.append(
            TableRow(Cell(age.words), (count(number, links.reviews(filters, None, **times)),))
        )
    return Table(
        name="age",
        title=_("Waiting since"),
        first=_("Arrived"),
        columns=(_("Reviews"),),
        rows=tuple(rows) if queues else (),
        note=_("Days in UTC."),
        chart="bars",
        empty=_("Nothing is waiting."),
    )


def throughput(
    filters: DashboardFilter, bins: Sequence[Bin], rows: Iterable[DecisionCount]
) -> Table:
    counts_by_bin = _decisions_by_bin(filters, bins, rows)
    used_decisions = [
        decision.value
        for decision in ReviewDecision
        if any(counts[decision.value] for counts in counts_by_bin.values())
    ]
    lines = tuple(
        _decision_row(filters, item, counts_by_bin[at], used_decisions)
        for at, item in enumerate(bins)
    )
    return Table(
        name="throughput",
        title=_("Decided"),
        first=_("Time"),
        columns=(*(gettext(item.capitalize()) for item in used_decisions), _("All")),
        rows=lines if used_decisions else (),
        chart="stack",
        charted=len(used_decisions),
        empty=_("Nothing was decided in this period."),
    )


def _decisions_by_bin(
    filters: DashboardFilter, bins: Sequence[Bin], rows: Iterable[DecisionCount]
) -> defaultdict[int, Counter[str]]:
    starts = [item.span.start for item in bins]
    span = filters.span
    counts_by_bin: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for row in rows:
        if span.start <= row.at < span.end:
            counts_by_bin[place(starts, row.at)][row.decision] += row.count
    return counts_by_bin


def _decision_row(
    filters: DashboardFilter, item: Bin, counts: Counter[str], decisions: Sequence[str]
) -> TableRow:
    def link(**options: str) -> str:
        return links.reviews(filters, item.span, state="decided", **options)

    cells = (count(counts[decision], link(decision=decision)) for decision in decisions)
    return TableRow(Cell(item.label), (*cells, count(counts.total(), link())))


def quality(filters: DashboardFilter, now: Labels, before: Labels) -> Table:
    """Return the rates of the labels with intervals, marked where labels are few."""
    rows = tuple(
        _rate_row(filters, rate, was) for rate, was in zip(rates(now), rates(before), strict=True)
    )
    return Table(
        name="quality",
        title=_("Quality of the decisions"),
        first=_("Rate"),
        columns=(
            _("Share"),
            _("Likely range (95%)"),
            _("Overturned"),
            _("Reviewed answers"),
            _("Of"),
            _("Previously"),
        ),
        rows=rows,
        note=_(
            "Flagged by mistake: a reviewer found that an answer with WARN or BLOCK was right. "
            "Allowed by mistake: one with ALLOW was not. The latest decision on a check counts; a "
            "check with an open review does not. With fewer than %d reviews, no share is shown."
        )
        % ENOUGH,
    )


def quality_tiles(table: Table) -> list[Tile]:
    return [
        Tile(row.head.text, row.cells[0], previously(row.cells[5].text), _row_text(row))
        for row in table.rows
    ]


def agreement(agreement: Agreement, was: Agreement, href: str) -> Tile:
    """Return Cohen's kappa of first and second reviewer, or why there is none."""
    if (
        agreement.n < ENOUGH
        or agreement.kappa is None
        or agreement.low is None
        or agreement.high is None
    ):
        why = _("too few reviews") if agreement.n < ENOUGH else _("all judged alike")
        note = ngettext("%d review", "%d reviews", agreement.n) % agreement.n
        return Tile(_("Agreement beyond chance (κ)"), Cell(why, href), note=note)
    before = NOTHING if was.kappa is None or was.n < ENOUGH else grouped(was.kappa, 2)
    return Tile(
        _("Agreement beyond chance (κ)"),
        Cell(grouped(agreement.kappa, 2), href, agreement.kappa, agreement.kappa),
        previously(before),
        _("%(low)s to %(high)s, where 1 is always and 0 by chance; %(share)s of %(n)s judged alike")
        % {
            "low": grouped(agreement.low, 2),
            "high": grouped(agreement.high, 2),
            "n": grouped(agreement.n),
            "share": in_percent(agreement.raw or 0, 1),
        },
    )


def _rate_row(filters: DashboardFilter, rate: Rate, was: Rate) -> TableRow:
    labels: dict[str, Any] = {"state": "decided", "labels": str(rate.metric.of)}
    every = links.reviews(filters, filters.span, **labels)
    overturned = links.reviews(filters, filters.span, **labels, decision="overturned")
    return TableRow(
        Cell(gettext(RATE_TITLES[rate.metric.name])),
        (
            _share(rate, overturned),
            Cell(_interval(rate)),
            count(rate.overturned, overturned),
            count(rate.of, every),
            Cell(gettext(_OF[rate.metric.name])),
            _share(was, ""),
        ),
    )


def _share(rate: Rate, href: str) -> Cell:
    if rate.rate is None or rate.of < ENOUGH:
        return Cell(_("too few reviews"))
    return Cell(in_percent(rate.rate, 1), href, 100 * rate.rate, rate.rate)


def _interval(rate: Rate) -> str:
    if rate.low is None or rate.high is None or rate.of < ENOUGH:
        return NOTHING
    ends = {"first": in_percent(rate.low, 1), "last": in_percent(rate.high, 1)}
    return _("%(first)s to %(last)s") % ends


def _row_text(row: TableRow) -> str:
    interval = "" if row.cells[1].text == NOTHING else f"{row.cells[1].text}, "
    return interval + _("%s reviewed") % row.cells[3].text


def _within(rows: Iterable[DecisionCount], filters: DashboardFilter) -> int:
    span = filters.span
    return sum(row.count for row in rows if span.start <= row.at < span.end)
