"""Keys of rows in a list of Redis, which one Celery task works off one after another.

A Celery message costs more processor time than a short check. So a message only says that keys
wait, and none is sent where a worker waits at the list already or another message is on its way.
As with messages, nothing is lost with the list: the sweep puts every overdue key into it again.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Any

import structlog
from celery import current_app
from django.conf import settings
from kombu.exceptions import OperationalError
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from lib.lazy import Lazy
from lib.telemetry import tracing
from lib.workqueue.broker import Route, redis_outage
from lib.workqueue.redis_address import connection_pool

log = structlog.get_logger(__name__)
TASK_SECONDS = 0.5
"""Seconds after which a task takes no further key, so that the worker serves other queues too."""
IDLE_SECONDS = 0.1
"""The time that a task waits for a further key: clients often send the next answer at once."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A key, with the request and the trace of whoever sent it."""

    key: str
    headers: dict[str, str]

    @contextmanager
    def in_context(self) -> Iterator[None]:
        """Bind log lines to the request, and spans to its trace."""
        # The message that brought the worker here may be of another request.
        structlog.contextvars.unbind_contextvars("request_id", "user_id", "ip")
        request_id = self.headers.get("request_id")
        context = {"request_id": request_id} if request_id else {}
        with structlog.contextvars.bound_contextvars(**context), tracing.continued(self.headers):
            yield


@dataclass(frozen=True)
class Inbox:
    """One list for each route; keys of the first route are taken first. `task` takes them."""

    task: str
    routes: tuple[Route, ...]

    def put(self, keys: Iterable[Any], route: Route) -> int:
        """Add keys and see that a worker comes.

        Return their number, 0 when Redis does not answer.
        """
        entries = [json.dumps([str(key), _headers()]) for key in keys]
        if not entries:
            return 0
        try:
            if redis_outage.is_known():
                raise OperationalError("Redis did not answer lately")
            self._call_worker(route, *entries)
        except (OperationalError, RedisError, OSError) as error:
            redis_outage.note()
            log.warning("not_enqueued", task=self.task, reason=type(error).__name__, sent=0)
            return 0
        redis_outage.end()
        return len(entries)

    def waiting(self, route: Route) -> int:
        """Return the number of keys not taken yet; 0 when Redis does not answer."""
        try:
            return int(_client().llen(_name(route)))
        except RedisError as error:
            log.warning("messages_not_counted", reason=type(error).__name__)
            return 0

    def call_workers(self) -> None:
        """Send a message for each route on which keys wait and no message does."""
        for route in self.routes:
            try:
                self._call_worker(route)
            except (OperationalError, RedisError, OSError) as error:
                log.warning("not_enqueued", task=self.task, reason=type(error).__name__, sent=0)

    def entries(self) -> Iterator[Entry]:
        """Yield keys one after the other until none has come for a while or the time is over.

        After the first, further workers are called for what is left.
        """
        ends = monotonic() + TASK_SECONDS
        called = False
        while (left := ends - monotonic()) > 0:
            entry = self._take(min(left, IDLE_SECONDS))
            if entry is None:
                return
            if not called:
                self.call_workers()
                called = True
            yield entry

    def _take(self, seconds: float) -> Entry | None:
        names = [_name(route) for route in self.routes]
        try:
            # Redis reads 0 as "for ever".
            reply = _client().brpop(names, timeout=max(seconds, 0.01))
        except RedisError as error:
            log.warning("inbox_not_read", reason=type(error).__name__)
            return None
        return None if reply is None else Entry(*json.loads(reply[1]))

    def _call_worker(self, route: Route, *entries: str) -> None:
        """Add entries; send a message if keys wait then and no message does."""
        with _client().pipeline(transaction=False) as pipe:
            if entries:
                # A worker that waits at the list is served before its length is read.
                pipe.lpush(_name(route), *entries)
            pipe.llen(_name(route))
            pipe.llen(route.list_name)
            *_, left, messages = pipe.execute()
        if left and not messages:
            current_app.send_task(self.task, queue=route.queue, priority=route.priority)


@Lazy
def _client() -> Redis:
    """Return a client that retries nothing: a request must not wait for a Redis that is away."""
    pool = connection_pool(
        settings.REDIS_URL, timeout=settings.REDIS_TIMEOUT_SECONDS, retry=Retry(NoBackoff(), 0)
    )
    return Redis.from_pool(pool)


def _headers() -> dict[str, str]:
    request_id = structlog.contextvars.get_contextvars().get("request_id")
    return tracing.carrier() | ({"request_id": str(request_id)} if request_id else {})


def _name(route: Route) -> str:
    return f"inbox:{route.queue}"
