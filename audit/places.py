"""Where entries stand in their sealed chains."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from audit.models import TrailEntry, TrailSeal
from audit.sealing import NO_CONTENT, Leaf, unpack
from audit.seals import chain_of


@dataclass(frozen=True, slots=True)
class EntryPosition:
    """A sealed entry: its leaf, the seal that holds it, and its position in the chain (from 1)."""

    leaf: Leaf
    seal: TrailSeal
    position: int

    @property
    def content(self) -> str | None:
        """SHA-256 (hex) of what the entry tells of, where it was sealed with it."""
        return None if self.leaf.content == NO_CONTENT else self.leaf.content.hex()


def places_of(entries: Iterable[TrailEntry]) -> dict[int, EntryPosition]:
    """By entry id; absent while an entry is not sealed. One query for each seal."""
    places = dict[int, EntryPosition]()
    for entry in entries:
        if entry.pk not in places:
            places |= _places_in_seal(chain_of(entry), entry.pk)
    return places


def _places_in_seal(chain: UUID, entry_id: int) -> dict[int, EntryPosition]:
    seals = TrailSeal.objects.filter(chain=chain, up_to_id__gte=entry_id)
    seal = seals.order_by("up_to_id").first()
    if seal is None:
        return {}
    before = seal.position - seal.entries
    leaves = unpack(bytes(seal.leaves))
    return {
        leaf.entry_id: EntryPosition(leaf, seal, before + n) for n, leaf in enumerate(leaves, 1)
    }
