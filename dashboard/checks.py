"""The first page: what was checked, what was rejected, and how long it took."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import UUID

from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext, gettext_noop, ngettext
from django.utils.translation import gettext as _

from analysis.trends import histogram
from analysis.trends.metrics import ANY, BY_NAME, RISK_STEP, Dimension
from dashboard.selectors import trends
from dashboard.selectors.breakdown import Counts, Parted
from dashboard.selectors.changes import Change
from dashboard.selectors.trends import Trend
from dashboard.shown import (
    Cell,
    Line,
    Mark,
    Row,
    Table,
    Tile,
    count,
    day,
    grouped,
    milliseconds,
    share,
)
from dashboard.trends.reading import Counts as Vectors
from dashboard.trends.reading import Reading
from dashboard.vectors import binned, place, total
from reviews.figures import links
from reviews.figures.asked import Asked, Bin, Part
from reviews.figures.links import ONWARDS

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


@dataclass(frozen=True, slots=True)
class Period:
    """What was counted in a period: a row for each bin, and their sum."""

    asked: Asked
    bins: tuple[Bin, ...]
    found: Trend
    vectors: Vectors

    def over_time(self, metric: str) -> list[Reading]:
        """What a metric says of each bin."""
        return self.found.read_all(BY_NAME[metric], self.vectors)

    def whole(self, metric: str) -> Reading:
        """What it says of the period."""
        return self.found.read_all(BY_NAME[metric], total(self.vectors))[0]


def period(asked: Asked) -> Period:
    """Read a period: one query."""
    span = asked.span
    part = asked.part or Part(Dimension.ALL, "")
    found = trends.trend(
        trends.Asked(
            asked.applications,
            trends.Period.around(asked.grain, span.start, span.end),
            part.dimension,
            part.value,
        )
    )
    bins = tuple(asked.bins())
    vectors = binned(found, bins)
    first = _first_counted(vectors)
    return Period(asked, bins[first:], found, vectors[first:])


def _first_counted(vectors: Vectors) -> int:
    """The first bin with checks: charts begin there, not with days of nothing."""
    counted = vectors.any(axis=1)
    return int(counted.argmax()) if counted.any() else 0


def tiles(now: Period, before: Period) -> list[Tile]:
    """The figures of the period at a glance, each beside what it was."""
    return [
        _checks_tile(now, before),
        *(_share_tile(now, before, *one) for one in _SHARES),
        _time_tile(now, before),
    ]


_SHARES = (
    (gettext_noop("Allowed"), "actions", "ALLOW"),
    (gettext_noop("Warned"), "actions", "WARN"),
    (gettext_noop("Blocked"), "actions", "BLOCK"),
    (gettext_noop("Failed a safety check"), "rejections", ANY),
    (gettext_noop("Not fully checked"), "not_checked", ANY),
)
"""The first three add up to all checks with a verdict; the others tell more of the same checks."""


def rejections(now: Period, marks: Sequence[Mark]) -> Table:
    """Shares of the reasons over time, with what changed."""
    metric = BY_NAME["rejections"]
    keys = _used(now, "rejections", [key for key in metric.keys if key != ANY])
    return Table(
        name="rejections",
        title=_("Failed safety checks, by main reason"),
        first=_("Time"),
        columns=(*map(spoken, keys), _("All reasons"), _("Checks with a verdict")),
        rows=_shares_over_time(now, "rejections", [*keys, ANY], ("checks", "done")),
        note=_(
            "Share of all checks with a verdict. The policy decides whether such an answer is "
            "blocked, so some of them were allowed. Numbered lines mark the changes listed below."
        ),
        chart="stack",
        unit="%",
        drawn=len(keys),
        marks=tuple(marks),
    )


def actions(now: Period) -> Table:
    """Shares of the three actions over time."""
    keys = ["BLOCK", "WARN", "ALLOW"]
    return Table(
        name="actions",
        title=_("What applications were told to do"),
        first=_("Time"),
        columns=(*keys, _("Checks with a verdict")),
        rows=_shares_over_time(now, "actions", keys, ("checks", "done")),
        note=gettext(BY_NAME["actions"].meaning),
        chart="stack",
        unit="%",
        drawn=len(keys),
    )


def not_checked(now: Period) -> Table:
    """The share of checks that were not whole, by signal, over time."""
    metric = BY_NAME["not_checked"]
    keys = _used(now, "not_checked", metric.keys)
    named = tuple(_("Any signal, or failed") if key == ANY else spoken(key) for key in keys)
    return Table(
        name="not-checked",
        title=_("Not fully checked"),
        first=_("Time"),
        columns=(*named, _("Checks that have ended")),
        rows=_shares_over_time(now, "not_checked", keys, ("checks", "done", "failed"))
        if keys
        else (),
        note=gettext(metric.meaning),
        chart="lines",
        unit="%",
        drawn=len(keys),
        empty=_("Every check of this period was whole."),
    )


def risk(now: Period, before: Period, lines: Sequence[Line]) -> Table:
    """How many checks had which risk score, with the thresholds in force."""
    metric = BY_NAME["risk"]
    counts, were = now.whole("risk").counts, before.whole("risk").counts
    rows = tuple(
        Row(
            Cell(f"{low}–{int(low) + RISK_STEP - 1}" if low != "100" else low),
            (
                count(counts.get(low, 0), links.checks(now.asked, "risk", low)),
                count(were.get(low, 0), links.checks(before.asked, "risk", low)),
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
        note=_("Lines: from which score on the active policy warns and blocks."),
        chart="bars",
        drawn=1,
        lines=tuple(lines),
    )


def latency(now: Period, metric: str, name: str, title: str) -> Table:
    """Percentiles over time."""
    rows = tuple(
        Row(
            Cell(one.label),
            (
                *(
                    milliseconds(value, _slower(now.asked, metric, value, one))
                    for value in (reading.percentiles or {}).values()
                ),
                count(reading.of, links.checks(now.asked, "checks", "done", span=one.span)),
            ),
        )
        for one, reading in zip(now.bins, now.over_time(metric), strict=True)
    )
    percentiles = tuple(f"{percent} %" for percent in histogram.PERCENTILES)
    return Table(
        name=name,
        title=title,
        first=_("Time"),
        columns=(*percentiles, _("Checks with a verdict")),
        rows=rows if now.whole(metric).of else (),
        note=gettext(BY_NAME[metric].meaning)
        + " "
        + _(
            "Each column is the time within which that share of checks finished, accurate to "
            "26 %; it links to the checks that took as long or longer."
        ),
        chart="lines",
        unit="ms",
        drawn=len(percentiles),
    )


def broken_down(asked: Asked, dimension: Dimension, parted: Sequence[Parted]) -> Table:
    """The values of a dimension beside each other."""
    title, first, nothing = NAMES[dimension]
    rows = []
    for one in parted:
        narrowed = replace(asked, part=Part(dimension, one.value))
        head = Cell(one.value or gettext(nothing), links.dashboard(narrowed, "checks"))
        rows.append(Row(head, _breakdown_cells(narrowed, one)))
    name = f"by-{dimension.replace('_', '-')}"
    columns = tuple(map(gettext, _BREAKDOWN))
    return Table(name, gettext(title), gettext(first), columns, tuple(rows))


def by_application(
    asked: Asked, parted: Sequence[Parted], applications: Mapping[UUID, str]
) -> Table:
    """The reader's applications beside each other."""
    rows = []
    for one in parted:
        application = UUID(one.value)
        narrowed = replace(asked, application=application)
        head = Cell(applications[application], links.dashboard(narrowed, "checks"))
        rows.append(Row(head, _breakdown_cells(narrowed, one)))
    columns = tuple(map(gettext, _BREAKDOWN))
    return Table("by-application", _("By application"), _("Application"), columns, tuple(rows))


