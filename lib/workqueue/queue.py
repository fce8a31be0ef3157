"""One kind of work as a queue: claim, heartbeat, finish, retry, sweep, give up.

    queued → running → a final state of the kind's own
      ↑        ↓
      └── the attempt failed or its lease ran out; after the last attempt → failed

Each move is one conditional UPDATE on the database's clock, so that of two who try, one wins.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Generic, TypeVar

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.expressions import Combinable
from django.db.models.functions import Now

from lib.workqueue import broker
from lib.workqueue.broker import Route
from lib.workqueue.inbox import Inbox
from lib.workqueue.models import FAILED, MAX_ERROR, QUEUED, RUNNING, LeasedModel

log = structlog.get_logger(__name__)
WORKER_LOST = "the worker ended before it was done"
_LONGEST_BACKOFF_SECONDS = 300
_MAINTENANCE = Route("maintenance")

_CLAIM = """
WITH claimed AS (
    UPDATE {table}
    SET state = 'running', epoch = epoch + 1, attempts = attempts + 1, due_at = NULL,
        lease_until = statement_timestamp() + %(lease)s
    WHERE id IN (
        SELECT id FROM {table}
        WHERE id = ANY(%(keys)s{cast})
          AND attempts < %(max_attempts)s
          AND (state = 'queued' OR (state = 'running' AND lease_until < statement_timestamp()))
          AND {commit}
        FOR UPDATE SKIP LOCKED
    )
    RETURNING *
)
{select}
"""
_WITHOUT_FLUSH = "set_config('synchronous_commit', 'off', true) = 'off'"
"""True, and the transaction's commit does not wait for the disk."""
_REQUEUE_OVERDUE = """
UPDATE {table}
SET state = 'queued', lease_until = NULL, due_at = statement_timestamp(),
    last_error = CASE state WHEN 'running' THEN %(worker_lost)s ELSE last_error END
WHERE id = ANY(ARRAY(
    SELECT id FROM {table}
    WHERE (%(by_message)s AND state = 'queued' AND due_at < statement_timestamp() - %(again)s)
       OR (state = 'running' AND lease_until < statement_timestamp())
    ORDER BY id
    LIMIT %(limit)s
    FOR UPDATE SKIP LOCKED
))
RETURNING {columns}
"""
"""Its ARRAY is made once; the rows of IN may be sought again for each row, beyond the limit."""

Row = TypeVar("Row", bound=LeasedModel)


class LeaseLost(Exception):
    """Raised where another worker has claimed the row since; the work of this one is dropped."""


@dataclass(frozen=True, slots=True)
class Swept:
    """The numbers of rows that one sweep has enqueued and given up."""

    enqueued: int
    given_up: int


def backoff(attempts: int) -> timedelta:
    """Return how long a row waits after so many attempts: doubling, at most five minutes."""
    seconds = settings.QUEUE_SWEEP_SECONDS * 2**attempts
    return timedelta(seconds=min(seconds, _LONGEST_BACKOFF_SECONDS))


