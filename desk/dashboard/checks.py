"""The tables of the first page: checks, rejections and latencies."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext as _

from analysis.trends import histogram
from analysis.trends.metrics import ANY, BY_NAME, FAILED, OTHER, RISK_STEP, Dimension
from desk.dashboard.page_parts import (
    AxisLine,
    Cell,
    Mark,
    Table,
    TableRow,
    count,
    day,
    milliseconds,
    points,
    share,
)
from desk.dashboard.period import PeriodCounts, slower_checks
from desk.dashboard.selectors.breakdown import BreakdownRow, Counts
from desk.dashboard.selectors.changes import Change
from desk.dashboard.vectors import place
from desk.reviews.figures import links
from desk.reviews.figures.dashboard_filter import Bin, DashboardFilter, DimensionValue
from desk.verdict_page.engine_texts import name_in_words
from desk.verdict_page.words import with_sign

NAMES = {
    Dimension.COLLECTION: (
        gettext_noop("By collection"),
        gettext_noop("Collection"),
        gettext_noop("(none)"),
    ),
    Dimension.SOURCE_MODEL: (
        gettext_noop("By source model"),
        gettext_noop("Source model"),
        gettext_noop("(not named)"),
    ),
    Dimension.POLICY: (
        gettext_noop("By policy version"),
        gettext_noop("Policy version"),
        gettext_noop("(failed)"),
    ),
}
"""A breakdown's title, the name of its first column, and the name of the empty value."""
SMALL_SAMPLE = 20
"""Checks below which a segment's share says little."""
MOST_SEGMENTS = 10


def what_changed(
    filters: DashboardFilter, parted: Mapping[Dimension, Sequence[BreakdownRow]]
) -> Table:
    """Return the segments that moved the share of rejections, by their part of the change.

    The contributions of a dimension add up to the change, unless a check has several values of it.
    """
    rows = [
        (abs(contribution), _segment_row(filters, dimension, item, contribution))
        for dimension, items in parted.items()
        if len(items) > 1  # one value alone explains nothing
        for item, contribution in _contributions(items)
        if contribution
    ]
    rows.sort(key=lambda pair: -pair[0])
    return Table(
        name="what-changed",
        title=_("What changed the share of failed safety checks"),
        first=_("Segment"),
        columns=tuple(map(gettext, _CHANGES)),
        rows=tuple(row for _size, row in rows[:MOST_SEGMENTS]),
        note=_(
            "Contribution: the part of the whole change, in percentage points, that comes from "
            "this segment, because it failed more often or became more frequent. Segments of fewer "
            "than %d checks are grey."
        )
        % SMALL_SAMPLE,
        empty=_("Nothing to compare: the share did not move, or there is no period before."),
    )


_CHANGES = (
    gettext_noop("Contribution"),
    gettext_noop("Failed a safety check"),
    gettext_noop("Previously"),
    gettext_noop("Checks"),
    gettext_noop("Previously"),
)


def _contributions(items: Sequence[BreakdownRow]) -> list[tuple[BreakdownRow, float]]:
    now = sum(item.now.done for item in items)
    before = sum(item.before.done for item in items)
    if not now or not before:
        return []
    return [(item, item.now.rejected / now - item.before.rejected / before) for item in items]


def _segment_row(
    filters: DashboardFilter, dimension: Dimension, item: BreakdownRow, contribution: float
) -> TableRow:
    _title, name, nothing = NAMES[dimension]
    narrowed = replace(filters, part=DimensionValue(dimension, item.value))
    earlier = narrowed.before
    head = f"{gettext(name)}: {item.value or gettext(nothing)}"
    cells = (
        points(contribution),
        _rejected(item.now, narrowed),
        _rejected(item.before, earlier),
        count(item.now.done, links.checks(narrowed, "checks", "done")),
        count(item.before.done, links.checks(earlier, "checks", "done")),
    )
    small = min(item.now.done or item.before.done, item.before.done or item.now.done) < SMALL_SAMPLE
    return TableRow(Cell(head, links.checks(narrowed, "rejections", ANY)), cells, small)


def _rejected(counts: Counts, filters: DashboardFilter) -> Cell:
    return share(counts.rejected, counts.done, links.checks(filters, "rejections", ANY))


