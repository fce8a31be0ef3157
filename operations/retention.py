"""Terms of retention: what of an application is past its term, and erasing it in slices.

Terms count from submission (checks) and upload (files). Checks are walked in the order of their
ids, which grow with time, so that a slice goes on where the one before ended.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import Application
from analysis.models import Check, Job, JobKind, LegalHold
from analysis.services.erasure import Part, erase_checks, held_checks
from analysis.services.job_steps import Step, register_step
from analysis.services.jobs import start_job
from documents.models import Document
from documents.services.uploads import delete_documents

AT_ONCE = 100
FILES = "files"
BY = "watchdog"
_CLOCKS_APART = timedelta(hours=1)
"""Ids hold the time of the machine that made them, `created_at` the database's."""
_STATES = ("held", "unfinished")


@dataclass(frozen=True, slots=True)
class Terms:
    """Days for which each part is kept; None: for ever."""

    parts: Mapping[Part, int | None]
    files: int | None

    @property
    def shortest(self) -> int | None:
        """The first day on which something of a check is past its term."""
        return min((days for days in self.parts.values() if days is not None), default=None)

    @property
    def is_any(self) -> bool:
        """Whether anything is ever erased."""
        return self.shortest is not None or self.files is not None


@dataclass(frozen=True, slots=True)
class Due:
    """What is past its term now: checks by part, files; and checks on hold among them."""

    parts: Mapping[Part, int]
    files: int
    held: int


def terms_of(application: Application) -> Terms:
    """An application's terms."""
    days = {
        Part.INPUT: application.keep_inputs_days,
        Part.RESULT: application.keep_results_days,
        Part.REVIEWS: application.keep_reviews_days,
    }
    return Terms(days, application.keep_files_days)


def due_parts(age: timedelta, terms: Terms, erased: frozenset[Part]) -> frozenset[Part]:
    """What of a check of this age is past its term and still there. With the input goes all."""
    past = {
        part
        for part, days in terms.parts.items()
        if days is not None and age >= timedelta(days=days)
    }
    return (frozenset(Part) if Part.INPUT in past else frozenset(past)) - erased


def due_now(application: Application, now: datetime) -> Due:
    """How much a run would erase; changes nothing."""
    terms = terms_of(application)
    checks = Check.objects.filter(application=application)
    cutoffs = {part: _cutoff(terms, part, now) for part in Part}
    wanted = {
        part: checks.filter(created_at__lte=cutoff, **{f"{part}_erased_at": None})
        for part, cutoff in cutoffs.items()
        if cutoff is not None
    }
    free = {part: rows.exclude(held_checks()).count() for part, rows in wanted.items()}
    held = set[UUID]()
    for rows in wanted.values():
        held |= set(rows.filter(held_checks()).values_list("pk", flat=True))
    files = 0 if _is_held(application) else _files(application, now).count()
    return Due(free, files, len(held))


def _cutoff(terms: Terms, part: Part, now: datetime) -> datetime | None:
    """The newest moment of submission whose part is past its term."""
    days = [terms.parts[part], terms.parts[Part.INPUT]]
    known = [each for each in days if each is not None]
    return now - timedelta(days=min(known)) if known else None


def start_retention(*, by: str = BY) -> list[Job]:
    """A job for each application with a term; the unfinished one where there is one already."""
    return [
        start_job(
            application_id=application.pk, kind=JobKind.RETENTION, given={}, by=by, person=None
        )
        for application in Application.objects.order_by("slug")
        if terms_of(application).is_any
    ]


def register_retention() -> None:
    """Tell jobs how retention is done; called when the apps are ready."""
    register_step(JobKind.RETENTION, retention_step)


def retention_step(job: Job) -> Step:
    """Erase what is past its term of the next checks, and behind the last of some files."""
    application = Application.objects.get(pk=job.application_id)
    now = timezone.now()
    held = job.held or {"after": None, "checks_done": False, "erased": {}, "named": {}}
    if not held["checks_done"]:
        return _check_step(job, application, held, now)
    return _file_step(job, application, held, now)


def _check_step(job: Job, application: Application, held: dict[str, Any], now: datetime) -> Step:
    terms = terms_of(application)
    rows = list(_next_checks(application, terms, held["after"], now))
    groups = defaultdict[frozenset[Part], list[UUID]](list)
    for check in rows:
        if parts := due_parts(now - check.created_at, terms, _erased(check)):
            groups[parts].append(check.pk)
    told = dict(held["erased"]), dict(held["named"])
    for parts, ids in groups.items():
        _erase(parts, ids, terms, *told)
    held = held | {"erased": told[0], "named": told[1]}
    held |= {"after": str(rows[-1].pk)} if len(rows) == AT_ONCE else {"checks_done": True}
    done = job.done + len(rows)
    return Step(done, max(job.total, done), held)


def _erase(
    parts: frozenset[Part],
    ids: Sequence[UUID],
    terms: Terms,
    erased: dict[str, int],
    named: dict[str, int],
) -> None:
    outcome = erase_checks(check_ids=ids, parts=parts, by=BY, reason=_reason(parts, terms))
    for part in parts:
        erased[part] = erased.get(part, 0) + len(outcome.erased)
    for state in _STATES:
        named[state] = named.get(state, 0) + len(getattr(outcome, state))


def _reason(parts: frozenset[Part], terms: Terms) -> str:
    days = {str(part): terms.parts[part] for part in sorted(parts)}
    told = ", ".join(f"{part} {kept} days" for part, kept in days.items() if kept is not None)
    return f"past the application's term ({told})"


def _next_checks(
    application: Application, terms: Terms, after: str | None, now: datetime
) -> QuerySet[Check]:
    if terms.shortest is None:
        return Check.objects.none()
    rows = Check.objects.filter(application=application)
    rows = rows.filter(pk__lt=_first_id(now - timedelta(days=terms.shortest) + _CLOCKS_APART))
    rows = rows if after is None else rows.filter(pk__gt=UUID(after))
    erased = [f"{part}_erased_at" for part in Part]
    return rows.only("id", "created_at", *erased).order_by("pk")[:AT_ONCE]


def _first_id(moment: datetime) -> UUID:
    """The lowest id (UUID 7) of this millisecond."""
    return UUID(int=int(moment.timestamp() * 1000) << 80)


def _erased(check: Check) -> frozenset[Part]:
    return frozenset(p for p in Part if getattr(check, f"{p}_erased_at") is not None)


def _file_step(job: Job, application: Application, held: dict[str, Any], now: datetime) -> Step:
    files = [] if _is_held(application) else list(_files(application, now)[:AT_ONCE])
    delete_documents(documents=files, by=BY)
    done = job.done + len(files)
    erased = held["erased"] | {FILES: held["erased"].get(FILES, 0) + len(files)}
    held = held | {"erased": erased}
    result = None if len(files) == AT_ONCE else {"erased": erased, "named": held["named"]}
    return Step(done, max(job.total, done), {} if result else held, result)


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
