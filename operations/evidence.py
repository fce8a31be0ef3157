"""The evidence pack: the figures of an application's guard in a period, for auditors.

Every figure is read from stored trends, reviews, trail and probes. Nothing is sampled or estimated
here; rates that depend on chance have their 95% interval.
"""

import csv
import hashlib
import io
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from operator import attrgetter
from typing import Any, Literal, NamedTuple
from urllib.parse import urlencode

from django.conf import settings
from django.db.models import Count, Exists, F, Max, Min, OuterRef, Q, Sum
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from accounts.models import Application
from analysis.admin.trail_words import data_in_words, subject_in_words
from analysis.engine import ENGINE_VERSION
from analysis.models import (
    Check,
    CheckState,
    HeldAnswer,
    HoldState,
    ModelUse,
    ProbeOutcome,
    ProbeResult,
    ProbeWay,
    Review,
    ReviewDecision,
    ReviewReason,
    ReviewStage,
    SamplingPlan,
)
from analysis.records import document as record
from analysis.records import evidence
from analysis.records.evidence import Chapter, EvidenceTable, Value
from analysis.records.front import moment
from analysis.selectors.jobs import last_verifications
from analysis.trends.metrics import ANY, BY_NAME, FAILED, Dimension, Grain
from audit.models import Event, TrailEntry, TrailSeal
from audit.services import append
from desk.dashboard.drift import WORDS as DRIFT_WORDS
from desk.dashboard.export import harmless
from desk.dashboard.reviews import RATE_TITLES
from desk.dashboard.selectors.quality import rates
from desk.dashboard.selectors.trends import BucketRange, Trend, TrendQuery, trend
from desk.dashboard.trends.reading import MetricReading
from desk.reviews.selectors.agreement import agreement_within
from desk.reviews.selectors.decision_counts import SETTLED, decided_within, labels
from desk.reviews.selectors.oversight import QUICK, decisions_on_seeded, oversight
from desk.reviews.selectors.reviews import reviews_of_application
from desk.reviews.selectors.sampling import FORMULA, strata
from desk.verdict_page.engine_texts import WORDS
from lib.stats.bootstrap import wilson
from notifications.models import EventKind
from notifications.services import EventRecord, notify_all, wants

# Which chapters of an evidence pack bear on which duty of a law, standard or rule.
#
# A pack supports such a duty and never fulfils it by itself. The duties are paraphrased; `source`
# has their text.


class Duty(NamedTuple):
    """A duty, its requirement, the chapters that bear on it, and its source."""

    framework: str
    clause: str
    asks_for: str
    chapters: tuple[str, ...]
    source: str


_AI_ACT = "Regulation (EU) 2024/1689, https://eur-lex.europa.eu/eli/reg/2024/1689/oj"
_ISO = "ISO/IEC 42001:2023, https://www.iso.org/standard/81230.html"
_NIST = "NIST AI 100-1 (2023), https://doi.org/10.6028/NIST.AI.100-1"
_FINRA = "FINRA Manual, https://www.finra.org/rules-guidance/rulebooks"
_HIPAA = "45 CFR part 164, https://www.ecfr.gov/current/title-45/part-164"

