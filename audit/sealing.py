"""Turns an entry of the trail into a link of a chain. Pure functions, no database.

    leaf  = entry id (8 bytes) + SHA-256 of the entry + SHA-256 of its document (or 32 zeros)
    link  = SHA-256 (link before + leaf)

The first link of a chain follows `genesis(chain)`, so that no chain can stand in for another.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC
from typing import Any
from uuid import UUID

from audit.models import TrailEntry

LEAF_BYTES = 72
NO_CONTENT = bytes(32)
MEMBERS = ("id", "application_id", "event", "subject_type", "subject_id", "actor", "data")


@dataclass(frozen=True, slots=True)
class Leaf:
    """One sealed entry: its id, its digest, and that of its document (NO_CONTENT: none)."""

    entry_id: int
    entry: bytes
    content: bytes = NO_CONTENT

    def packed(self) -> bytes:
        return self.entry_id.to_bytes(8, "big") + self.entry + self.content


def canonical(value: Any) -> bytes:
    """Return JSON with sorted keys and no spaces in UTF-8: one document, one byte sequence.

    Raises ValueError for NaN and infinities, which JSON documents cannot contain.
    """
    text = json.dumps(
        value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False
    )
    return text.encode()


def digest(value: Any) -> bytes:
    """Return the SHA-256 of the canonical JSON."""
    return hashlib.sha256(canonical(value)).digest()


def entry_document(entry: TrailEntry) -> dict[str, Any]:
    """Return every member of an entry; the time in UTC to the microsecond."""
    members = {name: getattr(entry, name) for name in MEMBERS}
    application = None if entry.application_id is None else str(entry.application_id)
    moment = entry.occurred_at.astimezone(UTC).isoformat(timespec="microseconds")
    return members | {"application_id": application, "occurred_at": moment}


def genesis(chain: UUID) -> bytes:
    """Return the value before the first link of a chain."""
    return hashlib.sha256(b"watchdog trail " + chain.bytes).digest()


def linked(previous: bytes, leaves: Iterable[Leaf]) -> bytes:
    """Return the link after the last of `leaves`."""
    for leaf in leaves:
        previous = hashlib.sha256(previous + leaf.packed()).digest()
    return previous


def pack(leaves: Iterable[Leaf]) -> bytes:
    return b"".join(leaf.packed() for leaf in leaves)


def unpack(packed: bytes) -> Iterator[Leaf]:
    """Yield stored leaves. Raises ValueError if the length is not that of whole leaves."""
    if len(packed) % LEAF_BYTES:
        raise ValueError("the stored leaves are cut")
    for at in range(0, len(packed), LEAF_BYTES):
        leaf = packed[at : at + LEAF_BYTES]
        yield Leaf(int.from_bytes(leaf[:8], "big"), leaf[8:40], leaf[40:])
