"""Erasures of sealed content, as recorded by entries of the trail itself."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from audit.models import Event, TrailEntry


@dataclass(frozen=True, slots=True)
class Erasure:
    """One erasure: the erased parts of its subject, when, by whom and why."""

    entry_id: int
    parts: frozenset[str]
    at: datetime
    by: str
    reason: str


def erasures_of(subject_type: str, ids: Iterable[str]) -> Mapping[str, tuple[Erasure, ...]]:
    """Return all erasures by subject id, oldest first, without subjects that have none."""
    # By subject alone: asked for the event too, the planner may read every erasure there ever was.
    entries = TrailEntry.objects.filter(subject_type=subject_type, subject_id__in=list(ids))
    erasures_by_subject = defaultdict[str, list[Erasure]](list)
    for entry in entries.order_by("id"):
        if entry.event == Event.CHECK_ERASED:
            erasures_by_subject[entry.subject_id].append(
                Erasure(
                    entry.pk,
                    frozenset(entry.data.get("parts", ())),
                    entry.occurred_at,
                    entry.actor,
                    str(entry.data.get("reason", "")),
                )
            )
    return {subject: tuple(erasures) for subject, erasures in erasures_by_subject.items()}
