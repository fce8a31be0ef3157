"""The second page: how the desk keeps up, and what its decisions say of the checks."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.utils.formats import date_format, number_format
from django.utils.translation import gettext, gettext_noop, ngettext
from django.utils.translation import gettext as _

from analysis.models import ReviewDecision
from dashboard.selectors.backlog import Age, Waiting
from dashboard.selectors.quality import Rate, rates
from dashboard.shown import NOTHING, Cell, Row, Table, Tile, count, grouped, in_percent
from dashboard.vectors import place
from reviews.agreement import Agreement
from reviews.figures import links
from reviews.figures.asked import Asked, Bin
from reviews.selectors.decided import Decided, Labels

ENOUGH = 30
"""Fewer labels, or pairs, and no rate is told: its interval would say nothing."""
_TITLES = {
    "overturn_rate": gettext_noop("Overturned"),
    "false_positive_rate": gettext_noop("False positives"),
    "false_negative_rate": gettext_noop("False negatives"),
}
_OF = {
    "overturn_rate": gettext_noop("all decided reviews"),
    "false_positive_rate": gettext_noop("decided WARN and BLOCK"),
    "false_negative_rate": gettext_noop("decided ALLOW of the quality sample"),
}


def queue_tiles(
    asked: Asked, waiting: Sequence[Waiting], rows: Sequence[Decided], now: datetime
) -> list[Tile]:
    """Backlog, overdue, age and throughput."""
    waits, late = sum(one.waiting for one in waiting), sum(one.overdue for one in waiting)
    oldest = min((one.oldest for one in waiting), default=None)
    done, before = _within(rows, asked), _within(rows, asked.before)
    return [
        Tile(_("Waiting"), count(waits, links.reviews(asked))),
        Tile(_("Overdue"), count(late, links.reviews(asked, due="overdue"))),
        Tile(
            _("Oldest"),
            Cell(_age(now, oldest), links.reviews(asked) if oldest else ""),
            note=""
            if oldest is None
            else _("since %s UTC") % date_format(oldest, "DATETIME_FORMAT"),
        ),
        Tile(
            _("Decided in the period"),
            count(done, links.reviews(asked, asked.span, state="decided")),
            _("previously %s") % grouped(before),
            _("%s a day") % grouped(done / asked.days, 1),
        ),
    ]


def queue(asked: Asked, waiting: Sequence[Waiting]) -> Table:
    """What waits, by application and reason."""
    rows = []
    for one in waiting:
        here: dict[str, str] = {"application": str(one.application_id), "reason": one.reason}
        rows.append(
            Row(
                Cell(f"{one.application}: {one.words}", links.reviews(asked, None, **here)),
                (
                    count(one.waiting, links.reviews(asked, None, **here)),
                    count(one.overdue, links.reviews(asked, None, **here, due="overdue")),
                    Cell(date_format(one.oldest, "DATETIME_FORMAT")),
                ),
            )
        )
    return Table(
        name="queue",
        title=_("The queue now"),
        first=_("Application and reason"),
        columns=(_("Waiting"), _("Overdue"), _("Oldest since (UTC)")),
        rows=tuple(rows),
        empty=_("Nothing waits."),
    )


def age(asked: Asked, waiting: Sequence[Waiting], ages: Sequence[Age]) -> Table:
    """How long it has waited."""
    rows = []
    for at, one in enumerate(ages):
        number = sum(each.by_age[at] for each in waiting)
        times = {"until": f"{one.end:%Y-%m-%d}"}
        if one.start:
            times["since"] = f"{one.start:%Y-%m-%d}"
        rows.append(Row(Cell(one.words), (count(number, links.reviews(asked, None, **times)),)))
    return Table(
        name="age",
        title=_("Waiting since"),
        first=_("Came"),
        columns=(_("Reviews"),),
        rows=tuple(rows) if waiting else (),
        note=_("Days in UTC."),
        chart="bars",
        empty=_("Nothing waits."),
    )


def throughput(asked: Asked, bins: Sequence[Bin], rows: Iterable[Decided]) -> Table:
    """What was decided, over time."""
    decisions = [one.value for one in ReviewDecision]
    starts = [one.span.start for one in bins]
    span = asked.span
    counted: dict[int, Counter[str]] = defaultdict(Counter)
    for row in rows:
        if span.start <= row.at < span.end:
            counted[place(starts, row.at)][row.decision] += row.count
    used = [one for one in decisions if any(counts[one] for counts in counted.values())]
    lines = tuple(
        Row(
            Cell(one.label),
            (
                *(
                    count(
                        counted[at][decision],
                        links.reviews(asked, one.span, state="decided", decision=decision),
                    )
                    for decision in used
                ),
                count(counted[at].total(), links.reviews(asked, one.span, state="decided")),
            ),
        )
        for at, one in enumerate(bins)
    )
    return Table(
        name="throughput",
        title=_("Decided"),
        first=_("Time"),
        columns=(*(gettext(one.capitalize()) for one in used), _("All")),
        rows=lines if used else (),
        chart="stack",
        drawn=len(used),
        empty=_("Nothing was decided in this period."),
    )


def quality(asked: Asked, now: Labels, before: Labels) -> Table:
    """What the labels say, with intervals; little is said to be little."""
    rows = tuple(
        _rate_row(asked, rate, was) for rate, was in zip(rates(now), rates(before), strict=True)
    )
    return Table(
        name="quality",
        title=_("How good the decisions are"),
        first=_("Rate"),
        columns=(
            _("Share"),
            _("Interval of 95 %"),
            _("Overturned"),
            _("Labels (n)"),
            _("Of"),
            _("Before"),
        ),
        rows=rows,
        note=_(
            "Positive is rejected: a false positive is a good answer that was warned or blocked. "
            "The last opinion on a check counts, and none while another is open. "
            "Under %d labels no rate is told."
        )
        % ENOUGH,
    )


def quality_tiles(table: Table) -> list[Tile]:
    """The same three, large."""
    return [
        Tile(row.head.text, row.cells[0], _previously(row.cells[5].text), _told(row))
        for row in table.rows
    ]


def agreement(found: Agreement, was: Agreement, href: str) -> Tile:
    """Cohen's kappa of first and second reviewer."""
    if found.n < ENOUGH or found.kappa is None or found.low is None or found.high is None:
        why = _("not enough labels") if found.n < ENOUGH else _("all were judged alike")
        return Tile(_("Agreement (κ)"), Cell(why, href), note=f"n = {found.n}")
    before = NOTHING if was.kappa is None or was.n < ENOUGH else f"{was.kappa:.2f}"
    return Tile(
        _("Agreement (κ)"),
        Cell(f"{found.kappa:.2f}", href, found.kappa, found.kappa),
        _previously(before),
        _("%(low)s to %(high)s, n = %(n)s, %(share)s judged alike")
        % {
            "low": number_format(round(found.low, 2), 2),
            "high": number_format(round(found.high, 2), 2),
            "n": grouped(found.n),
            "share": in_percent(found.raw or 0, 1),
        },
    )