DUTIES = (
    Duty("EU AI Act", "Art. 12", "Events are recorded automatically over the system's lifetime.",
         ("volumes", "trail", "changes"), _AI_ACT),
    Duty("EU AI Act", "Art. 14", "People oversee the system, can override it, and are aware of "
         "automation bias.", ("reviewers", "held", "agreement", "quality"), _AI_ACT),
    Duty("EU AI Act", "Art. 15", "Accuracy and robustness are appropriate, and consistent over "
         "time.", ("quality", "sampling", "drift", "probes", "not_checked"), _AI_ACT),
    Duty("EU AI Act", "Art. 19", "Providers keep the automatically generated logs, for six months "
         "at least.", ("trail", "erasures"), _AI_ACT),
    Duty("EU AI Act", "Art. 26 (2), (5), (6)", "Deployers assign oversight to competent people, "
         "monitor operation and keep the logs.", ("reviewers", "volumes", "probes", "trail"),
         _AI_ACT),
    Duty("ISO/IEC 42001", "9.1", "Performance is monitored, measured, analysed and evaluated.",
         ("volumes", "quality", "sampling", "drift"), _ISO),
    Duty("ISO/IEC 42001", "A.6.2.6", "Operation is monitored, with repairs, updates and support.",
         ("probes", "not_checked", "changes"), _ISO),
    Duty("ISO/IEC 42001", "A.6.2.8", "Event logs are kept, at least while the system is in use.",
         ("trail",), _ISO),
    Duty("NIST AI RMF", "MEASURE 2.4", "Function and behaviour are monitored in production.",
         ("volumes", "not_checked", "drift", "probes"), _NIST),
    Duty("NIST AI RMF", "MANAGE 4.1", "There is monitoring after deployment, with appeal and "
         "override, and with management of change.",
         ("reviewers", "held", "quality", "changes"), _NIST),
    Duty("FINRA", "Rule 3110", "Activities are supervised by designated people, and reviews leave "
         "evidence.", ("reviewers", "sampling", "agreement"), _FINRA),
    Duty("FINRA", "Rule 4511", "Books and records are made and preserved.", ("trail", "erasures"),
         _FINRA),
    Duty("HIPAA", "§ 164.308(a)(1)(ii)(D)", "Records of system activity are reviewed regularly.",
         ("reviewers", "trail"), _HIPAA),
    Duty("HIPAA", "§ 164.312(b)", "Activity in systems with health information is recorded and "
         "can be examined.", ("trail", "changes"), _HIPAA),
)  # fmt: skip


MOST_DAYS = 366
MOST_ROWS = 500
Format = Literal["json", "pdf", "csv"]
MEDIA_TYPES: dict[Format, str] = {
    "json": "application/json", "pdf": "application/pdf", "csv": "text/csv; charset=utf-8",
}  # fmt: skip
_OVERSIGHT = attrgetter(
    *("reviewer", "judgements", "agreed", "share", "low", "high", "timed", "median_seconds"),
    *("quick", "median_evidence_seconds", "opinions", "moved"),
)
_ACTIONS = ("ALLOW", "WARN", "BLOCK")
_CHANGES = (
    Event.POLICY_CREATED, Event.POLICY_ACTIVATED, Event.POLICY_TRIAL_STARTED,
    Event.POLICY_TRIAL_ENDED, Event.APPLICATION_CHANGED, Event.ROLE_GRANTED, Event.ROLE_WITHDRAWN,
    Event.API_KEY_CREATED, Event.API_KEY_CHANGED, Event.API_KEY_ROTATED, Event.API_KEY_REVOKED,
    Event.COLLECTION_CREATED, Event.COLLECTION_CHANGED, Event.COLLECTION_REEMBEDDED,
    Event.COLLECTION_DELETED, Event.SUBSCRIPTION_CHANGED, Event.TEAM_CHANGED, Event.PROBE_CHANGED,
    Event.CASE_CHANGED, Event.CASES_RUN,
)  # fmt: skip
_ERASURES = (
    Event.CHECK_ERASED, Event.CONVERSATION_ERASED, Event.PERSON_ERASED, Event.HOLD_PLACED,
    Event.HOLD_LIFTED, Event.DOCUMENT_DELETED,
)  # fmt: skip


class PeriodRefused(ValueError):
    """Raised for a period that a pack cannot cover; the message says why."""


@dataclass(frozen=True, slots=True)
class Period:
    """An application, and days from `first` to `last`, both included (UTC)."""

    application: Application
    first: date
    last: date

    def __post_init__(self) -> None:
        if self.first > self.last:
            raise PeriodRefused("The period ends before it begins.")
        if self.last - self.first >= timedelta(days=MOST_DAYS):
            raise PeriodRefused(f"The period is longer than {MOST_DAYS} days.")

    @property
    def start(self) -> datetime:
        return datetime.combine(self.first, time.min, UTC)

    @property
    def end(self) -> datetime:
        """Return the moment at which the period ends."""
        return datetime.combine(self.last + timedelta(days=1), time.min, UTC)

    def within(self, column: str) -> Q:
        """Match the rows whose time in this column is in the period."""
        return Q((f"{column}__gte", self.start), (f"{column}__lt", self.end))

    @property
    def name(self) -> str:
        """Return the name for files: application and days."""
        return f"evidence-{self.application.slug}-{self.first}-{self.last}"


def month_before(day: date) -> tuple[date, date]:
    """Return the first and the last day of the month before that of `day`."""
    last = day.replace(day=1) - timedelta(days=1)
    return last.replace(day=1), last