def rejections(now: PeriodCounts, marks: Sequence[Mark]) -> Table:
    """Return the share of each rejection reason over time, with marks for changes."""
    metric = BY_NAME["rejections"]
    keys = _used_keys(now, "rejections", [key for key in metric.keys if key != ANY])
    return Table(
        name="rejections",
        title=_("Failed safety checks, by main reason"),
        first=_("Time"),
        columns=(*map(_reason_label, keys), _("All reasons"), _("Checks with a verdict")),
        rows=_shares_over_time(now, "rejections", [*keys, ANY], ("checks", "done")),
        note=_(
            "Share of all checks with a verdict. The policy decides whether such an answer is "
            "blocked, so some of them were allowed. Numbered lines mark the changes listed below."
        ),
        chart="stack",
        unit="%",
        charted=len(keys),
        marks=tuple(marks),
    )


def actions(now: PeriodCounts) -> Table:
    """Return the share of each of the three actions over time."""
    keys = ["BLOCK", "WARN", "ALLOW"]
    return Table(
        name="actions",
        title=_("Actions returned to applications"),
        first=_("Time"),
        columns=(*keys, _("Checks with a verdict")),
        rows=_shares_over_time(now, "actions", keys, ("checks", "done")),
        note=gettext(BY_NAME["actions"].meaning),
        chart="stack",
        unit="%",
        charted=len(keys),
    )


def not_checked(now: PeriodCounts) -> Table:
    """Return the share of incompletely checked answers over time, by signal."""
    metric = BY_NAME["not_checked"]
    keys = _used_keys(now, "not_checked", metric.keys)
    labels = tuple(map(_signal_label, keys))
    return Table(
        name="not-checked",
        title=_("Not fully checked"),
        first=_("Time"),
        columns=(*labels, _("Checks that have ended")),
        rows=_shares_over_time(now, "not_checked", keys, ("checks", "done", "failed"))
        if keys
        else (),
        note=gettext(metric.meaning),
        chart="lines",
        unit="%",
        charted=len(keys),
        empty=_("Every check in this period was complete."),
    )


def risk(now: PeriodCounts, before: PeriodCounts, lines: Sequence[AxisLine]) -> Table:
    """Return the histogram of risk scores, with the thresholds in force."""
    metric = BY_NAME["risk"]
    counts, were = now.whole("risk").counts, before.whole("risk").counts
    rows = tuple(
        TableRow(
            Cell(f"{low}–{int(low) + RISK_STEP - 1}" if low != "100" else low),
            (
                count(counts.get(low, 0), links.checks(now.filters, "risk", low)),
                count(were.get(low, 0), links.checks(before.filters, "risk", low)),
            ),
        )
        for low in metric.keys
    )
    some = rows if counts or were else ()
    return Table(
        name="risk",
        title=_("Risk scores, and the thresholds in force"),
        first=_("Risk score"),
        columns=(_("Checks"), _("In the previous period")),
        rows=some,
        note=_("Lines: the scores from which the active policy warns and blocks."),
        chart="bars",
        charted=1,
        lines=tuple(lines),
    )


def latency(now: PeriodCounts, metric: str, name: str, title: str) -> Table:
    """Return the percentiles of a duration by period, each with a link to the slower checks."""
    rows = tuple(
        TableRow(
            Cell(item.label),
            (
                *(
                    milliseconds(value, slower_checks(now.filters, metric, value, item))
                    for value in (reading.percentiles or {}).values()
                ),
                count(reading.of, links.checks(now.filters, "checks", "done", span=item.span)),
            ),
        )
        for item, reading in zip(now.bins, now.over_time(metric), strict=True)
    )
    percentiles = tuple(
        _("%s within") % with_sign(str(percent)) for percent in histogram.PERCENTILES
    )
    return Table(
        name=name,
        title=title,
        first=_("Time"),
        columns=(*percentiles, _("Checks with a verdict")),
        rows=rows if now.whole(metric).of else (),
        note=gettext(BY_NAME[metric].meaning)
        + " "
        + _(
            "Each series shows the time within which that share of the checks finished (accurate "
            "to about 25%). A point opens the checks that took at least as long."
        ),
        chart="lines",
        unit="ms",
        charted=len(percentiles),
    )


