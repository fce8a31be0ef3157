"""The pages, put together: a few reads each, and nothing that grows with the checks."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, timedelta
from uuid import UUID

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from analysis.engine.policy import PolicyRules
from analysis.models import Policy
from analysis.trends.metrics import RISK_STEP, Dimension
from desk.dashboard import checks as checks_page
from desk.dashboard import drift as drift_page
from desk.dashboard import reviews as reviews_page
from desk.dashboard import topics as topics_page
from desk.dashboard.page_parts import AxisLine, Table, Tile
from desk.dashboard.period import read_period
from desk.dashboard.selectors import backlog, breakdown, changes, trends
from desk.dashboard.selectors import drift as drift_reads
from desk.dashboard.selectors import topics as uncovered
from desk.dashboard.selectors.breakdown import BreakdownRow
from desk.dashboard.tiles import operation_tiles, tiles
from desk.reviews.figures import links
from desk.reviews.figures.dashboard_filter import DashboardFilter, DimensionValue
from desk.reviews.selectors.agreement import agreement_of
from desk.reviews.selectors.decision_counts import decision_counts, labels

Names = Mapping[UUID, str]
"""The applications that figures are of, by name."""


@dataclass(frozen=True, slots=True)
class Options:
    """The values of a dimension that the filter bar offers."""

    title: str
    parts: tuple[DimensionValue, ...]


@dataclass(frozen=True, slots=True)
class DashboardPage:
    """A dashboard page: tiles, tables with their charts, and notes.

    `period` replaces that of the filter bar on a page that compares days of its own.
    """

    tiles: list[Tile]
    tables: list[Table]
    notes: list[str]
    options: tuple[Options, ...] = ()
    period: str = ""


def checks(filters: DashboardFilter, reader: User, names: Names) -> DashboardPage:
    now, before = read_period(filters), read_period(filters.before)
    parted = parted_by(filters)
    span = filters.span
    change_marks = changes.changes(filters.applications, start=span.start, end=span.end)
    marks = checks_page.marks(now.bins, change_marks, names)
    tables = [
        *([] if filters.part else [checks_page.what_changed(filters, parted)]),
        checks_page.rejections(now, marks),
        checks_page.actions(now),
        *_breakdowns(filters, names, parted),
        checks_page.risk(now, before, _threshold_lines(names)),
    ]
    uncounted = trends.waiting()
    note = ngettext(
        "%d check has ended and is not counted yet.",
        "%d checks have ended and are not counted yet.",
        uncounted,
    )
    notes = [note % uncounted] if uncounted else []
    return DashboardPage(tiles(now, before), tables, notes, _options(filters, parted))


def operation(filters: DashboardFilter, reader: User, names: Names) -> DashboardPage:
    """Build the page for operators: how long checks take, and what did not run."""
    now, before = read_period(filters), read_period(filters.before)
    tables = [
        checks_page.latency(now, "total_time", "total-time", _("Time from submission to verdict")),
        checks_page.latency(now, "worker_time", "worker-time", _("Worker time")),
        checks_page.not_checked(now),
    ]
    return DashboardPage(
        operation_tiles(now, before), tables, [], _options(filters, parted_by(filters))
    )


def reviews(filters: DashboardFilter, reader: User, names: Names) -> DashboardPage:
    """Build the page about the desk: its backlog and the reviewers' decisions."""
    moment, bins, span, was = timezone.now(), filters.bins(), filters.span, filters.before.span
    queues = backlog.backlog(reader, filters.applications, moment)
    rows = decision_counts(filters.applications, start=was.start, end=span.end, grain=filters.grain)
    hidden = backlog.hidden(reader, filters.applications, start=was.start, end=span.end)
    counts = [*rows, *hidden]
    quality = reviews_page.quality(
        filters,
        labels(row for row in rows if row.at >= span.start),
        labels(row for row in rows if row.at < span.start),
    )
    pairs = agreement_of(reader, filters.applications, start=span.start, end=span.end)
    earlier = agreement_of(reader, filters.applications, start=was.start, end=was.end)
    twice = links.reviews(filters, span, state="decided", stage="second")
    tiles = [
        *reviews_page.queue_tiles(filters, queues, counts, moment),
        *reviews_page.quality_tiles(quality),
        reviews_page.agreement(pairs, earlier, twice),
    ]
    tables = [
        reviews_page.throughput(filters, bins, counts),
        reviews_page.age(filters, queues, backlog.ages(moment)),
        reviews_page.queue(filters, queues),
        quality,
    ]
    notes = [_("The desk's work cannot be broken down by collection, model or policy.")]
    return DashboardPage(tiles, tables, notes if filters.part else [])