def _rate_row(asked: Asked, rate: Rate, was: Rate) -> Row:
    labels: dict[str, Any] = {"state": "decided", "labels": str(rate.metric.of)}
    every = links.reviews(asked, asked.span, **labels)
    overturned = links.reviews(asked, asked.span, **labels, decision="overturned")
    return Row(
        Cell(gettext(_TITLES[rate.metric.name])),
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
        return Cell(_("not enough labels"))
    return Cell(in_percent(rate.rate, 1), href, 100 * rate.rate, rate.rate)


def _interval(rate: Rate) -> str:
    if rate.low is None or rate.high is None or rate.of < ENOUGH:
        return NOTHING
    ends = {"first": in_percent(rate.low, 1), "last": in_percent(rate.high, 1)}
    return _("%(first)s to %(last)s") % ends


def _told(row: Row) -> str:
    interval = "" if row.cells[1].text == NOTHING else f"{row.cells[1].text}, "
    return f"{interval}n = {row.cells[3].text}"


def _within(rows: Iterable[Decided], asked: Asked) -> int:
    span = asked.span
    return sum(row.count for row in rows if span.start <= row.at < span.end)


def _age(now: datetime, oldest: datetime | None) -> str:
    if oldest is None:
        return NOTHING
    hours = (now - oldest).total_seconds() / 3600
    if hours >= 48:
        return _("%d days") % round(hours / 24)
    return ngettext("%d hour", "%d hours", round(hours)) % round(hours)


def _previously(figure: str) -> str:
    return "" if figure == NOTHING else _("previously %s") % figure
