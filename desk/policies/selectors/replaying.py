"""Replay: decides an application's stored checks again under another policy version.

Reads stored signals only and writes nothing.
"""

import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from datetime import datetime
from multiprocessing import get_context
from typing import Any
from uuid import UUID

from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast, Right

from analysis.engine.codec import decode, encode
from analysis.engine.policy import PolicyRules
from analysis.engine.replay import Tally, replay_all, together
from analysis.models import Check, CheckState
from analysis.selectors.cases import parts

MOST_CHECKS = 10_000
"""Of one replay by API or page: about five seconds of two cores."""
MOST_IN_JOB = 1_000_000
"""Of one replay by a job."""
# The last twelve digits of a UUIDv7 are chance: their order is a shuffle that stays the same.
_SHUFFLED = Right(Cast("id", TextField()), 12)
_MOST_PROCESSES = 4
_FEW = 1_500
"""Replayed before other processes have started."""


@dataclass(frozen=True, slots=True)
class ReplaySelection:
    """Selects the stored checks of a replay: decided in [since, until), at most `sample`.

    If there are more, the sample is uniform and always the same.
    """

    since: datetime | None = None
    until: datetime | None = None
    sample: int = 1_000

    def to_json(self) -> dict[str, Any]:
        members: dict[str, Any] = encode(self)
        return members

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> "ReplaySelection":
        """Parse what `to_json` wrote; other members are ignored."""
        return decode(cls, document)


@dataclass(frozen=True, slots=True)
class ReplaySample:
    """The size of the population, and the hash value up to which checks belong to the sample.

    `cutoff` is None if all of them do.
    """

    total: int
    cutoff: str | None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Selection:
    """The checks of a replay, and how many there were to choose from."""

    ids: tuple[UUID, ...]
    total: int


def select(application_id: UUID, selection: ReplaySelection) -> Selection:
    """Return the decided checks of the period, or a sample of them, oldest first."""
    part = bounds(application_id, selection)
    ids = next_ids(application_id, selection, part, None, selection.sample)
    return Selection(tuple(ids), part.total)


def newest(application_id: UUID, count: int) -> list[UUID]:
    """Return the last `count` decided checks, oldest first."""
    checks = _decided_checks(application_id, ReplaySelection())
    return sorted(checks.order_by("-pk").values_list("pk", flat=True)[:count])


def bounds(application_id: UUID, selection: ReplaySelection) -> ReplaySample:
    """Return what `select` would choose, without the ids."""
    checks = _decided_checks(application_id, selection)
    total = checks.count()
    if total <= selection.sample:
        return ReplaySample(total, None)
    shuffled = checks.order_by(_SHUFFLED).values_list(_SHUFFLED, flat=True)
    return ReplaySample(total, shuffled[selection.sample - 1])


def next_ids(
    application_id: UUID,
    selection: ReplaySelection,
    part: ReplaySample,
    after: UUID | None,
    limit: int,
) -> list[UUID]:
    """Return the next `limit` ids that `select` would choose after `after`, oldest first."""
    checks = _decided_checks(application_id, selection).order_by("pk")
    if part.cutoff is not None:
        checks = checks.alias(shuffled=_SHUFFLED).filter(shuffled__lte=part.cutoff)
    if after is not None:
        checks = checks.filter(pk__gt=after)
    return list(checks.values_list("pk", flat=True)[:limit])


def _decided_checks(application_id: UUID, selection: ReplaySelection) -> QuerySet[Check]:
    checks = Check.objects.filter(application_id=application_id, state=CheckState.DONE)
    if selection.since:
        checks = checks.filter(finished_at__gte=selection.since)
    if selection.until:
        checks = checks.filter(finished_at__lt=selection.until)
    return checks


def replay(ids: Sequence[UUID], rules: PolicyRules, *, processes: int | None = None) -> Tally:
    """Decide these checks again under the rules, and count what changes.

    This process reads; for many checks, other processes decide (`processes`, by default one per
    core, at most four). They use neither Django nor the database.
    """
    cores = min(os.cpu_count() or 1, _MOST_PROCESSES)
    workers = processes or (cores if len(ids) > _FEW else 1)
    if workers == 1:
        return together(replay_all(*part, rules) for part in parts(ids))
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        # All parts are sent at once: MOST_CHECKS of them are about 100 MB.
        futures = [pool.submit(replay_all, *part, rules) for part in parts(ids)]
        return together(part.result() for part in futures)