def marks(
    bins: Sequence[Bin], changes: Sequence[Change], applications: Mapping[UUID, str]
) -> list[Mark]:
    """What changed, in the bin where it did."""
    starts = [one.span.start for one in bins]
    several = len(applications) > 1
    return [
        Mark(
            at=max(0, place(starts, one.at)),  # what changed before the first check stands there
            when=day(one.at),
            text=f"{applications[one.application_id]}: {one.words}" if several else one.words,
            href=reverse("admin:analysis_policy_change", args=[one.policy_id])
            if one.policy_id
            else "",
        )
        for one in changes
    ]


def spoken(key: str) -> str:
    """A key of a metric in words."""
    return gettext(key.replace("_", " ").capitalize())


_BREAKDOWN = (
    gettext_noop("Checks"),
    gettext_noop("Previously"),
    gettext_noop("Failed a safety check"),
    gettext_noop("Previously"),
    gettext_noop("Blocked"),
    gettext_noop("Warned"),
    gettext_noop("Not fully checked"),
)


def _breakdown_cells(asked: Asked, one: Parted) -> tuple[Cell, ...]:
    now, before, earlier = one.now, one.before, asked.before

    def rejected(counts: Counts, of: Asked) -> Cell:
        return share(counts.rejected, counts.done, links.checks(of, "rejections", ANY))

    ended = ("checks", "done", "failed")
    return (
        count(now.ended, links.checks(asked, *ended)),
        count(before.ended, links.checks(earlier, *ended)),
        rejected(now, asked),
        rejected(before, earlier),
        share(now.blocked, now.done, links.checks(asked, "actions", "BLOCK")),
        share(now.warned, now.done, links.checks(asked, "actions", "WARN")),
        share(now.not_checked, now.ended, links.checks(asked, "not_checked", ANY)),
    )


