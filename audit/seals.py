"""Seals: turns settled entries of the trail into links of their applications' chains."""

import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from uuid import UUID

import structlog
from django.db import connection, transaction
from django.db.models import Max

from audit import signing
from audit.contents import content_digests
from audit.models import NO_APPLICATION, TrailEntry, TrailSeal
from audit.sealing import NO_CONTENT, Leaf, digest, entry_document, genesis, linked, pack

# Finds the id up to which the trail is settled: no entry at or below it can still appear.
#
# Ids are taken before their transactions commit, so an entry may become visible after a later one.
# Writers never wait for this (docs/decisions/0621-the-trail-is-append-only-and-sealed.md).

# Who may hold an id that nobody sees yet. A transaction takes this lock before it takes an id
# (when its statement is planned) and keeps it until its rows are seen.
_WRITERS = """
SELECT l.virtualtransaction
FROM pg_locks AS l
WHERE l.locktype = 'relation'
  AND l.granted
  AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND l.relation = 'audit_trailentry'::regclass
  AND l.mode IN ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock',
                 'AccessExclusiveLock')
  AND l.pid IS DISTINCT FROM pg_backend_pid()
"""
_POLL_SECONDS = 0.02


def settled_id(*, patience: float) -> int | None:
    """Return the current highest id once present writers have ended; None after `patience` seconds.

    Writers that begin meanwhile take higher ids and are not waited for.
    """
    highest = TrailEntry.objects.aggregate(highest=Max("id"))["highest"]
    if highest is None:
        return None
    deadline = time.monotonic() + patience
    waited_for = _writers()
    while waited_for:
        if time.monotonic() >= deadline:
            return None
        time.sleep(_POLL_SECONDS)
        waited_for &= _writers()
    return int(highest)


def _writers() -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute(_WRITERS)
        return {name for (name,) in cursor.fetchall()}


log = structlog.get_logger(__name__)
_LOCK = 0x7761_7463_6873_6561  # "watchsea": the advisory lock of the one sealer
AT_ONCE = 1_000
PATIENCE_SECONDS = 3.0


def seal_trail(
    *, at_once: int = AT_ONCE, seconds: float = 10.0, patience: float = PATIENCE_SECONDS
) -> int:
    """Seal settled, unsealed entries for about `seconds` at most; return how many.

    Safe to call twice or simultaneously: one seals, the other finds nothing to do.
    """
    deadline = time.monotonic() + seconds
    up_to = settled_id(patience=patience)
    if up_to is None:
        oldest = TrailEntry.objects.filter(id__gt=watermark()).order_by("id").first()
        if oldest is not None:
            log.warning("sealing_held_up", entry_id=oldest.pk, since=oldest.occurred_at.isoformat())
        return 0
    total = 0
    while time.monotonic() < deadline:
        sealed = _seal_some(up_to, at_once)
        total += sealed
        if sealed < at_once:
            break
    return total


def watermark() -> int:
    """Return the id up to which every entry is sealed."""
    return int(TrailSeal.objects.aggregate(reach=Max("up_to_id"))["reach"] or 0)


def chain_of(entry: TrailEntry) -> UUID:
    return entry.application_id or NO_APPLICATION


def seal_message(seal: TrailSeal) -> bytes:
    """Return the message that the signature of a seal or head is made on."""
    numbers = f"{seal.chain} {seal.number} {seal.up_to_id} {seal.entries} {seal.position} "
    return f"watchdog seal {numbers}{bytes(seal.hash).hex()}".encode()


@transaction.atomic
def _seal_some(up_to: int, at_once: int) -> int:
    if not _take_lock():
        return 0
    rows = TrailEntry.objects.filter(id__gt=watermark(), id__lte=up_to).order_by("id")
    entries = list(rows[:at_once])
    contents = content_digests(entries)
    by_chain = defaultdict[UUID, list[Leaf]](list)
    for entry in entries:
        content = contents.get(entry.pk, NO_CONTENT)
        by_chain[chain_of(entry)].append(Leaf(entry.pk, digest(entry_document(entry)), content))
    heads = heads_of(by_chain)
    TrailSeal.objects.bulk_create(
        [_next_seal(chain, leaves, heads.get(chain)) for chain, leaves in by_chain.items()]
    )
    return len(entries)


def heads_of(chains: Iterable[UUID] | None = None) -> dict[UUID, TrailSeal]:
    """Return the last seal of each of `chains` (None: of all), without its leaves."""
    seals = TrailSeal.objects.defer("leaves")
    if chains is not None:
        seals = seals.filter(chain__in=list(chains))
    return {seal.chain: seal for seal in seals.order_by("chain", "-number").distinct("chain")}


def _next_seal(chain: UUID, leaves: Sequence[Leaf], head: TrailSeal | None) -> TrailSeal:
    previous = genesis(chain) if head is None else bytes(head.hash)
    seal = TrailSeal(
        chain=chain,
        number=1 if head is None else head.number + 1,
        up_to_id=leaves[-1].entry_id,
        entries=len(leaves),
        position=len(leaves) + (0 if head is None else head.position),
        leaves=pack(leaves),
        previous_hash=previous,
        hash=linked(previous, leaves),
        key_name=signing.key_name(signing.public_key()),
    )
    seal.signature = signing.sign(seal_message(seal))
    return seal


def _take_lock() -> bool:
    """Lock out other sealers until the transaction ends; return False if one is at work."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [_LOCK])
        return bool(cursor.fetchone()[0])