@dataclass(frozen=True, kw_only=True)
class WorkQueue(Generic[Row]):
    """A table of work, the Celery task that takes a row's id, and its limits.

    `task` and `inbox` are empty where beat calls for what is due instead of messages; keys go into
    an `inbox` where there is one, and into a message each otherwise. `lease` and `max_attempts` are
    read again each time. `route_of` reads `route_columns` where not all rows take one `route`.
    `failure` are the kind's own columns of a row that is given up, and `on_give_up` is called with
    such rows in the same transaction. `select` reads what a worker gets from `claimed`.

    Without `durable_claims`, a claim does not wait until it is on the disk: after a crash of the
    database the row is as it was before, two workers may hold one epoch, and the first to finish
    the row has done so.
    """

    model: type[Row]
    lease: Callable[[], timedelta]
    max_attempts: Callable[[], int]
    task: str = ""
    inbox: Inbox | None = None
    route: Route = _MAINTENANCE
    route_of: Callable[[Row], Route] | None = None
    route_columns: tuple[str, ...] = ()
    select: str = "SELECT * FROM claimed"
    backoff: Callable[[int], timedelta] = backoff
    failure: Callable[[Row], dict[str, Any]] = lambda _row: {}
    on_give_up: Callable[[Sequence[Row]], None] = lambda _rows: None
    durable_claims: bool = True

    def enqueue(self, keys: Iterable[Any], route: Route | None = None) -> int:
        """Send a message for each row; return how many were sent."""
        if self.inbox is not None:
            return self.inbox.put(keys, route or self.route)
        return broker.enqueue(self.task, keys, route or self.route)

    def enqueue_on_commit(self, keys: Sequence[Any], route: Route | None = None) -> None:
        """Send a message for each row once the transaction has committed."""
        transaction.on_commit(lambda: self.enqueue(keys, route))

    def claim(self, key: Any) -> Row | None:
        """Claim a queued row, or one whose lease has run out; None when there is none to claim."""
        return next(iter(self.claim_all([key])), None)

    def claim_all(self, keys: Sequence[Any]) -> list[Row]:
        """Claim those of these rows that can be claimed."""
        cast = "" if isinstance(next(iter(keys), 0), int) else "::uuid[]"
        commit = "true" if self.durable_claims else _WITHOUT_FLUSH
        statement = _CLAIM.format(table=self._table, cast=cast, select=self.select, commit=commit)
        parameters = {
            "keys": list(keys),
            "lease": self.lease(),
            "max_attempts": self.max_attempts(),
        }
        return list(self.model._base_manager.raw(statement, parameters))

    @transaction.atomic
    def claim_due(self, *conditions: Q | Combinable, limit: int = 1, **filters: Any) -> list[Row]:
        """Claim the rows that have waited longest, without a message.

        Skip those that others claim.
        """
        free = Q(state=QUEUED, due_at__lte=Now()) | Q(state=RUNNING, lease_until__lt=Now())
        unexhausted = self.model._base_manager.filter(free, attempts__lt=self.max_attempts())
        due = unexhausted.filter(*conditions, **filters)
        first = due.order_by("due_at", "id").select_for_update(skip_locked=True)[:limit]
        return self.claim_all([row.pk for row in first.only("pk")])

    def leased(self, row: Row) -> QuerySet[Row]:
        """Return a query for the row that finds it only while this claim of it holds."""
        return self.model._base_manager.filter(pk=row.pk, epoch=row.epoch, state=RUNNING)

    def progress(self, row: Row, *, durable: bool = True, **changes: Any) -> None:
        """Record how far the work is. Raises LeaseLost.

        If not `durable`, it does not wait for the disk, so a crash of the database may lose it.
        """
        leased = self.leased(row)
        if not durable:
            leased = leased.extra(where=[_WITHOUT_FLUSH])  # noqa: S610 - a constant
        if not leased.update(**changes):
            raise LeaseLost

    def heartbeat(self, row: Row, **changes: Any) -> None:
        """Renew the lease. Raises LeaseLost."""
        self.progress(row, lease_until=Now() + self.lease(), **changes)

    def finish(self, row: Row, state: str, **changes: Any) -> None:
        """Move the row to a final state. Raises LeaseLost."""
        self.progress(row, state=state, lease_until=None, **changes)

    def release(self, row: Row, **changes: Any) -> None:
        """Queue the row for more of the same work and enqueue it. Raises LeaseLost."""
        self.finish(row, QUEUED, due_at=Now(), **changes)
        self.enqueue([row.pk])

    def retry(self, row: Row, *, error: str, **changes: Any) -> None:
        """Queue the row again after a failed attempt, or give it up after the last one."""
        queued_fields = {
            "state": QUEUED,
            "lease_until": None,
            "due_at": Now() + self.backoff(row.attempts),
            "last_error": error[:MAX_ERROR],
        }
        with transaction.atomic():
            if not self.leased(row).update(**queued_fields, **changes):
                log.warning("lease_lost", work=self._table, key=str(row.pk), error=error)
                return
            if row.attempts >= self.max_attempts():
                self.give_up([row.pk])
        log.warning("attempt_failed", work=self._table, key=str(row.pk), error=error)

    def sweep(self, *, limit: int = 500) -> Swept:
        """Enqueue overdue rows again, and give up those that have used up their attempts."""
        columns = ("id", "attempts", *self.route_columns)
        statement = _REQUEUE_OVERDUE.format(table=self._table, columns=", ".join(columns))
        again = timedelta(seconds=settings.QUEUE_OVERDUE_SECONDS)
        parameters = {
            "by_message": self._by_message,
            "again": again,
            "limit": limit,
            "worker_lost": WORKER_LOST,
        }
        overdue = list(self.model._base_manager.raw(statement, parameters))
        most = self.max_attempts()
        given_up = self.give_up([row.pk for row in overdue if row.attempts >= most])
        retryable = [row for row in overdue if row.attempts < most]
        enqueued = self._enqueue_missing(retryable)
        if self.inbox is not None:
            self.inbox.call_workers()
        return Swept(enqueued=enqueued, given_up=given_up)

    @transaction.atomic
    def give_up(self, keys: Sequence[Any]) -> int:
        """Mark as failed those of these queued rows that have no attempt left.

        Return their number.
        """
        exhausted = self.model._base_manager.filter(
            Q(state=QUEUED, attempts__gte=self.max_attempts()), pk__in=keys
        )
        rows = list(exhausted.select_for_update())
        for row in rows:
            changes = {"state": FAILED, "lease_until": None, "due_at": None, **self.failure(row)}
            self.model._base_manager.filter(pk=row.pk).update(**changes)
            log.error("given_up", work=self._table, key=str(row.pk), attempts=row.attempts)
        if rows:
            self.on_give_up(rows)
        return len(rows)

    def _enqueue_missing(self, rows: Sequence[Row]) -> int:
        """Enqueue rows, except on a route where as many messages wait already; return how many."""
        if not self._by_message:
            return 0
        groups: dict[Route, list[Any]] = defaultdict(list)
        for row in rows:
            groups[self.route_of(row) if self.route_of else self.route].append(row.pk)
        pending = broker.pending if self.inbox is None else self.inbox.waiting
        return sum(
            self.enqueue(keys, route)
            for route, keys in groups.items()
            if pending(route) < len(keys)
        )

    @property
    def _by_message(self) -> bool:
        return bool(self.task) or self.inbox is not None

    @property
    def _table(self) -> str:
        return self.model._meta.db_table
