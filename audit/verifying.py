"""Compares the trail with its seals: finds altered, removed, inserted, reordered entries."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from django.db.models import QuerySet

from audit import signing
from audit.contents import content_digests, erasures_of, part_of
from audit.heads import Head
from audit.models import NO_APPLICATION, TrailEntry, TrailSeal
from audit.sealing import NO_CONTENT, Leaf, digest, entry_document, genesis, linked, unpack
from audit.seals import seal_message, watermark


class FaultKind(StrEnum):
    ALTERED = "altered"
    CONTENT = "content altered"
    REMOVED = "removed"
    INSERTED = "inserted"
    BROKEN = "seal broken"
    CUT_OFF = "cut off"
    REWRITTEN = "rewritten"


@dataclass(frozen=True, slots=True)
class ChainFault:
    """One fault of a chain; `entry_id` if it concerns one entry."""

    chain: UUID
    kind: FaultKind
    text: str
    entry_id: int | None = None


@dataclass(frozen=True, slots=True)
class SealChecked:
    """One seal, its number of entries, and its faults.

    `erased`: entries whose content was erased since, as an entry of its own says.
    """

    entries: int
    findings: tuple[ChainFault, ...]
    erased: int = 0


def chains() -> list[UUID]:
    """Return every chain with a seal or an entry, by id."""
    sealed = set(TrailSeal.objects.order_by().values_list("chain", flat=True).distinct())
    with_entries = TrailEntry.objects.order_by().values_list("application_id", flat=True).distinct()
    return sorted(sealed | {application_id or NO_APPLICATION for application_id in with_entries})


def unsealed_count() -> int:
    """Return the number of entries not yet sealed, which cannot be verified."""
    return TrailEntry.objects.filter(id__gt=watermark()).count()


def verify_chain(chain: UUID, keys: Sequence[str], head: Head | None) -> Iterator[SealChecked]:
    """Compare each seal of a chain with the entries, then its end with `head`, if given."""
    reached, headed = 0, head is None
    for seal, checked in verify_seals(chain, keys):
        yield checked
        reached = seal.number
        if head is not None and seal.number == head.number:
            headed = True
            if (bytes(seal.hash).hex(), seal.position) != (head.hash, head.position):
                text = f"seal {seal.number} is not the exported one"
                yield _fault_of_chain(chain, FaultKind.REWRITTEN, text)
    if head is not None and not headed:
        text = f"the chain ends at seal {reached}, exported heads reach seal {head.number}"
        yield _fault_of_chain(chain, FaultKind.CUT_OFF, text)
    yield from verify_end(chain)


def verify_seals(
    chain: UUID, keys: Sequence[str], *, after: int = 0, most: int | None = None
) -> Iterator[tuple[TrailSeal, SealChecked]]:
    """Compare up to `most` seals of a chain after seal number `after`; yield each."""
    seals = TrailSeal.objects.filter(chain=chain).order_by("number")
    before = seals.filter(number__lte=after).last()
    for seal in seals.filter(number__gt=after)[:most].iterator(chunk_size=10):
        seal_findings = list(_seal_findings(seal, before, keys))
        wrong = tuple(item for item in seal_findings if isinstance(item, ChainFault))
        yield seal, SealChecked(seal.entries, wrong, len(seal_findings) - len(wrong))
        before = seal


def verify_end(chain: UUID) -> Iterator[SealChecked]:
    """Yield entries after a chain's last seal that should have been sealed."""
    last = TrailSeal.objects.filter(chain=chain).order_by("-number").first()
    for entry in _entries(chain, last.up_to_id if last else 0, watermark()).iterator():
        text = f"entry {entry.pk} ({entry.event}) stands behind the chain's end but is not sealed"
        yield _fault_of_chain(chain, FaultKind.INSERTED, text, entry.pk)


def _fault_of_chain(
    chain: UUID, kind: FaultKind, text: str, entry_id: int | None = None
) -> SealChecked:
    """Return a fault that no seal of the chain has."""
    return SealChecked(0, (ChainFault(chain, kind, text, entry_id),))