def _used(now: Period, metric: str, keys: Sequence[str]) -> list[str]:
    counted = now.whole(metric).counts
    return [key for key in keys if counted.get(key)]


def _shares_over_time(
    now: Period, metric: str, keys: Sequence[str], of: tuple[str, ...]
) -> tuple[Row, ...]:
    """A row for each bin, with how many each share is of in the last column; none for nothing."""
    if not now.whole(metric).of:
        return ()
    rows = []
    for one, reading in zip(now.bins, now.over_time(metric), strict=True):
        shares = (
            share(
                reading.counts.get(key, 0),
                reading.of,
                links.checks(now.asked, metric, key, span=one.span),
            )
            for key in keys
        )
        ended = count(reading.of, links.checks(now.asked, *of, span=one.span))
        rows.append(Row(Cell(one.label), (*shares, ended)))
    return tuple(rows)


def _slower(asked: Asked, metric: str, value: float | None, one: Bin | None = None) -> str:
    """The checks that took as long or longer."""
    if value is None:
        return ""
    key = histogram.KEYS[histogram.bucket(value)]
    return links.checks(asked, metric, key, ONWARDS, span=one.span if one else None)


def _checks_tile(now: Period, before: Period) -> Tile:
    ended, were = now.whole("checks").of, before.whole("checks").of
    href = links.checks(now.asked, "checks", "done", "failed")
    failed = now.whole("checks").counts.get("failed", 0)
    note = _("%s could not be completed") % grouped(failed) if failed else ""
    return Tile(_("Checks"), count(ended, href), _("previously %s") % grouped(were), note)


def _share_tile(now: Period, before: Period, name: str, metric: str, key: str) -> Tile:
    reading, were = now.whole(metric), before.whole(metric)
    number = reading.counts.get(key, 0)
    figure = share(number, reading.of, links.checks(now.asked, metric, key))
    was = share(were.counts.get(key, 0), were.of)
    told = ngettext("%(n)s check", "%(n)s checks", number) % {"n": grouped(number)}
    return Tile(gettext(name), figure, _compared(figure, was), told)


def _time_tile(now: Period, before: Period) -> Tile:
    value = (now.whole("total_time").percentiles or {}).get("p95")
    was = (before.whole("total_time").percentiles or {}).get("p95")
    figure = milliseconds(value, _slower(now.asked, "total_time", value))
    return Tile(
        _("95 % within"), figure, _previously(milliseconds(was)), _("submission to verdict")
    )


def _compared(figure: Cell, was: Cell) -> str:
    """How a share moved; nothing to compare with is said."""
    if figure.value is None or was.value is None:
        return _previously(was)
    points = round(figure.value - was.value, 1)
    signed = f"{'+' if points > 0 else '−'}{number_format(abs(points), 1)}"
    moved = _("%s points") % signed if points else _("no change")
    return ", ".join((_("previously %s") % was.text, moved))


def _previously(was: Cell) -> str:
    return "" if was.value is None else _("previously %s") % was.text


def days_before(asked: Asked) -> str:
    """The period before in words."""
    last = asked.before.span.end - timedelta(days=1)
    return _("%(first)s to %(last)s") % {"first": day(asked.before.first), "last": day(last)}
