"""Retention periods: finds what an application must erase, and erases it in slices.

Periods count from submission (checks, questions) and upload (files). Checks are read in the order
of their ids, which grow with time, so that a slice continues where the previous one ended.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import Application
from analysis.models import Check, Job, JobKind, LegalHold
from analysis.services.erasure import ErasablePart, erase_checks, held_checks
from analysis.services.jobs import JobStep, start_job
from analysis.services.months import CLOCKS_APART, first_id
from assistant.models import Turn, TurnState
from assistant.services.erasing import erase_turns
from documents.models import Document
from documents.services.uploads import delete_documents

AT_ONCE = 100
FILES = "files"
TURNS = "turns"
BY = "watchdog"


@dataclass(frozen=True, slots=True)
class Terms:
    """The number of days for which each part is kept; None: for ever."""

    parts: Mapping[ErasablePart, int | None]
    files: int | None
    turns: int | None = None

    @property
    def shortest(self) -> int | None:
        """Return the smallest number of days for which a part of a check is kept."""
        return min((days for days in self.parts.values() if days is not None), default=None)

    @property
    def is_any(self) -> bool:
        """Return whether anything is ever erased."""
        return any(days is not None for days in (self.shortest, self.files, self.turns))


@dataclass(frozen=True, slots=True)
class DueErasure:
    """Numbers of items past their period now: checks by part, files, turns, and checks on hold."""

    parts: Mapping[ErasablePart, int]
    files: int
    on_hold: int
    turns: int = 0


def terms_of(application: Application) -> Terms:
    days = {
        ErasablePart.INPUT: application.keep_inputs_days,
        ErasablePart.RESULT: application.keep_results_days,
        ErasablePart.REVIEWS: application.keep_reviews_days,
    }
    return Terms(days, application.keep_files_days, application.keep_conversations_days)


def due_parts(
    age: timedelta, terms: Terms, erased: frozenset[ErasablePart]
) -> frozenset[ErasablePart]:
    """Return the overdue, remaining parts of a check of this age; the input takes all with it."""
    past = {
        part
        for part, days in terms.parts.items()
        if days is not None and age >= timedelta(days=days)
    }
    return (frozenset(ErasablePart) if ErasablePart.INPUT in past else frozenset(past)) - erased


def due_now(application: Application, now: datetime) -> DueErasure:
    """Return how much a run would erase; change nothing."""
    terms = terms_of(application)
    checks = Check.objects.filter(application=application)
    due_checks: dict[ErasablePart, QuerySet[Check]] = {}
    for part in ErasablePart:
        # The input takes the other parts with it.
        terms_in_days = (terms.parts[part], terms.parts[ErasablePart.INPUT])
        if days := [each for each in terms_in_days if each is not None]:
            cutoff = now - timedelta(days=min(days))
            due_checks[part] = checks.filter(created_at__lte=cutoff, **{f"{part}_erased_at": None})
    free = {part: rows.exclude(held_checks()).count() for part, rows in due_checks.items()}
    on_hold = set[UUID]()
    for rows in due_checks.values():
        on_hold |= set(rows.filter(held_checks()).values_list("pk", flat=True))
    if _is_held(application):
        return DueErasure(free, 0, len(on_hold))
    files, turns = _files(application, now).count(), _turns(application, now).count()
    return DueErasure(free, files, len(on_hold), turns)


def start_retention(*, by: str = BY) -> list[Job]:
    """Start a job for each application with a retention period, or return its unfinished one."""
    return [
        start_job(
            application_id=application.pk, kind=JobKind.RETENTION, options={}, by=by, person=None
        )
        for application in Application.objects.order_by("slug")
        if terms_of(application).is_any
    ]


def retention_step(job: Job) -> JobStep:
    """Erase overdue parts of the next checks; after the last, some turns, then files."""
    application = Application.objects.get(pk=job.application_id)
    terms, now = terms_of(application), timezone.now()
    progress = job.progress or {"after": None, "checks_done": False, "erased": {}, "named": {}}
    erased, skipped = Counter(progress["erased"]), Counter(progress["named"])
    is_last = False
    if not progress["checks_done"]:
        rows = list(_next_checks(application, terms, progress["after"], now))
        _erase(rows, terms, now, erased, skipped)
        ids = [check.pk for check in rows]
        place: dict[str, Any] = (
            {"after": str(ids[-1])} if len(ids) == AT_ONCE else {"checks_done": True}
        )
    elif not progress.get("turns_done"):
        turns = Turn.objects.none() if _is_held(application) else _turns(application, now)
        if "after_turn" in progress:
            turns = turns.filter(pk__gt=UUID(progress["after_turn"]))
        ids = list(turns.values_list("pk", flat=True)[:AT_ONCE])
        reason = f"past the application's term (conversations {terms.turns} days)"
        outcome = erase_turns(turn_ids=ids, by=BY, reason=reason)
        erased[TURNS] += len(outcome.erased)
        skipped["held"] += len(outcome.on_hold)
        place = {"after_turn": str(ids[-1])} if len(ids) == AT_ONCE else {"turns_done": True}
    else:
        files = [] if _is_held(application) else list(_files(application, now)[:AT_ONCE])
        delete_documents(documents=files, by=BY)
        ids = [file.pk for file in files]
        erased[FILES] += len(files)
        place, is_last = {}, len(files) < AT_ONCE
    done = job.done + len(ids)
    counts = {"erased": dict(erased), "named": dict(skipped)}
    if is_last:
        return JobStep(done, max(job.total, done), {}, counts)
    return JobStep(done, max(job.total, done), progress | counts | place)


def _erase(
    checks: Sequence[Check],
    terms: Terms,
    now: datetime,
    erased: Counter[str],
    skipped: Counter[str],
) -> None:
    """Erase what is overdue of these checks, those with the same parts together; count it."""
    groups = defaultdict[frozenset[ErasablePart], list[UUID]](list)
    for check in checks:
        erased_parts = frozenset(
            p for p in ErasablePart if getattr(check, f"{p}_erased_at") is not None
        )
        if parts := due_parts(now - check.created_at, terms, erased_parts):
            groups[parts].append(check.pk)
    for parts, ids in groups.items():
        days = {str(part): terms.parts[part] for part in sorted(parts)}
        text = ", ".join(f"{part} {day} days" for part, day in days.items() if day is not None)
        reason = f"past the application's term ({text})"
        outcome = erase_checks(check_ids=ids, parts=parts, by=BY, reason=reason)
        for part in parts:
            erased[part] += len(outcome.erased)
        skipped["held"] += len(outcome.on_hold)
        skipped["unfinished"] += len(outcome.unfinished)


def _next_checks(
    application: Application, terms: Terms, after: str | None, now: datetime
) -> QuerySet[Check]:
    if terms.shortest is None:
        return Check.objects.none()
    rows = Check.objects.filter(application=application)
    rows = rows.filter(pk__lt=first_id(now - timedelta(days=terms.shortest), CLOCKS_APART))
    rows = rows if after is None else rows.filter(pk__gt=UUID(after))
    erased = [f"{part}_erased_at" for part in ErasablePart]
    return rows.only("id", "created_at", *erased).order_by("pk")[:AT_ONCE]


def _turns(application: Application, now: datetime) -> QuerySet[Turn]:
    days = terms_of(application).turns
    if days is None:
        return Turn.objects.none()
    old = Turn.objects.filter(application=application, created_at__lte=now - timedelta(days=days))
    return old.filter(state__in=(TurnState.DONE, TurnState.FAILED)).order_by("pk")


def _files(application: Application, now: datetime) -> QuerySet[Document]:
    days = terms_of(application).files
    if days is None:
        return Document.objects.none()
    old = Document.objects.filter(
        collection__application=application, created_at__lte=now - timedelta(days=days)
    )
    return old.select_related("collection").order_by("pk")


def _is_held(application: Application) -> bool:
    return LegalHold.objects.filter(
        application=application, check_record=None, lifted_at=None
    ).exists()
