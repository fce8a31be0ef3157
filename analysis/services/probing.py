"""Stores probes and the results of their runs, tells of new failures, deletes a run's checks."""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.urls import reverse
from django.utils import timezone

from accounts.models import Application
from analysis.models import (
    AnnotatedAnswer,
    Batch,
    Check,
    Claim,
    IdempotencyKey,
    Probe,
    ProbeOutcome,
    ProbeResult,
)
from analysis.selectors.probes import by_application, latest_results, newly_failing
from audit.models import Event
from audit.services import append, append_named
from notifications.models import EventKind
from notifications.services import EventRecord, notify_all, wants

log = structlog.get_logger(__name__)
KEPT = timedelta(days=400)
"""Results outlive the year that an evidence pack may tell of."""
_LEFT_BEHIND = timedelta(hours=1)
PLAYGROUND = "playground"
"""The channel in the metadata of what was tried in the playground."""
_BY = "watchdog"


@transaction.atomic
def save_probe(*, probe: Probe, by: str) -> None:
    """Store an application's own probe, new or changed."""
    probe.save()
    _note(probe, by, verdict=probe.verdict, is_active=probe.is_active)


@transaction.atomic
def delete_probe(*, probe: Probe, by: str) -> None:
    """Remove an own probe; an included one of its name is sent again."""
    _note(probe, by, deleted=True)
    probe.delete()


@transaction.atomic
def replace_probes(*, application: Application, probes: Sequence[Probe], by: str) -> None:
    """Keep these probes as the application's own, in place of those that it has."""
    names = {probe.name for probe in probes}
    own = {probe.name: probe for probe in Probe.objects.filter(application=application)}
    for name in own.keys() - names:
        delete_probe(probe=own[name], by=by)
    for probe in probes:
        probe.application = application
        probe.pk = own[probe.name].pk if probe.name in own else None
        save_probe(probe=probe, by=by)


@transaction.atomic
def record_results(run: UUID, results: Sequence[ProbeResult]) -> list[ProbeResult]:
    """Store the results of a run with entries in the trail, and notify of what newly failed.

    Returns what newly failed.
    """
    ids = {result.application_id for result in results if result.application_id}
    new_positions = newly_failing(results, latest_results(ids, timezone.now()))
    for result in results:
        result.run = run
    ProbeResult.objects.bulk_create(results)
    for application_id, some in by_application(results).items():
        append_named(
            Event.PROBES_SENT,
            subject_type="probe_run",
            subject_id=str(run),
            by=_BY,
            application_id=application_id,
            **_counts(some),
        )
    failing = [results[position] for position in sorted(new_positions)]
    for application_id, some in by_application(failing).items():
        _alarm(run, application_id, some)
    return failing


def _counts(results: Sequence[ProbeResult]) -> dict[str, object]:
    return {
        **{str(o): sum(r.outcome == o for r in results) for o in ProbeOutcome.values},
        "not_passed": [_fact(r) for r in results if r.outcome != ProbeOutcome.PASSED],
    }


def _fact(result: ProbeResult) -> dict[str, str]:
    return {
        "probe": result.probe,
        "way": str(result.way),
        "judge": result.judge,
        "outcome": str(result.outcome),
        "detail": result.detail,
    }


def _alarm(run: UUID, application_id: UUID | None, failing: Sequence[ProbeResult]) -> None:
    """Notify the application; of a judge, every application that subscribes to failed probes."""
    data = {
        "run": str(run),
        "probes": [_fact(result) for result in failing],
        "url": f"{settings.PUBLIC_URL}{reverse('probes_page')}",
    }
    log.error("probes_failed", application=str(application_id), probes=data["probes"])
    recipients = [application_id] if application_id else wants(EventKind.PROBE_FAILED)
    part = "judges" if application_id is None else "application"
    key = f"{EventKind.PROBE_FAILED}:{run}:{part}"
    notify_all(EventKind.PROBE_FAILED, [EventRecord(id_, key, data) for id_ in recipients])


def remove_probe_checks(*, application_ids: Sequence[UUID] = (), left_behind: bool = False) -> int:
    """Delete the checks of a run that is over, or of runs that broke off; return how many.

    Tries of the playground that are not counted end with the latter.
    """
    checks = Check.everything.filter(is_probe=True, case=None)
    if left_behind:
        checks = checks.filter(created_at__lt=Now() - _LEFT_BEHIND)
    else:
        no_try = Q(metadata__channel__isnull=True) | ~Q(metadata__channel=PLAYGROUND)
        checks = checks.filter(no_try, application__in=application_ids)
    rows = list(checks.values_list("pk", "batch"))
    batch_ids = {batch for _, batch in rows if batch}
    with transaction.atomic():
        IdempotencyKey.objects.filter(batch_made__in=batch_ids).delete()
        delete_probe_checks([pk for pk, _ in rows])
        Batch.everything.filter(pk__in=batch_ids).delete()
    return len(rows)


@transaction.atomic
def delete_probe_checks(ids: Sequence[UUID]) -> None:
    """Delete checks that are probes, with their results."""
    IdempotencyKey.objects.filter(check_made__in=ids).delete()
    Claim.objects.filter(annotated_answer__in=ids).delete()
    AnnotatedAnswer.objects.filter(pk__in=ids).delete()
    probes = Check.everything.filter(pk__in=ids)
    probes._raw_delete(probes.db)  # nothing else refers to a probe


def forget_old_results() -> int:
    """Delete results older than `KEPT`; return how many."""
    return ProbeResult.objects.filter(at__lt=Now() - KEPT).delete()[0]


def _note(probe: Probe, by: str, **data: object) -> None:
    append(Event.PROBE_CHANGED, subject=probe, by=by, name=probe.name, **data)
