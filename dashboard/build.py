"""The three pages, put together: a few reads each, and nothing that grows with the checks."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext as _

from analysis.trends.metrics import Dimension
from dashboard import checks as checks_page
from dashboard import reviews as reviews_page
from dashboard import thresholds
from dashboard import topics as topics_page
from dashboard.selectors import backlog, breakdown, changes, trends
from dashboard.selectors import topics as uncovered
from dashboard.selectors.breakdown import Parted
from dashboard.shown import Table, Tile
from reviews.figures import links
from reviews.figures.asked import Asked, Part
from reviews.selectors.agreement import agreement_of
from reviews.selectors.decided import decided, labels

Names = Mapping[UUID, str]
"""The applications that figures are of, by name."""


@dataclass(frozen=True, slots=True)
class Options:
    """Values of a dimension that the filter bar offers."""

    title: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Built:
    """A page: large figures, tables with their charts, and words about them."""

    tiles: list[Tile]
    tables: list[Table]
    notes: list[str]
    options: tuple[Options, ...] = ()


def checks(asked: Asked, reader: User, names: Names) -> Built:
    """What was checked."""
    now, before = checks_page.period(asked), checks_page.period(asked.before)
    parted = _parted(asked)
    span = asked.span
    found = changes.changes(asked.applications, start=span.start, end=span.end)
    marks = checks_page.marks(now.bins, found, names)
    tables = [
        checks_page.rejections(now, marks),
        checks_page.actions(now),
        checks_page.risk(now, before, thresholds.lines(names)),
        checks_page.not_checked(now),
        checks_page.latency(now, "total_time", "total-time", _("Time from submission to verdict")),
        checks_page.latency(now, "worker_time", "worker-time", _("Time of the worker")),
        *_breakdowns(asked, names, parted),
    ]
    waiting = trends.waiting()
    notes = [_("%s checks have ended and are not counted yet.") % waiting] if waiting else []
    return Built(checks_page.tiles(now, before), tables, notes, _options(asked, parted))


def reviews(asked: Asked, reader: User, names: Names) -> Built:
    """How the desk keeps up, and what reviewers say."""
    moment, bins, span, was = timezone.now(), asked.bins(), asked.span, asked.before.span
    waiting = backlog.backlog(reader, asked.applications, moment)
    rows = decided(asked.applications, start=was.start, end=span.end, grain=asked.grain)
    kept_back = backlog.hidden(reader, asked.applications, start=was.start, end=span.end)
    seen = [*rows, *(backlog.less(one) for one in kept_back)]
    quality = reviews_page.quality(
        asked,
        labels(row for row in rows if row.at >= span.start),
        labels(row for row in rows if row.at < span.start),
    )
    pairs = agreement_of(reader, asked.applications, start=span.start, end=span.end)
    earlier = agreement_of(reader, asked.applications, start=was.start, end=was.end)
    asked_twice = {"state": "decided", "stage": "second"}
    twice = links.reviews(asked, span, **asked_twice)
    tiles = [
        *reviews_page.queue_tiles(asked, waiting, seen, moment),
        *reviews_page.quality_tiles(quality),
        reviews_page.agreement(pairs, earlier, twice),
    ]
    tables = [
        reviews_page.throughput(asked, bins, seen),
        reviews_page.age(asked, waiting, backlog.ages(moment)),
        reviews_page.queue(asked, waiting),
        quality,
    ]
    notes = ["Collections, models and policies do not tell the desk's work apart."]
    return Built(tiles, tables, notes if asked.part else [])


def topics(asked: Asked, reader: User, names: Names) -> Built:
    """What was asked and not found."""
    span, was = asked.span, asked.before.span
    part = asked.part or Part(Dimension.ALL, "")
    narrowed = uncovered.Narrowed(asked.applications, part.dimension, part.value)
    found = uncovered.uncovered(narrowed, before=was.start, start=span.start, end=span.end)
    now = uncovered.nothing_found(narrowed, start=span.start, end=span.end).count()
    before = uncovered.nothing_found(narrowed, start=was.start, end=was.end).count()
    return Built(
        topics_page.tiles(asked, now, before, found),
        [topics_page.table(asked, now, found, names)],
        [topics_page.as_of(uncovered.runs(asked.applications))],
        _options(asked, _parted(asked)),
    )


def _parted(asked: Asked) -> dict[Dimension, list[Parted]]:
    """The values of each dimension; versions of a policy only where they are of one application."""
    told = [Dimension.COLLECTION, Dimension.SOURCE_MODEL]
    if asked.application:
        told.append(Dimension.POLICY)
    span, before = asked.span, asked.before.span.start
    return {
        one: breakdown.by_value(
            asked.applications, one, before=before, start=span.start, end=span.end
        )
        for one in told
    }


def _breakdowns(
    asked: Asked, names: Names, parted: Mapping[Dimension, list[Parted]]
) -> list[Table]:
    """By application, and by each dimension where no part is chosen already."""
    span, part = asked.span, asked.part or Part(Dimension.ALL, "")
    applications = breakdown.by_application(
        asked.applications, part.dimension, part.value,
        before=asked.before.span.start, start=span.start, end=span.end,
    )  # fmt: skip
    tables = [checks_page.by_application(asked, applications, names)]
    if asked.part is None:
        tables += [checks_page.broken_down(asked, one, rows) for one, rows in parted.items()]
    return tables


def _options(asked: Asked, parted: Mapping[Dimension, list[Parted]]) -> tuple[Options, ...]:
    """What may be chosen; what is chosen stays there though it is in no check of the period."""
    found = []
    for dimension, rows in parted.items():
        parts = [Part(dimension, row.value) for row in rows]
        if asked.part and asked.part.dimension is dimension and asked.part not in parts:
            parts.append(asked.part)
        found.append(Options(checks_page.NAMES[dimension][1], tuple(parts)))
    return tuple(found)
