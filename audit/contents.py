"""What entries tell of, digested when they are sealed: the rows themselves, as they are stored.

An app that owns such rows registers, for an event, a function that gives the documents of many
subjects at once. So nothing is hashed on the way of a check, and rows changed later are found.
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
    """Entries of `event` are sealed with the document that `documents` gives for their subject.

    `part`: the name under which an erasure tells that this document is gone (`audit.erasures`);
    empty where it is never erased.
    """
    _registered[event] = documents
    _parts[event] = part


def part_of(event: str) -> str:
    """The part of a subject that entries of `event` tell of; empty where it is never erased."""
    return _parts.get(event, "")


def content_digests(entries: Iterable[TrailEntry]) -> dict[int, bytes]:
    """By entry id the digest of what the entry tells of; absent where nothing is stored of it."""
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