def broken_down(
    filters: DashboardFilter, dimension: Dimension, parted: Sequence[BreakdownRow]
) -> Table:
    """Return the checks of each value of a dimension."""
    title, first, nothing = NAMES[dimension]
    rows = []
    for item in parted:
        narrowed = replace(filters, part=DimensionValue(dimension, item.value))
        rows.append(_breakdown_row(item.value or gettext(nothing), narrowed, item))
    name = f"by-{dimension.replace('_', '-')}"
    return _breakdown(name, gettext(title), gettext(first), rows)


def by_application(
    filters: DashboardFilter, parted: Sequence[BreakdownRow], applications: Mapping[UUID, str]
) -> Table:
    """Return the checks of each of the reader's applications."""
    rows = []
    for item in parted:
        application = UUID(item.value)
        narrowed = replace(filters, application=application)
        rows.append(_breakdown_row(applications[application], narrowed, item))
    return _breakdown("by-application", _("By application"), _("Application"), rows)


def marks(
    bins: Sequence[Bin], changes: Sequence[Change], applications: Mapping[UUID, str]
) -> list[Mark]:
    """Return what changed as marks on the chart, each in the bin of its time."""
    starts = [item.span.start for item in bins]
    several = len(applications) > 1
    return [
        Mark(
            at=max(0, place(starts, change.at)),  # what changed before the first check stands there
            when=day(change.at),
            text=f"{applications[change.application_id]}: {change.words}"
            if several
            else change.words,
            href=reverse("admin:analysis_policy_change", args=[change.policy_id])
            if change.policy_id
            else "",
        )
        for change in changes
    ]


def _reason_label(key: str) -> str:
    return _("Other") if key == OTHER else name_in_words("rejection", key)


def _signal_label(key: str) -> str:
    labels = {ANY: _("Any of them, or failed"), FAILED: _("Failed"), OTHER: _("Other")}
    return labels.get(key) or name_in_words("signal", key)


_BREAKDOWN = (
    gettext_noop("Checks"),
    gettext_noop("Previously"),
    gettext_noop("Failed a safety check"),
    gettext_noop("Previously"),
    gettext_noop("Blocked"),
    gettext_noop("Warned"),
    gettext_noop("Not fully checked"),
)


def _breakdown(name: str, title: str, first: str, rows: Sequence[TableRow]) -> Table:
    return Table(name, title, first, tuple(map(gettext, _BREAKDOWN)), tuple(rows))


def _breakdown_row(name: str, filters: DashboardFilter, row: BreakdownRow) -> TableRow:
    """Return the counts of a value, or an application, to which the filters are narrowed."""
    now, before, earlier = row.now, row.before, filters.before
    ended = ("checks", "done", "failed")
    cells = (
        count(now.ended, links.checks(filters, *ended)),
        count(before.ended, links.checks(earlier, *ended)),
        _rejected(now, filters),
        _rejected(before, earlier),
        share(now.blocked, now.done, links.checks(filters, "actions", "BLOCK")),
        share(now.warned, now.done, links.checks(filters, "actions", "WARN")),
        share(now.not_checked, now.ended, links.checks(filters, "not_checked", ANY)),
    )
    return TableRow(Cell(name, links.dashboard(filters)), cells)


def _used_keys(now: PeriodCounts, metric: str, keys: Sequence[str]) -> list[str]:
    counts = now.whole(metric).counts
    return [key for key in keys if counts.get(key)]


def _shares_over_time(
    now: PeriodCounts, metric: str, keys: Sequence[str], of: tuple[str, ...]
) -> tuple[TableRow, ...]:
    """Return a row for each bin, its denominator in the last column; no rows if nothing counts."""
    if not now.whole(metric).of:
        return ()
    rows = []
    for item, reading in zip(now.bins, now.over_time(metric), strict=True):
        shares = (
            share(
                reading.counts.get(key, 0),
                reading.of,
                links.checks(now.filters, metric, key, span=item.span),
            )
            for key in keys
        )
        ended = count(reading.of, links.checks(now.filters, *of, span=item.span))
        rows.append(TableRow(Cell(item.label), (*shares, ended)))
    return tuple(rows)
