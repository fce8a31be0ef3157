"""The page about drift: what is compared, what has drifted, and the alarms that were sent."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from uuid import UUID

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from analysis.trends.metrics import Dimension
from audit.models import TrailEntry
from desk.dashboard.page_parts import (
    Cell,
    Table,
    TableRow,
    Tile,
    count,
    day,
    in_percent,
    share,
)
from desk.dashboard.selectors.drift import DriftPeriod
from desk.dashboard.trends.drift import BEFORE_DAYS, LEVEL, MOVED, RECENT_DAYS, DriftTest

ALARMS_SHOWN = timedelta(days=90)
WORDS = {
    "language": gettext_lazy("Language"),
    "answer_length": gettext_lazy("Length of the answers"),
    "sources": gettext_lazy("Number of sources"),
    "collection": gettext_lazy("Collections"),
    "source_model": gettext_lazy("Source models"),
    "topic": gettext_lazy("Topics of the questions"),
    "risk": gettext_lazy("Risk scores"),
    "overturned_flagged": gettext_lazy("Overturned, of the flagged"),
    "overturned_allowed": gettext_lazy("Overturned, of the allowed"),
}
"""Labels of the compared values."""
_KEYS = {
    "overturned": gettext_lazy("overturned"),
    "confirmed": gettext_lazy("confirmed"),
    "none": gettext_lazy("none"),
    "other": gettext_lazy("other"),
    "": gettext_lazy("(none)"),
}
Tests = Mapping[UUID, Sequence[DriftTest]]


def tiles(tests: Tests, alarms: Sequence[TrailEntry]) -> list[Tile]:
    every = [test for some in tests.values() for test in some]
    return [
        Tile(_("Comparisons that drifted"), count(sum(test.is_drift for test in every))),
        Tile(_("Comparisons made"), count(len(every))),
        Tile(_("Alarms in 90 days"), count(len(alarms))),
    ]


def tests_table(tests: Tests, applications: Mapping[UUID, str]) -> Table:
    several = len(applications) > 1
    rows = [
        TableRow(
            Cell(str(WORDS[test.what])),
            (
                Cell(_segment(test.dimension, test.value)),
                Cell(_("drift") if test.is_drift else _("no")),
                Cell(_moves([(c.key, c.before, c.recent) for c in test.changes])),
                share(round(test.distance * test.recent), test.recent),
                Cell(_p(test.adjusted_p), raw=test.adjusted_p),
                count(test.recent),
                count(test.before),
                *([Cell(applications[application])] if several else []),
            ),
        )
        for application, some in tests.items()
        for test in some
    ]
    return Table(
        name="drift",
        title=_("What was compared"),
        first=_("Of what"),
        columns=(
            _("Of which checks"), _("Drift"), _("Largest changes"), _("Moved"),
            _("p, adjusted"), _("Now"), _("Before"), *([_("Application")] if several else []),
        ),
        rows=tuple(rows),
        note=_(
            "Drift: at least %(moved)s moved to another category, more than chance explains. “Now” "
            "and “Before” count checks, or decided reviews. By Pearson’s chi-square or Fisher’s "
            "exact test, p is at most %(level)s after adjustment for the number of comparisons "
            "(Benjamini and Hochberg)."
        )
        % {"level": number_format(LEVEL), "moved": in_percent(MOVED, 1)},
        empty=_("There is not yet enough to compare: a hundred checks in a week, four hundred in "
                "the four weeks before."),
    )  # fmt: skip


def alarms_table(alarms: Sequence[TrailEntry], applications: Mapping[UUID, str]) -> Table:
    several = len(applications) > 1
    rows = []
    for entry in alarms:
        name = applications.get(entry.application_id, "") if entry.application_id else ""
        for item in entry.data["drifts"]:
            moves = _moves([(c["key"], c["before"], c["recent"]) for c in item["changes"]])
            cells = [str(WORDS[item["what"]]), _segment(item["dimension"], item["value"]), moves]
            if several:
                cells.append(name)
            rows.append(TableRow(Cell(day(entry.occurred_at)), tuple(map(Cell, cells))))
    return Table(
        name="alarms",
        title=_("Alarms of the last 90 days"),
        first=_("Day"),
        columns=(
            _("Of what"), _("Of which checks"), _("Largest changes"),
            *([_("Application")] if several else []),
        ),
        rows=tuple(rows),
        note=_(
            "Each is an entry of the audit trail. A drift that persists is reported again after "
            "four weeks."
        ),
        empty=_("There were none."),
    )  # fmt: skip


def period_words(period: DriftPeriod) -> str:
    """Return the days that are compared, in words."""
    return _(
        "%(days)d days, %(recent)s to %(last)s (UTC), compared with the %(more)d days before."
    ) % {
        "days": RECENT_DAYS,
        "recent": day(period.recent),
        "last": day(period.end - timedelta(days=1)),
        "more": BEFORE_DAYS,
    }


def _segment(dimension: str, value: str) -> str:
    if dimension == Dimension.ALL:
        return _("all checks")
    what = _("collection %s") if dimension == Dimension.COLLECTION else _("model %s")
    return what % (value or str(_KEYS[""]))


def _moves(changes: Sequence[tuple[str, float, float]]) -> str:
    """Return the changes as "German 2.0% → 9.1%", the largest first."""
    return ", ".join(
        f"{_KEYS.get(key, key)} {in_percent(before, 1)} → {in_percent(recent, 1)}"
        for key, before, recent in changes
    )


def _p(value: float) -> str:
    return number_format(round(value, 4), 4) if value >= 0.0001 else f"< {number_format(0.0001)}"
