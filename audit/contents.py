"""The rows that entries refer to, digested as stored when the entries are sealed.

An app that owns such rows registers, for an event, a function that returns the documents of many
subjects at once. So a check's processing hashes nothing, and later changes are found.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from audit.models import TrailEntry
from audit.sealing import digest

Documents = Callable[[Sequence[str]], Mapping[str, dict[str, Any]]]
_AT_ONCE = 100
_registered: dict[str, Documents] = {}
_parts: dict[str, str] = {}


def register(event: str, documents: Documents, *, part: str = "") -> None:
    """Seal entries of `event` with the document that `documents` returns for their subject.

    `part`: the name by which an erasure marks this document as gone (`audit.erasures`); empty if it
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
