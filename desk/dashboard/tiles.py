"""The tiles of a period: checks, rejections and latency."""

from django.utils.translation import gettext, gettext_noop, ngettext
from django.utils.translation import gettext as _

from analysis.trends.metrics import ANY
from desk.dashboard.page_parts import (
    Cell,
    Tile,
    count,
    grouped,
    milliseconds,
    previously,
    share,
    signed,
)
from desk.dashboard.period import PeriodCounts, slower_checks
from desk.reviews.figures import links


def tiles(now: PeriodCounts, before: PeriodCounts) -> list[Tile]:
    """Return the tiles of the period, each with its previous value."""
    return [
        _checks_tile(now, before),
        *(_share_tile(now, before, *share) for share in _SHARES),
        _time_tile(now, before),
    ]


def operation_tiles(now: PeriodCounts, before: PeriodCounts) -> list[Tile]:
    """Return the tiles for operators: a count, a duration, and the share not fully checked."""
    return [
        _checks_tile(now, before),
        _time_tile(now, before),
        _share_tile(now, before, *_NOT_WHOLE),
    ]


_NOT_WHOLE = (gettext_noop("Not fully checked"), "not_checked", ANY)
_SHARES = (
    (gettext_noop("Allowed"), "actions", "ALLOW"),
    (gettext_noop("Warned"), "actions", "WARN"),
    (gettext_noop("Blocked"), "actions", "BLOCK"),
    (gettext_noop("Failed a safety check"), "rejections", ANY),
    _NOT_WHOLE,
)
"""The first three add up to all checks with a verdict; the others tell more of the same checks."""


def _checks_tile(now: PeriodCounts, before: PeriodCounts) -> Tile:
    ended, were = now.whole("checks").of, before.whole("checks").of
    href = links.checks(now.filters, "checks", "done", "failed")
    failed = now.whole("checks").counts.get("failed", 0)
    note = _("%s could not be completed") % grouped(failed) if failed else ""
    return Tile(_("Checks"), count(ended, href), previously(grouped(were)), note)


def _share_tile(now: PeriodCounts, before: PeriodCounts, name: str, metric: str, key: str) -> Tile:
    reading, were = now.whole(metric), before.whole(metric)
    number = reading.counts.get(key, 0)
    figure = share(number, reading.of, links.checks(now.filters, metric, key))
    was = share(were.counts.get(key, 0), were.of)
    note = ngettext("%(n)s check", "%(n)s checks", number) % {"n": grouped(number)}
    return Tile(gettext(name), figure, _compared(figure, was), note)


def _time_tile(now: PeriodCounts, before: PeriodCounts) -> Tile:
    value = (now.whole("total_time").percentiles or {}).get("p95")
    was = (before.whole("total_time").percentiles or {}).get("p95")
    figure = milliseconds(value, slower_checks(now.filters, "total_time", value))
    return Tile(
        _("Time to the verdict"),
        figure,
        previously(milliseconds(was).text),
        _("95% of the checks took no longer"),
    )


def _compared(figure: Cell, was: Cell) -> str:
    """Return how a share moved, or that there is nothing to compare it with."""
    if figure.value is None or was.value is None:
        return previously(was.text)
    points = round(figure.value - was.value, 1)
    moved = _("%s points") % signed(points) if points else _("no change")
    return ", ".join((previously(was.text), moved))
