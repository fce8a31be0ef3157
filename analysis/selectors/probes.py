"""The probes of an application, and their latest results."""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Exists, Max, OuterRef, Q

from analysis.models import Probe, ProbeOutcome, ProbeResult, ProbeVerdict

_INCLUDED = Path(__file__).resolve().parent.parent / "probes.jsonl"
_MEMBERS = frozenset({"name", "query", "answer", "sources", "verdict", "is_active"})
_RUNS_KEPT = 3
"""A result counts as the state of today until this many runs should have replaced it."""


class ProbeFileError(ValueError):
    """Raised for a line that is no probe; the message names it."""


@dataclass(frozen=True, slots=True)
class ProbeState:
    """Results at a moment: when the last was written, and those that did not pass."""

    last_at: datetime | None
    results: list[ProbeResult]

    @property
    def not_passed(self) -> list[ProbeResult]:
        return [result for result in self.results if result.outcome != ProbeOutcome.PASSED]


def read_probes(text: str) -> list[Probe]:
    """Return the probes of a JSONL file, not saved and without an application.

    Raises ProbeFileError.
    """
    return [_probe(number, line) for number, line in enumerate(text.splitlines(), 1) if line]


def _probe(number: int, line: str) -> Probe:
    try:
        members: dict[str, Any] = json.loads(line)
        unknown = set(members) - _MEMBERS
        if unknown:
            raise ValueError(f"unknown member {min(unknown)!r}")
        probe = Probe(**members)
        probe.clean_fields(exclude=["application"])
        probe.clean()
    except Exception as error:
        raise ProbeFileError(f"line {number}: {error}") from error
    return probe


def probes_of(application_ids: Collection[UUID]) -> dict[UUID, list[Probe]]:
    """Return the probes to send for each application: the included ones, or its own instead."""
    by_name = {id_: {probe.name: probe for probe in included_probes()} for id_ in application_ids}
    for own in Probe.objects.filter(application__in=application_ids):
        by_name[own.application_id][own.name] = own
    return {id_: [p for p in probes.values() if p.is_active] for id_, probes in by_name.items()}


def included_probes() -> list[Probe]:
    """Return the probes that every application has until it replaces them."""
    return read_probes(_INCLUDED.read_text("utf-8"))


def latest_results(application_ids: Collection[UUID] | None, now: datetime) -> list[ProbeResult]:
    """Return the last result of each probe by each way, of these applications and of the judges.

    `application_ids` None: of all applications. Probes that are sent no more are left out.
    """
    since = now - _RUNS_KEPT * timedelta(minutes=settings.PROBE_MINUTES or 60)
    own = Probe.objects.filter(application=OuterRef("application"), name=OuterRef("probe"))
    rows = ProbeResult.objects.filter(
        Q(application=None)
        | Exists(own.filter(is_active=True))
        | Q(probe__in=[probe.name for probe in included_probes()]) & ~Exists(own),
        at__gte=since,
    )
    if application_ids is not None:
        rows = rows.filter(Q(application__in=application_ids) | Q(application=None))
    newest_first = ("application", "probe", "way", "judge", "-at")
    distinct = rows.order_by(*newest_first).distinct(*newest_first[:-1])
    return list(distinct.select_related("application"))


def probe_state(application_ids: Collection[UUID], now: datetime) -> ProbeState:
    """Return the state of the probes for the readers of these applications."""
    results = latest_results(application_ids, now)
    if results:
        return ProbeState(max(result.at for result in results), results)
    last_at = ProbeResult.objects.filter(application__in=application_ids).aggregate(at=Max("at"))
    return ProbeState(last_at["at"], [])


def newly_failing(results: Sequence[ProbeResult], before: Iterable[ProbeResult]) -> set[int]:
    """Return the positions of results that did not pass and are not among the failures before."""
    failing = {_place(r) for r in before if r.outcome != ProbeOutcome.PASSED}
    return {
        position
        for position, result in enumerate(results)
        if result.outcome != ProbeOutcome.PASSED and _place(result) not in failing
    }


def _place(result: ProbeResult) -> tuple[UUID | None, str, str, str]:
    return result.application_id, result.probe, result.way, result.judge


def by_application(results: Iterable[ProbeResult]) -> dict[UUID | None, list[ProbeResult]]:
    """Return the results by application; those of the judges under None."""
    grouped = defaultdict[UUID | None, list[ProbeResult]](list)
    for result in results:
        grouped[result.application_id].append(result)
    return dict(grouped)


def outcome_of(verdict: str, action: str, *, let_through: bool = False) -> ProbeOutcome:
    """Return what an action says of a probe; `let_through`: a blocked answer got out."""
    if not action:
        return ProbeOutcome.UNCHECKED
    if verdict == ProbeVerdict.ALLOWED:
        return ProbeOutcome.PASSED if action == "ALLOW" else ProbeOutcome.FALSE_ALARM
    flagged = action == "BLOCK" or (action == "WARN" and verdict == ProbeVerdict.FLAGGED)
    return ProbeOutcome.PASSED if flagged and not let_through else ProbeOutcome.MISSED
