"""Makes checks searchable: a task follows the trail and indexes the words of its checks."""

import time
from collections.abc import Sequence
from uuid import UUID

from django.db import connection, transaction

from analysis.models import SearchReach
from analysis.selectors.contents import uuids
from analysis.sql import load
from audit.models import Event, TrailEntry
from audit.seals import settled_id

_INDEX = load("index_checks")
_AT_ONCE = 2_000
_SECONDS, _PATIENCE_SECONDS = 8.0, 1.0
_MOVES = frozenset(
    {Event.CHECK_SUBMITTED, Event.CHECK_DECIDED, Event.CHECK_FAILED, Event.CHECK_REPLAYED}
)


def index_checks() -> int:
    """Index the trail's new entries for some seconds at most; return how many were read.

    A later run continues where this one stopped. Safe to run concurrently.
    """
    deadline = time.monotonic() + _SECONDS
    up_to = settled_id(patience=_PATIENCE_SECONDS)
    SearchReach.objects.get_or_create(pk=1)
    read = 0
    while up_to is not None and time.monotonic() < deadline:
        some = _index_some(up_to)
        read += some
        if some < _AT_ONCE:
            break
    return read


@transaction.atomic
def _index_some(up_to: int) -> int:
    reach = SearchReach.objects.select_for_update(skip_locked=True).first()
    if reach is None:  # another run is at it
        return 0
    above = TrailEntry.objects.filter(id__gt=reach.entry_id, id__lte=up_to).order_by("id")
    entries = list(above.values_list("id", "event", "subject_id")[:_AT_ONCE])
    if entries:
        check_names = {name for _, event, name in entries if event in _MOVES}
        write_words(uuids(sorted(check_names)))
        reach.entry_id = entries[-1][0]
        reach.save(update_fields=["entry_id"])
    return len(entries)


def write_words(check_ids: Sequence[UUID]) -> None:
    """Index the current words of these checks."""
    with connection.cursor() as cursor:
        cursor.execute(_INDEX, {"ids": [str(check_id) for check_id in check_ids]})