def announce_packs(*, now: datetime | None = None) -> None:
    """Notify subscribers, once for each month, that the pack of the last month is ready.

    The message has a link and no file: a pack names reviewers, and no erasure reaches a mailbox.
    """
    first, last = month_before((now or timezone.now()).date())
    applications = Application.objects.in_bulk(wants(EventKind.EVIDENCE_READY))
    facts = []
    for application in applications.values():
        query = urlencode({"application": application.pk, "first": first, "last": last})
        data = {
            "first": str(first),
            "last": str(last),
            "url": f"{settings.PUBLIC_URL}{reverse('evidence_page')}?{query}",
        }
        facts.append(EventRecord(application.pk, f"{EventKind.EVIDENCE_READY}:{first}", data))
    notify_all(EventKind.EVIDENCE_READY, facts)


def export_pack(period: Period, formats: Sequence[Format], *, by: str) -> dict[Format, bytes]:
    """Return the pack in these formats, all read at one moment, and record in the trail by whom."""
    chapters = chapters_of(period)
    table = as_csv(chapters)
    application = period.application
    head = {
        "application": {
            "id": str(application.pk), "slug": application.slug, "name": application.name,
        },
        "period": {"first": period.first.isoformat(), "last": period.last.isoformat()},
        "engine_version": ENGINE_VERSION,
    }  # fmt: skip
    made_at = timezone.now().isoformat(timespec="seconds")
    document = evidence.make(head, chapters, hashlib.sha256(table).hexdigest(), made_at)
    data = record.to_bytes(document)
    files: dict[Format, bytes] = {"json": data, "csv": table}
    if "pdf" in formats:
        # The library of PDFs is loaded by the process that makes one.
        from analysis.records import envelope, evidence_pdf  # noqa: PLC0415

        files["pdf"] = envelope.wrap(evidence_pdf.render(document, in_words(chapters)), data)
    append(
        Event.EVIDENCE_EXPORTED,
        subject=application,
        by=by,
        first=str(period.first),
        last=str(period.last),
        sha256={format_: hashlib.sha256(files[format_]).hexdigest() for format_ in formats},
    )
    return {format_: files[format_] for format_ in formats}


def chapters_of(period: Period) -> tuple[Chapter, ...]:
    """Return every chapter, read from what is stored now."""
    counts = trend(_query(period))
    return (
        _volumes(period, counts),
        _not_checked(period, counts),
        _quality(period),
        _sampling(period, counts),
        _drift(period),
        _agreement(period),
        _reviewers(period),
        _holds(period),
        _changes(period),
        _probes(period),
        _erasures(period),
        _trail(period),
        _duties(),
    )


def in_words(chapters: Sequence[Chapter]) -> tuple[Chapter, ...]:
    """Return the chapters as people read them, in English; the JSON and the CSV keep the codes."""
    titles = {chapter.name: chapter.title for chapter in chapters}
    with override("en"):
        codes = {
            column: {str(code): str(words) for code, words in of} for column, of in _CODES.items()
        }
        return tuple(
            replace(
                chapter,
                tables=tuple(_table_in_words(each, codes, titles) for each in chapter.tables),
            )
            for chapter in chapters
        )


_CODES: dict[str, Sequence[tuple[Any, Any]]] = {
    "signal": [
        *WORDS["signal"].items(), ("any", "any of them"), (FAILED, "the check failed"),
        ("engine", "WATCHDOG engine"),
    ],
    "rate": list(RATE_TITLES.items()),
    "event": [(event, event.label.capitalize().replace("Api", "API")) for event in Event],
    "stage": ReviewStage.choices,
    "reason": ReviewReason.choices,
    "decision": ReviewDecision.choices,
    "state": [
        ("done", "completed"), (FAILED, "could not be completed"), *HoldState.choices,
    ],
    "outcome": ProbeOutcome.choices,
    "way": ProbeWay.choices,
    "by": ProbeWay.choices,
    "of what": list(DRIFT_WORDS.items()),
}  # fmt: skip
"""The codes of each column, with the words shown for them."""


