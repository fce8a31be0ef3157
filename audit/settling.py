"""Finds the id up to which the trail is settled: no entry at or below it can still appear.

Ids are taken before their transactions commit, so an entry may become visible after a later one.
Writers never wait for this (docs/decisions/0621-the-trail-is-append-only-and-sealed.md).
"""

import time

from django.db import connection
from django.db.models import Max

from audit.models import TrailEntry

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
