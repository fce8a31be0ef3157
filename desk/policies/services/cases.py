"""Cases: read from labelled rows, added with a check each, measured again, deleted."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import Application
from analysis.engine import ENGINE_VERSION, PolicyRules
from analysis.judge import judge
from analysis.models import (
    AnnotatedAnswer,
    Case,
    CaseUse,
    Check,
    CheckState,
    Policy,
    Review,
    ReviewDraft,
    ReviewSkip,
)
from analysis.selectors.cases import case_outcomes
from analysis.services.probing import delete_probe_checks
from analysis.services.submission import NewCheck, submit
from audit.models import Event, TrailEntry
from audit.services import append, append_all, entry
from desk.scoring.rows import BadLine, Row, RowError, parse, row_of
from desk.scoring.truth import label_of
from notifications.models import EventKind
from notifications.services import notify

MOST_CASES = 1_000
"""Cases of an application for each use."""
_BY = "watchdog"
_NOT_SOONER = timedelta(minutes=30)
"""While an upgrade is under way, workers with the old and with the new models take turns."""


class CasesRefused(ValueError):
    """Raised for cases that cannot be added or deleted; the message says why."""


@dataclass(frozen=True, slots=True)
class NewCase:
    """An answer as submitted, and whether it must not be shown."""

    name: str
    is_bad: bool
    new: NewCheck


def read_cases(lines: Iterable[bytes]) -> list[NewCase]:
    """Read JSONL in the schema of `evaluate`; label 1 is bad. Raises CasesRefused."""
    return [
        case_of(number, parse(number, line))
        for number, line in enumerate(lines, start=1)
        if line.strip()
    ]


def case_of(number: int, row: Any) -> NewCase:
    """Read one row of a file, or of a JSON request. Raises CasesRefused."""
    try:
        row = row if isinstance(row, Row | BadLine) else row_of(number, row)
        if isinstance(row, BadLine):
            raise RowError(row.reason)
        is_bad, answer = label_of(row.raw), row.submission
        if not answer.answer.strip():
            raise RowError("`response` is empty")
    except RowError as error:
        words = _("Line %(line)d: %(why)s") % {"line": number, "why": error}
        raise CasesRefused(words) from error
    sources = None
    if answer.sources is not None:
        sources = [
            {
                "id": source.source_id, "text": source.text,
                **({"title": source.title} if source.title else {}),
            }
            for source in answer.sources
        ]  # fmt: skip
    new = NewCheck(answer=answer.answer, query=answer.query, sources=sources)
    return NewCase(str(row.row_id)[:100], is_bad, new)


@transaction.atomic
def add_cases(
    *, application: Application, use: CaseUse, cases: Sequence[NewCase], by: str
) -> list[Case]:
    """Add cases, whose answers are checked at once. Raises CasesRefused beyond MOST_CASES."""
    Application.objects.select_for_update(no_key=True).only("pk").get(pk=application.pk)
    existing = Case.objects.filter(application=application, use=use).count()
    if existing + len(cases) > MOST_CASES:
        words = _("At most %(most)d cases; there are %(n)d.")
        raise CasesRefused(words % {"most": MOST_CASES, "n": existing})
    # The page of a check says who submitted it: of a seeded case what it says of other answers.
    traffic = Check.objects.filter(application=application).order_by("-pk")
    newest = traffic.values_list("submitted_by", flat=True).first() if use == CaseUse.SEEDED else by
    submitter = newest or application.slug
    rows = [
        Case(
            check_record_id=submit(
                application_id=application.pk, new=case.new, by=submitter, is_probe=True
            ).id,
            application=application,
            use=use,
            name=case.name,
            is_bad=case.is_bad,
            added_by=by,
        )
        for case in cases
    ]
    Case.objects.bulk_create(rows)
    append_all(
        [
            entry(
                Event.CASE_CHANGED,
                subject=row,
                by=by,
                change="added",
                use=row.use,
                is_bad=row.is_bad,
                input_sha256=case.new.sha256(),
            )
            for row, case in zip(rows, cases, strict=True)
        ]
    )
    return rows


@transaction.atomic
def delete_case(*, case: Case, by: str) -> None:
    """Delete a case, its check and its open review.

    Raises CasesRefused once somebody has decided it: the decision stays, with what was decided.
    """
    reviews = Review.objects.select_for_update().filter(check_record=case.pk)
    if any(review.decision for review in reviews):
        raise CasesRefused(_("“%s” was decided by a reviewer and stays.") % case.name)
    append(Event.CASE_CHANGED, subject=case, by=by, change="deleted", use=case.use)
    ReviewDraft.objects.filter(review__in=reviews).delete()
    ReviewSkip.objects.filter(review__in=reviews).delete()
    reviews.delete()
    check_id = case.pk
    case.delete()
    delete_probe_checks([check_id])


@transaction.atomic
def measure_again(*, application: Application, by: str) -> list[UUID]:
    """Check the regression cases again, with the models and the engine of today.

    Returns the ids of the new checks; the earlier checks are deleted.
    """
    cases = Case.objects.filter(application=application, use=CaseUse.REGRESSION)
    before = list(cases.filter(check_record__input_erased_at=None).select_related("check_record"))
    again = [
        NewCase(case.name, case.is_bad, NewCheck(check.answer, check.query, check.sources))
        for case in before
        for check in (case.check_record,)
    ]
    for case in before:
        delete_case(case=case, by=by)
    added = add_cases(application=application, use=CaseUse.REGRESSION, cases=again, by=by)
    return [case.pk for case in added]


def watch_cases(now: datetime) -> int:
    """Check the regression cases again where engine or judge have changed since the last time.

    Once all of an application have ended, its version in force decides them: the trail notes the
    outcome, and subscribers are told of a failure. Returns how many applications were begun or
    ended. Two tasks at once do not begin twice: each waits for the application's row.
    """
    claim_judge = judge()
    models = {"engine": ENGINE_VERSION, "judge": claim_judge.model_id if claim_judge else ""}
    with_cases = Application.objects.filter(cases__use=CaseUse.REGRESSION).distinct()
    return sum(_watch(application.pk, models, now) for application in with_cases)


@transaction.atomic
def _watch(application_id: UUID, models: dict[str, str], now: datetime) -> bool:
    application = Application.objects.select_for_update(no_key=True).get(pk=application_id)
    runs = TrailEntry.objects.filter(application_id=application_id, event=Event.CASES_RUN)
    last = runs.order_by("-id").first()
    if last is None or any(last.data[name] != value for name, value in models.items()):
        if last is not None and last.occurred_at > now - _NOT_SOONER:
            return False
        # Of cases that were never run, all that is known is which engine measured them.
        older = AnnotatedAnswer.objects.filter(check_record__case__application=application)
        if last is not None or older.exclude(engine_version=ENGINE_VERSION).exists():
            measure_again(application=application, by=_BY)
        append(Event.CASES_RUN, subject=application, by=_BY, state="begun", **models)
        return True
    cases = Case.objects.filter(application=application, use=CaseUse.REGRESSION)
    if last.data["state"] != "begun" or not all_ended(list(cases.values_list("pk", flat=True))):
        return False
    policy = Policy.objects.get(application=application, is_active=True)
    outcomes = case_outcomes(application_id, PolicyRules.from_json(policy.rules))
    failed = [str(outcome.case.pk) for outcome in outcomes if not outcome.passed]
    append(
        Event.CASES_RUN, subject=application, by=_BY, state="ended", **models,
        version=policy.version, passed=len(outcomes) - len(failed), failed=failed,
    )  # fmt: skip
    if failed:
        page = reverse("admin:analysis_policy_change", args=[policy.pk])
        notify(
            EventKind.CASES_FAILED,
            application_id=application_id,
            key=f"{EventKind.CASES_FAILED}:{last.pk}",
            data={
                **models, "version": policy.version, "failed": len(failed),
                "cases": len(outcomes), "url": f"{settings.PUBLIC_URL}{page}",
            },
        )  # fmt: skip
    return True


def all_ended(check_ids: Sequence[UUID]) -> bool:
    """Return whether all of these checks are done or failed."""
    open_ = Check.everything.filter(
        pk__in=check_ids, state__in=(CheckState.QUEUED, CheckState.RUNNING)
    )
    return not open_.exists()