def _table_in_words(
    table: EvidenceTable, codes: Mapping[str, Mapping[str, str]], titles: Mapping[str, str]
) -> EvidenceTable:
    def cell(column: str, value: Value, row: Mapping[str, Value]) -> str:
        if value is None or value == "":
            return "–"
        if column == "chapters":
            return "; ".join(titles[name] for name in str(value).split(", "))
        if isinstance(value, float):
            is_share = column.startswith("share") or "probability" in column
            is_share |= column in ("low", "high") and "kappa" not in table.columns
            return f"{100 * value:.1f}%" if is_share else f"{value:.3g}"
        if column == "what" and " " in str(value):
            kind, _, identity = str(value).partition(" ")
            name = json.loads(str(row["data"])).get("name")
            return f"{subject_in_words(kind)} {name or identity}"
        if isinstance(value, str) and value.startswith("{"):
            return data_in_words(json.loads(value))
        return moment(codes.get(column, {}).get(str(value), str(value)), month="%b")

    heads = dict(ProbeOutcome.choices) | {"share alike": "share in agreement"}
    if table.name == "models":
        heads["signal"] = "component"
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    return replace(
        table,
        columns=tuple(str(heads.get(column, column)).capitalize() for column in table.columns),
        rows=tuple(
            tuple(cell(column, value, row) for column, value in row.items()) for row in rows
        ),
    )


