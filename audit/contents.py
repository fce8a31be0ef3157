"""The rows that entries refer to, digested as stored when the entries are sealed.

An app that owns such rows registers, for an event, a function that returns the documents of many
subjects at once. So a check's processing hashes nothing, and later changes are found.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from audit.models import Event, TrailEntry
from audit.sealing import digest

Documents = Callable[[Sequence[str]], Mapping[str, dict[str, Any]]]
_AT_ONCE = 100
_registered: dict[str, Documents] = {}
_parts: dict[str, str] = {}


def register(event: str, documents: Documents, *, part: str = "") -> None:
    """Seal entries of `event` with the document that `documents` returns for their subject.

    `part`: the name by which an erasure marks this document as gone (`audit.contents`); empty if it
    is never erased.
    """
    _registered[event] = documents
    _parts[event] = part


def part_of(event: str) -> str:
    """Return the part of a subject that entries of `event` refer to; "" if it is never erased."""
    return _parts.get(event, "")


def content_digests(entries: Iterable[TrailEntry]) -> dict[int, bytes]:
    """Return the digest of each entry's document by entry id, without entries that have none."""
    entries_by_event = defaultdict[str, list[TrailEntry]](list)
    for entry in entries:
        if entry.event in _registered:
            entries_by_event[entry.event].append(entry)
    digests = dict[int, bytes]()
    for event, event_entries in entries_by_event.items():
        for at in range(0, len(event_entries), _AT_ONCE):
            digests |= _digests(_registered[event], event_entries[at : at + _AT_ONCE])
    return digests


def _digests(documents: Documents, entries: Sequence[TrailEntry]) -> dict[int, bytes]:
    contents = documents([entry.subject_id for entry in entries])
    digests = {subject: digest(document) for subject, document in contents.items()}
    return {e.pk: digests[e.subject_id] for e in entries if e.subject_id in digests}


# Erasures of sealed content, as recorded by entries of the trail itself.


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