def _seal_findings(
    seal: TrailSeal, before: TrailSeal | None, keys: Sequence[str]
) -> Iterator[ChainFault | TrailEntry]:
    """Yield the seal's faults, and its entries whose content was erased, as a later entry says."""
    try:
        leaves = list(unpack(bytes(seal.leaves)))
    except ValueError as error:
        yield ChainFault(seal.chain, FaultKind.BROKEN, f"seal {seal.number}: {error}")
        return
    for fault in _chain_faults(seal, before, leaves):
        yield ChainFault(seal.chain, FaultKind.BROKEN, f"seal {seal.number}: {fault}")
    if not signing.is_signed(seal_message(seal), bytes(seal.signature), keys):
        text = f"seal {seal.number}: not signed by a trusted key (it names {seal.key_name})"
        yield ChainFault(seal.chain, FaultKind.BROKEN, text)
    yield from _entry_findings(seal, before.up_to_id if before else 0, leaves)


def _chain_faults(seal: TrailSeal, before: TrailSeal | None, leaves: list[Leaf]) -> Iterator[str]:
    number, position = (before.number, before.position) if before else (0, 0)
    previous = bytes(before.hash) if before else genesis(seal.chain)
    if seal.number != number + 1:
        yield f"the seal before it is number {number}: seals were removed"
    if bytes(seal.previous_hash) != previous:
        yield "it does not follow the seal before it"
    if linked(bytes(seal.previous_hash), leaves) != bytes(seal.hash):
        yield "its hash is not that of its entries in their order"
    if seal.entries != len(leaves) or seal.position != position + len(leaves):
        yield "its count is not that of its entries"


def _entry_findings(
    seal: TrailSeal, above: int, leaves: list[Leaf]
) -> Iterator[ChainFault | TrailEntry]:
    entries = {entry.pk: entry for entry in _entries(seal.chain, above, seal.up_to_id)}
    contents = content_digests(entries.values())
    erased = _erased_entries(leaves, entries, contents)
    for leaf in leaves:
        entry = entries.pop(leaf.entry_id, None)
        if entry is None:
            text = f"entry {leaf.entry_id} of seal {seal.number} is gone"
            yield ChainFault(seal.chain, FaultKind.REMOVED, text, leaf.entry_id)
            continue
        name = f"entry {entry.pk} ({entry.event} of {entry.subject_type} {entry.subject_id})"
        if digest(entry_document(entry)) != leaf.entry:
            text = f"{name} is not as it was sealed"
            yield ChainFault(seal.chain, FaultKind.ALTERED, text, entry.pk)
        elif entry.pk in erased:
            yield entry
        elif contents.get(entry.pk, NO_CONTENT) != leaf.content:
            text = f"what {name} tells of is not as it was sealed"
            yield ChainFault(seal.chain, FaultKind.CONTENT, text, entry.pk)
    for entry in entries.values():
        text = f"entry {entry.pk} ({entry.event}) was not there when seal {seal.number} was made"
        yield ChainFault(seal.chain, FaultKind.INSERTED, text, entry.pk)


def _erased_entries(
    leaves: Sequence[Leaf], entries: Mapping[int, TrailEntry], contents: Mapping[int, bytes]
) -> frozenset[int]:
    """Return the entries whose content is gone and recorded as erased by a later entry."""
    missing = [
        entries[leaf.entry_id]
        for leaf in leaves
        if leaf.content != NO_CONTENT and leaf.entry_id in entries and leaf.entry_id not in contents
    ]
    erasures = {
        kind: erasures_of(kind, [e.subject_id for e in missing if e.subject_type == kind])
        for kind in {entry.subject_type for entry in missing}
    }
    return frozenset(
        entry.pk
        for entry in missing
        for erasure in erasures[entry.subject_type].get(entry.subject_id, ())
        if erasure.entry_id > entry.pk and part_of(entry.event) in erasure.parts
    )


def _entries(chain: UUID, above: int, up_to: int) -> QuerySet[TrailEntry]:
    trail_entries = TrailEntry.objects.filter(id__gt=above, id__lte=up_to).order_by("id")
    if chain == NO_APPLICATION:
        return trail_entries.filter(application_id__isnull=True)
    return trail_entries.filter(application_id=chain)