def as_csv(chapters: Sequence[Chapter]) -> bytes:
    """Return one line for each figure: chapter, table, row (from 1), column, value."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(("chapter", "table", "row", "column", "value"))
    for chapter in chapters:
        for table in chapter.tables:
            for number, row in enumerate(table.rows, 1):
                for column, value in zip(table.columns, row, strict=True):
                    text = harmless(value) if isinstance(value, str) else value
                    writer.writerow((chapter.name, table.name, number, column, text))
    return out.getvalue().encode()


def _query(period: Period, dimension: Dimension = Dimension.ALL) -> TrendQuery:
    days = BucketRange.around(Grain.DAY, period.start, period.end)
    return TrendQuery((period.application.pk,), days, dimension)


def _read(counts: Trend, metric: str) -> MetricReading:
    """Return the values of a metric over the whole period."""
    if not counts.series:
        return MetricReading(0, {}, None, None)
    return counts.read(BY_NAME[metric], counts.series[0].total)


def _by_action(reading: MetricReading) -> tuple[int, ...]:
    return tuple(reading.counts.get(action, 0) for action in _ACTIONS)


def _left_out(number: int, fate: str) -> str:
    """Return a note on the rows beyond MOST_ROWS, "" where there are none."""
    return f"{number - MOST_ROWS} more {fate}." if number > MOST_ROWS else ""


def _share(part: int, of: int) -> float | None:
    return round(part / of, 6) if of else None


def _volumes(period: Period, counts: Trend) -> Chapter:
    checks, actions = _read(counts, "checks"), _read(counts, "actions")
    done = checks.counts.get("done", 0)
    whole = EvidenceTable(
        "actions",
        ("action", "checks", "share"),
        tuple((a, n := actions.counts.get(a, 0), _share(n, done)) for a in _ACTIONS),
    )
    ended = EvidenceTable(
        "ended", ("state", "checks"), tuple((k, checks.counts.get(k, 0)) for k in ("done", FAILED))
    )
    by_day: tuple[tuple[Value, ...], ...] = tuple(
        (day.date().isoformat(), *_by_action(each))
        for series in counts.series
        for day, each in zip(
            series.buckets, counts.read_all(BY_NAME["actions"], series.vectors), strict=True
        )
    )
    policies = trend(_query(period, Dimension.POLICY), BY_NAME["actions"])
    by_policy: tuple[tuple[Value, ...], ...] = tuple(
        (series.value, *_by_action(policies.read(BY_NAME["actions"], series.total)))
        for series in policies.series
    )
    return Chapter(
        "volumes",
        "Volumes and actions",
        "Answers submitted in the period that have ended, by the action returned for them. Probes "
        "are not among them. Days are those of submission, in UTC; days without answers are left "
        "out.",
        (
            ended,
            whole,
            EvidenceTable("by_policy_version", ("policy version", *_ACTIONS), by_policy),
            EvidenceTable("by_day", ("day", *_ACTIONS), by_day),
        ),
    )


def _not_checked(period: Period, counts: Trend) -> Chapter:
    reading = _read(counts, "not_checked")
    rows = tuple(
        ("any" if key == ANY else key, n, _share(n, reading.of))
        for key, n in sorted(reading.counts.items(), key=lambda item: -item[1])
    )
    unchecked = _results(period).filter(outcome=ProbeOutcome.UNCHECKED)
    by_day = Counter(at.date().isoformat() for at in unchecked.values_list("at", flat=True))
    return Chapter(
        "not_checked",
        "Outages and what was not checked",
        "Answers in which a signal that applies did not finish, by signal, and those that failed; "
        "such an answer is returned with WARN at least, unless the policy says otherwise. Probes "
        "without a verdict show when the guard could not be reached.",
        (
            EvidenceTable(
                "signals",
                ("signal", "checks", "share"),
                rows,
                f"Of {reading.of} checks that have ended.",
            ),
            EvidenceTable(
                "probes_without_verdict", ("day", "probes"), tuple(sorted(by_day.items()))
            ),
        ),
    )


def _quality(period: Period) -> Chapter:
    decided = decided_within([period.application.pk], start=period.start, end=period.end)
    figures = rates(labels(decided))
    rows = tuple((r.metric.name, r.overturned, r.of, r.rate, r.low, r.high) for r in figures)
    meanings = " ".join(
        f"{RATE_TITLES[r.metric.name]} ({r.metric.name.replace('_', ' ')}): {r.metric.meaning}"
        for r in figures
    )
    return Chapter(
        "quality",
        "Overturned and missed",
        f"{meanings} Reviews decided in the period, with the 95% Wilson interval.",
        (EvidenceTable("rates", ("rate", "overturned", "reviewed", "share", "low", "high"), rows),),
    )


def _sampling(period: Period, counts: Trend) -> Chapter:
    reviews = Review.objects.filter(check_record=OuterRef("pk"))
    sample = Check.objects.filter(
        period.within("created_at"),
        application=period.application,
        sampled=True,
        state=CheckState.DONE,
    ).annotate(
        is_settled=Exists(reviews.filter(decision__in=SETTLED))
        & ~Exists(reviews.filter(decision=None))
    )
    by_action: dict[str | None, Any] = {
        row["action"]: row
        for row in sample.order_by()
        .values("action")
        .annotate(
            drawn_count=Count("pk"),
            settled_count=Count("pk", filter=Q(is_settled=True)),
            lowest=Min("sampling_probability"),
            highest=Max("sampling_probability"),
        )
    }
    actions = _read(counts, "actions").counts
    rows = []
    for action in _ACTIONS:
        row = by_action.get(action, {})
        of, drawn_count = actions.get(action, 0), row.get("drawn_count", 0)
        settled_count = row.get("settled_count", 0)
        rows.append(
            (
                action, of, drawn_count, _share(drawn_count, of),
                settled_count, _share(settled_count, drawn_count),
                row.get("lowest"), row.get("highest"),
            )
        )  # fmt: skip
    plan = SamplingPlan.objects.filter(pk=period.application.pk).first()
    planned = strata(plan, start=period.start, end=period.end) if plan else []
    target = (
        f"At most {plan.most_error:g} wrong, with a confidence of {plan.confidence:g}. {FORMULA}"
        if plan
        else ""
    )
    return Chapter(
        "sampling",
        "Coverage of the quality sample",
        "Answers drawn at random for review, whatever their action, and those of them whose review "
        "is decided. The share allowed by mistake rests on this sample alone.",
        (
            EvidenceTable(
                "coverage",
                (
                    "action", "checks", "drawn", "share drawn", "decided", "share decided",
                    "lowest probability", "highest probability",
                ),
                tuple(rows),
            ),
            EvidenceTable(
                "plan",
                ("stratum", "checks", "reviewed", "needed", "wrong", "share at most", "met"),
                tuple(
                    (p.name, p.checks, p.decided, p.sample_needed, p.wrong, round(p.high, 6),
                     "yes" if p.is_met else "no")
                    for p in planned
                ),
                target,
            ),
        ),
    )  # fmt: skip


def _agreement(period: Period) -> Chapter:
    reviews = reviews_of_application(period.application.pk)
    alike = agreement_within(reviews, period.within("decided_at"))
    row = (alike.n, alike.raw, alike.kappa, alike.low, alike.high)
    return Chapter(
        "agreement",
        "Agreement of reviewers",
        "Second reviews, blind to the first, decided in the period: how many agree with the first, "
        "and Cohen's kappa with its 95% interval, which is rough below some 30 pairs.",
        (EvidenceTable("kappa", ("pairs", "share alike", "kappa", "low", "high"), (row,)),),
    )


def _reviewers(period: Period) -> Chapter:
    reviews = reviews_of_application(period.application.pk)
    counts = (
        reviews.filter(period.within("decided_at"), check_record__is_probe=False)
        .values_list("decided_by__username", "stage", "reason", "decision")
        .annotate(n=Count("pk"))
        .order_by("decided_by__username", "stage", "reason", "decision")
    )
    arrivals = reviews_of_application(period.application.pk, hidden=True).filter(
        period.within("created_at"), check_record__is_probe=False
    )
    on_seeded = decisions_on_seeded(reviews, start=period.start, end=period.end)
    of, right = sum(row.decided for row in on_seeded), sum(row.right for row in on_seeded)
    still_open = arrivals.filter(decision=None)
    late = still_open.filter(due_at__lt=timezone.now())
    return Chapter(
        "reviewers",
        "Who reviewed what",
        "Reviews decided in the period, by person. A decision that a second person is making "
        "again, blind, is left out until they have. Agreement with the machine has its 95% "
        "interval; the time runs from taking an item to deciding it.",
        (
            EvidenceTable(
                "decisions",
                ("reviewer", "stage", "reason", "decision", "reviews"),
                tuple((who or "", *rest) for who, *rest in counts),
            ),
            EvidenceTable(
                "oversight",
                (
                    "reviewer", "judgements", "agreed with the machine", "share", "low", "high",
                    "timed", "median seconds", f"under {QUICK.seconds} seconds",
                    "median seconds on evidence", "first opinions", "given up",
                ),
                tuple(map(_OVERSIGHT, oversight(reviews, start=period.start, end=period.end))),
            ),
            EvidenceTable(
                "seeded",
                ("decisions on seeded cases", "right", "share", "low", "high"),
                ((of, right, _share(right, of), *(wilson(right, of) if of else (None, None))),),
                "Answers whose right decision a lead knew beforehand; in no other figure.",
            ),
            EvidenceTable(
                "desk",
                ("reviews", "number"),
                (
                    ("arrived in the period", arrivals.count()),
                    ("of them open now", still_open.count()),
                    ("of them past their due time", late.count()),
                ),
            ),
        ),
    )  # fmt: skip


def _holds(period: Period) -> Chapter:
    answers = HeldAnswer.objects.filter(
        period.within("check_record__created_at"), check_record__application=period.application
    )
    rows = (
        answers.values_list("state")
        .annotate(n=Count("pk"), prompt=Count("pk", filter=Q(settled_at__lte=F("due_at"))))
        .order_by("state")
    )
    return Chapter(
        "held",
        "Held answers",
        "Answers submitted in the period that the policy held until a person approves them, by "
        "what has become of them. Who approved and refused is in “Who reviewed what”, and each "
        "answer's end in the trail.",
        (EvidenceTable("states", ("state", "answers", "by the due time"), tuple(rows)),),
    )


def _entries(period: Period, events: Sequence[Event]) -> Any:
    return TrailEntry.objects.filter(
        period.within("occurred_at"), application_id=period.application.pk, event__in=events
    )


def _drift(period: Period) -> Chapter:
    rows = tuple(
        (
            entry.occurred_at.date().isoformat(), item["what"],
            " ".join(filter(None, (item["dimension"], item["value"]))), item["recent"],
            item["distance"],
            "; ".join(
                f"{c['key'] or '-'}: {c['before']:.3f} to {c['recent']:.3f}"
                for c in item["changes"]
            ),
        )
        for entry in _entries(period, [Event.DRIFT_NOTICED]).order_by("id")
        for item in entry.data["drifts"]
    )  # fmt: skip
    return Chapter(
        "drift",
        "Drift",
        "Changes in the mix of answers, in the scores and in the overturned decisions, of which "
        "the trail has an alarm: seven days against the four weeks before, by a chi-square or "
        "Fisher's exact test, adjusted for the number of comparisons.",
        (
            EvidenceTable(
                "alarms",
                ("day", "of what", "of which", "checks or reviews", "share moved", "changes"),
                rows[:MOST_ROWS],
                _left_out(len(rows), "are in the trail"),
            ),
        ),
    )


def _changes(period: Period) -> Chapter:
    entries = _entries(period, _CHANGES).order_by("id")
    rows = tuple(
        (
            entry.occurred_at.isoformat(timespec="seconds"), entry.event, entry.actor,
            f"{entry.subject_type} {entry.subject_id}", json.dumps(entry.data, ensure_ascii=False),
        )
        for entry in entries[:MOST_ROWS]
    )  # fmt: skip
    models = (
        ModelUse.objects.filter(
            application=period.application, day__gte=period.first, day__lte=period.last
        )
        .values_list("signal", "model")
        .annotate(first=Min("day"), last=Max("day"))
        .order_by("signal", "first", "model")
    )
    left_out = _left_out(entries.count(), "are in the trail")
    return Chapter(
        "changes",
        "Changes to policies, models, access and sources",
        "Entries of the audit trail, and the models that measured, with the first and the last day "
        "of the period on which each was in use.",
        (
            EvidenceTable("entries", ("at", "event", "by", "what", "data"), rows, left_out),
            EvidenceTable(
                "models",
                ("signal", "model", "first day", "last day"),
                tuple((s, m, a.isoformat(), b.isoformat()) for s, m, a, b in models),
            ),
        ),
    )


def _results(period: Period) -> Any:
    return ProbeResult.objects.filter(
        Q(application=period.application) | Q(application=None), period.within("at")
    )


def _probes(period: Period) -> Chapter:
    groups = (
        _results(period)
        .values_list("way", "judge")
        .annotate(**{o: Count("pk", filter=Q(outcome=o)) for o in ProbeOutcome.values})
        .order_by("way", "judge")
    )
    failures = _results(period).exclude(outcome=ProbeOutcome.PASSED).order_by("at", "pk")
    rows = tuple(
        (
            each.at.isoformat(timespec="seconds"), each.probe, each.judge or each.way,
            each.outcome, each.action, each.detail,
        )
        for each in failures[:MOST_ROWS]
    )  # fmt: skip
    left_out = _left_out(failures.count(), "did not pass")
    return Chapter(
        "probes",
        "Probes of the guard",
        "Answers with a known right verdict that were sent on a schedule through every interface, "
        "and put to each judge alone. Where none was sent, nothing is proven.",
        (
            EvidenceTable("outcomes", ("way", "judge", *ProbeOutcome.values), tuple(groups)),
            EvidenceTable(
                "not_passed", ("at", "probe", "by", "outcome", "action", "detail"), rows, left_out
            ),
        ),
    )


def _erasures(period: Period) -> Chapter:
    groups = (
        _entries(period, _ERASURES)
        .values_list("event", "actor", "data__reason")
        .annotate(n=Count("pk"))
        .order_by("event", "actor", "data__reason")
    )
    rows = tuple((event, actor, reason or "", n) for event, actor, reason, n in groups)
    return Chapter(
        "erasures",
        "Erasures and legal holds",
        "Entries of the audit trail, by who erased and why.",
        (EvidenceTable("erasures", ("event", "by", "reason", "number"), rows),),
    )


def _trail(period: Period) -> Chapter:
    seals = TrailSeal.objects.filter(period.within("sealed_at"), chain=period.application.pk)
    sums = seals.aggregate(seal_count=Count("pk"), entry_count=Sum("entries"), last=Max("number"))
    last = seals.filter(number=sums["last"]).first()
    rows: list[tuple[str, Value]] = [
        ("seals", sums["seal_count"]),
        ("entries sealed", sums["entry_count"] or 0),
        ("last seal", last.number if last else None),
        ("hash of the last seal", bytes(last.hash).hex() if last else None),
        ("name of its key", last.key_name if last else None),
    ]
    application = Application.objects.filter(pk=period.application.pk)
    for _, job in last_verifications(application):
        if job is not None and job.finished_at is not None:
            rows += [
                ("last verification", job.finished_at.isoformat(timespec="seconds")),
                ("what it found", json.dumps(job.result, ensure_ascii=False)),
            ]
    return Chapter(
        "trail",
        "The audit trail",
        "Every change of state is an entry of an append-only trail, sealed into a signed hash "
        "chain. Compare the hash with a heads file kept elsewhere: manage.py verify_trail --heads.",
        (EvidenceTable("seals", ("figure", "value"), tuple(rows)),),
    )


def _duties() -> Chapter:
    rows = tuple(
        (duty.framework, duty.clause, duty.asks_for, ", ".join(duty.chapters), duty.source)
        for duty in DUTIES
    )
    return Chapter(
        "duties",
        "Relevant laws, standards and rules",
        "Which chapters support which duty. Whether a duty applies, and whether it is fulfilled, "
        "is for the reader to judge: this is not legal advice.",
        (EvidenceTable("duties", ("framework", "clause", "asks for", "chapters", "source"), rows),),
    )