def topics(filters: DashboardFilter, reader: User, names: Names) -> DashboardPage:
    uncovered_topics = uncovered.uncovered(filters)
    now, before = uncovered.nothing_found(filters), uncovered.nothing_found(filters.before)
    runs = uncovered.runs(filters.applications)
    computed_topics = uncovered_topics if runs else None
    return DashboardPage(
        topics_page.tiles(filters, now, before, computed_topics),
        [topics_page.table(filters, now, computed_topics, names)],
        [topics_page.as_of(runs)] if runs else [],
        _options(filters, parted_by(filters)),
    )


def drift(filters: DashboardFilter, reader: User, names: Names) -> DashboardPage:
    """Build the page about drift up to the last whole day of the period."""
    now = timezone.now()
    today = now.astimezone(UTC).date()
    period = drift_reads.DriftPeriod.until(min(today, filters.last + timedelta(days=1)))
    tests = drift_reads.drift(filters.applications, period)
    alarms = drift_reads.drift_alarms(filters.applications, since=now - drift_page.ALARMS_SHOWN)
    return DashboardPage(
        drift_page.tiles(tests, alarms),
        [drift_page.tests_table(tests, names), drift_page.alarms_table(alarms, names)],
        [],
        period=drift_page.period_words(period),
    )


def parted_by(filters: DashboardFilter) -> dict[Dimension, list[BreakdownRow]]:
    """Return the rows of each dimension; policy versions only for a single application."""
    dimensions = [Dimension.COLLECTION, Dimension.SOURCE_MODEL]
    if filters.application:
        dimensions.append(Dimension.POLICY)
    return {item: breakdown.by_value(filters, item) for item in dimensions}


def _breakdowns(
    filters: DashboardFilter, names: Names, parted: Mapping[Dimension, list[BreakdownRow]]
) -> list[Table]:
    """Return a table by application, and one for each dimension that is not filtered."""
    applications = breakdown.by_application(filters)
    tables = [checks_page.by_application(filters, applications, names)]
    if filters.part is None:
        tables += [checks_page.broken_down(filters, item, rows) for item, rows in parted.items()]
    return tables


def _options(
    filters: DashboardFilter, parted: Mapping[Dimension, list[BreakdownRow]]
) -> tuple[Options, ...]:
    """Return the filter options; a chosen value stays even if no check of the period has it."""
    options = []
    for dimension, rows in parted.items():
        parts = [DimensionValue(dimension, row.value) for row in rows]
        if filters.part and filters.part.dimension is dimension and filters.part not in parts:
            parts.append(filters.part)
        options.append(Options(checks_page.NAMES[dimension][1], tuple(parts)))
    return tuple(options)


def _threshold_lines(applications: Mapping[UUID, str]) -> list[AxisLine]:
    """Return a line for each threshold, naming what begins there, and in which applications."""
    begins: dict[tuple[int, str], list[str]] = defaultdict(list)
    active = Policy.objects.filter(application__in=list(applications), is_active=True)
    for application, stored_rules in active.values_list("application_id", "rules"):
        rules = PolicyRules.from_json(stored_rules)
        begins[rules.warn_at, "warn"].append(applications[application])
        begins[rules.block_at, "block"].append(applications[application])
    return [
        AxisLine(score / RISK_STEP, _threshold_words(score, what, names, len(applications)))
        for (score, what), names in sorted(begins.items())
    ]


def _threshold_words(score: int, what: str, names: list[str], of: int) -> str:
    where = "" if len(names) == of else f" ({', '.join(sorted(names))})"
    text = _("warn from %d") if what == "warn" else _("block from %d")
    return f"{text % score}{where}"
