"""The second page: how the desk keeps up, and what its decisions say of the checks."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from analysis.models import ReviewDecision
from dashboard.selectors.backlog import Age, Waiting
from dashboard.selectors.quality import Rate, rates
from dashboard.shown import NOTHING, Cell, Row, Table, Tile, count, in_percent
from dashboard.vectors import place
from reviews.agreement import Agreement
from reviews.figures import links
from reviews.figures.asked import Asked, Bin
from reviews.selectors.decided import Decided, Labels

ENOUGH = 30
"""Fewer labels, or pairs, and no rate is told: its interval would say nothing."""
_TITLES = {
    "overturn_rate": "Overturned",
    "false_positive_rate": "False positives",
    "false_negative_rate": "False negatives",
}
_OF = {
    "overturn_rate": "all decided reviews",
    "false_positive_rate": "decided WARN and BLOCK",
    "false_negative_rate": "decided ALLOW of the quality sample",
}


def queue_tiles(
    asked: Asked, waiting: Sequence[Waiting], rows: Sequence[Decided], now: datetime
) -> list[Tile]:
    """Backlog, overdue, age and throughput."""
    waits, late = sum(one.waiting for one in waiting), sum(one.overdue for one in waiting)
    oldest = min((one.oldest for one in waiting), default=None)
    done, before = _within(rows, asked), _within(rows, asked.before)
    return [
        Tile("Waiting", count(waits, links.reviews(asked))),
        Tile("Overdue", count(late, links.reviews(asked, due="overdue"))),
        Tile(
            "Oldest",
            Cell(_age(now, oldest), links.reviews(asked) if oldest else ""),
            note="" if oldest is None else f"since {oldest:%-d %b %Y %H:%M} UTC",
        ),
        Tile(
            "Decided in the period",
            count(done, links.reviews(asked, asked.span, state="decided")),
            f"previously {before:,}",
            f"{done / asked.days:,.1f} a day",
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
                    Cell(f"{one.oldest:%-d %b %Y %H:%M}"),
                ),
            )
        )
    return Table(
        name="queue",
        title="The queue now",
        first="Application and reason",
        columns=("Waiting", "Overdue", "Oldest since (UTC)"),
        rows=tuple(rows),
        empty="Nothing waits.",
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
        title="Waiting since",
        first="Came",
        columns=("Reviews",),
        rows=tuple(rows) if waiting else (),
        note="Days in UTC.",
        chart="bars",
        empty="Nothing waits.",
    )


def throughput(asked: Asked, bins: Sequence[Bin], rows: Iterable[Decided]) -> Table:
    """What was decided, over time."""
    decisions = [str(one) for one in ReviewDecision]
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
        title="Decided",
        first="Time",
        columns=(*(one.capitalize() for one in used), "All"),
        rows=lines if used else (),
        chart="stack",
        drawn=len(used),
        empty="Nothing was decided in this period.",
    )


def quality(asked: Asked, now: Labels, before: Labels) -> Table:
    """What the labels say, with intervals; little is said to be little."""
    rows = tuple(
        _rate_row(asked, rate, was) for rate, was in zip(rates(now), rates(before), strict=True)
    )
    return Table(
        name="quality",
        title="How good the decisions are",
        first="Rate",
        columns=("Share", "95 % interval", "Overturned", "Labels (n)", "Of", "Before"),
        rows=rows,
        note="Positive is rejected: a false positive is a good answer that was warned or blocked. "
        "The last opinion on a check counts, and none while another is open. "
        f"Under {ENOUGH} labels no rate is told.",
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
        why = "not enough labels" if found.n < ENOUGH else "all were judged alike"
        return Tile("Agreement (κ)", Cell(why, href), note=f"n = {found.n}")
    before = NOTHING if was.kappa is None or was.n < ENOUGH else f"{was.kappa:.2f}"
    return Tile(
        "Agreement (κ)",
        Cell(f"{found.kappa:.2f}", href, found.kappa, found.kappa),
        _previously(before),
        f"{found.low:.2f} to {found.high:.2f}, n = {found.n:,}, "
        f"{in_percent(found.raw or 0, 1)} judged alike",
    )


def _rate_row(asked: Asked, rate: Rate, was: Rate) -> Row:
    labels: dict[str, Any] = {"state": "decided", "labels": str(rate.metric.of)}
    every = links.reviews(asked, asked.span, **labels)
    overturned = links.reviews(asked, asked.span, **labels, decision="overturned")
    return Row(
        Cell(_TITLES[rate.metric.name]),
        (
            _share(rate, overturned),
            Cell(_interval(rate)),
            count(rate.overturned, overturned),
            count(rate.of, every),
            Cell(_OF[rate.metric.name]),
            _share(was, ""),
        ),
    )


def _share(rate: Rate, href: str) -> Cell:
    if rate.rate is None or rate.of < ENOUGH:
        return Cell("not enough labels")
    return Cell(in_percent(rate.rate, 1), href, 100 * rate.rate, rate.rate)


def _interval(rate: Rate) -> str:
    if rate.low is None or rate.high is None or rate.of < ENOUGH:
        return NOTHING
    return f"{in_percent(rate.low, 1)} to {in_percent(rate.high, 1)}"


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
        return f"{hours / 24:.0f} days"
    return "1 hour" if round(hours) == 1 else f"{hours:.0f} hours"


def _previously(figure: str) -> str:
    return "" if figure == NOTHING else f"previously {figure}"
