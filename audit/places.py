"""The positions of entries in their sealed chains."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import OuterRef, QuerySet, Subquery, UUIDField, Value
from django.db.models.functions import Coalesce

from audit.models import NO_APPLICATION, TrailEntry, TrailSeal
from audit.sealing import NO_CONTENT, Leaf, unpack
from audit.seals import chain_of


@dataclass(frozen=True, slots=True)
class EntryPosition:
    """A sealed entry: its leaf, its seal, and its position in the chain (from 1)."""

    leaf: Leaf
    seal: TrailSeal
    position: int

    @property
    def content(self) -> str | None:
        """The SHA-256 (hex) of the entry's document, if it was sealed with one."""
        return None if self.leaf.content == NO_CONTENT else self.leaf.content.hex()


def places_of(entries: Iterable[TrailEntry]) -> dict[int, EntryPosition]:
    """Return positions by entry id, without entries not yet sealed. One query."""
    chains = {entry.pk: chain_of(entry) for entry in entries}
    places = dict[int, EntryPosition]()
    for seal in _seals_over(chains):
        before = seal.position - seal.entries
        for n, leaf in enumerate(unpack(bytes(seal.leaves)), 1):
            if chains.get(leaf.entry_id) == seal.chain:
                places[leaf.entry_id] = EntryPosition(leaf, seal, before + n)
    return places


def _seals_over(entry_ids: Iterable[int]) -> QuerySet[TrailSeal]:
    """Return the seals that cover these entries, each once."""
    chain = Coalesce(OuterRef("application_id"), Value(NO_APPLICATION), output_field=UUIDField())
    reaching = TrailSeal.objects.filter(chain=chain, up_to_id__gte=OuterRef("pk"))
    first = Subquery(reaching.order_by("up_to_id").values("pk")[:1])
    entries = TrailEntry.objects.filter(pk__in=list(entry_ids))
    return TrailSeal.objects.filter(pk__in=entries.values(seal=first))
