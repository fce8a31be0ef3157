"""Reads figures from a replica of the database (`DATABASE_REPLICA_URL`), else from the primary.

Each result names its source. A replica that does not answer, no longer replicates or lacks a table
is tried once in half a minute; meanwhile figures come from the primary.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar

import structlog
from django.db import Error, connections
from django.db.models import Model
from psycopg2.errors import QueryCanceled

from lib.workqueue.broker import Outage

log = structlog.get_logger(__name__)
REPLICA = "replica"
"""Its name in Django's DATABASES; there is none where the setting is empty."""
_TRY_AGAIN_SECONDS = 30.0
_STATE = """
SELECT pg_is_in_recovery() AND NOT EXISTS (SELECT FROM pg_stat_wal_receiver),
       CASE WHEN pg_last_wal_receive_lsn() IS DISTINCT FROM pg_last_wal_replay_lsn()
            THEN extract(epoch FROM now() - pg_last_xact_replay_timestamp())::float END
"""
Found = TypeVar("Found")
_reading: ContextVar[bool] = ContextVar("reading_from_the_replica", default=False)
_outage = Outage(_TRY_AGAIN_SECONDS)


class FigureSource(StrEnum):
    """The source of figures. FALLBACK: the primary, because the replica cannot be used."""

    PRIMARY = "primary"
    REPLICA = "replica"
    FALLBACK = "fallback"


@dataclass(frozen=True, slots=True)
class ReplicaRead(Generic[Found]):
    """A result, its source, and how many seconds the source is behind."""

    value: Found
    source: FigureSource
    seconds_behind: float = 0.0


class NoLongerFed(Exception):
    """Raised if the replica no longer receives changes from the primary."""


class Router:
    """Routes the reads of `read` to the replica, and nothing else."""

    def db_for_read(self, model: type[Model], **hints: Any) -> str | None:
        """Return the replica within `read`, else leave the choice to Django."""
        return REPLICA if _reading.get() else None

    def db_for_write(self, model: type[Model], **hints: Any) -> str:
        """Return the primary, even for an object read from the replica."""
        return "default"

    def allow_relation(self, obj1: Model, obj2: Model, **hints: Any) -> bool:
        """Allow every relation: both databases hold the same rows."""
        return True

    def allow_migrate(self, database: str, app_label: str, **hints: Any) -> bool:
        """Allow migrations of the primary only; the replica follows by itself."""
        return database != REPLICA


def read(work: Callable[[], Found]) -> ReplicaRead[Found]:
    """Run reading work on the replica if one can be used."""
    if REPLICA not in connections.databases:
        return ReplicaRead(work(), FigureSource.PRIMARY)
    if not _outage.is_known():
        try:
            return _from_replica(work)
        except (Error, NoLongerFed) as error:
            if isinstance(error.__cause__, QueryCanceled):
                raise  # too slow a question, which the primary must not be asked too
            _outage.note()
            log.warning("replica_not_used", reason=type(error).__name__, text=str(error)[:200])
    return ReplicaRead(work(), FigureSource.FALLBACK)


def _from_replica(work: Callable[[], Found]) -> ReplicaRead[Found]:
    with connections[REPLICA].cursor() as cursor:
        cursor.execute(_STATE)
        cut_off, behind = cursor.fetchone()
    if cut_off:
        raise NoLongerFed
    with _routed():
        value = work()
    _outage.end()
    return ReplicaRead(value, FigureSource.REPLICA, behind or 0.0)


@contextmanager
def _routed() -> Iterator[None]:
    token = _reading.set(True)
    try:
        yield
    finally:
        _reading.reset(token)
