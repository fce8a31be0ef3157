"""gunicorn's worker class: its processes and signals, with waitress reading the requests.

A thread is given a request only once all of it has arrived, so that clients that send slowly or
stop in the middle hold none. `/healthz` has a thread of its own: it answers while all others wait
for a database that hangs.
"""

import os
import time
from collections.abc import Iterator
from threading import Lock
from typing import Any

from django.conf import settings
from gunicorn.workers.base import Worker
from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.server import BaseWSGIServer, create_server
from waitress.task import ThreadedTaskDispatcher

from watchdog_site.health import HEALTH_PATH

_LOOP_SECONDS = 1.0
_FORM_OVERHEAD_BYTES = 1_000_000


class LastComeFirstServed:
    """A condition that wakes whoever began to wait last.

    So the fewest threads do the work, and with them the fewest connections to the database: a new
    one costs the server more than a check does. `threading.Condition` wakes all in turn.
    """

    def __init__(self, lock: Lock) -> None:
        self._lock = lock
        self._waiting: list[Lock] = []

    def wait(self) -> None:
        """Release the lock, wait to be woken, and take the lock again."""
        alarm = Lock()
        alarm.acquire()
        self._waiting.append(alarm)
        self._lock.release()
        try:
            alarm.acquire()
        finally:
            self._lock.acquire()

    def notify(self) -> None:
        """Wake one; call it with the lock."""
        if self._waiting:
            self._waiting.pop().release()

    def notify_all(self) -> None:
        """Wake all; call it with the lock."""
        while self._waiting:
            self.notify()


class HealthFirstDispatcher:
    """Hands requests to threads: those for `HEALTH_PATH` never queue behind others."""

    def __init__(self, threads: int) -> None:
        self._general, self._health = ThreadedTaskDispatcher(), ThreadedTaskDispatcher()
        self._general.queue_cv = LastComeFirstServed(self._general.lock)
        self._general.set_thread_count(threads)
        self._health.set_thread_count(1)

    def add_task(self, channel: HTTPChannel) -> None:
        """Queue the channel's next request."""
        # What could not be read has no path; its refusal is a task like any other.
        is_health = channel.requests and getattr(channel.requests[0], "path", "") == HEALTH_PATH
        (self._health if is_health else self._general).add_task(channel)

    def shutdown(self) -> None:
        """End all threads; what they still wait for is cut off."""
        self._health.shutdown(timeout=1)
        self._general.shutdown(timeout=1)


class StrictParser(HTTPRequestParser):  # type: ignore[misc]
    """Refuses a request whose length is given twice: two readers could differ on where it ends."""

    def parse_header(self, header_plus: bytes) -> None:
        """Parse the headers. Raises ParsingError, which becomes a 400 and ends the connection."""
        super().parse_header(header_plus)
        if self.chunked and "CONTENT_LENGTH" in self.headers:
            raise ParsingError("Content-Length beside Transfer-Encoding")


class StrictChannel(HTTPChannel):  # type: ignore[misc]
    """A connection whose requests are read strictly."""

    parser_class = StrictParser


class BufferingWorker(Worker):  # type: ignore[misc]
    """Serves gunicorn's sockets with one waitress server a process."""

    def run(self) -> None:
        """Serve until gunicorn says stop, then finish what was begun."""
        sockets: dict[int, Any] = {}
        dispatcher = HealthFirstDispatcher(self.cfg.threads)
        BaseWSGIServer.channel_class = StrictChannel
        create_server(
            self.wsgi,
            map=sockets,
            _dispatcher=dispatcher,
            sockets=[listener.sock for listener in self.sockets],
            backlog=self.cfg.backlog,
            connection_limit=self.cfg.worker_connections,
            channel_timeout=self.cfg.keepalive,
            cleanup_interval=5,
            asyncore_use_poll=True,
            max_request_header_size=32_768,
            max_request_body_size=max(
                settings.MAX_BATCH_BODY_BYTES, settings.MAX_DOCUMENT_BYTES + _FORM_OVERHEAD_BYTES
            ),
            clear_untrusted_proxy_headers=False,  # Django trusts them only where set up to
            ident=None,
        )
        while self.alive and self.ppid == os.getppid():
            self.notify()
            wasyncore.loop(timeout=_LOOP_SECONDS, use_poll=True, map=sockets, count=1)
        # Accept no more, and wait until every request has its answer, or the grace is over.
        for server in [s for s in sockets.values() if isinstance(s, BaseWSGIServer)]:
            server.accepting = False
        deadline = time.monotonic() + self.cfg.graceful_timeout
        while any(_busy(sockets)) and time.monotonic() < deadline:
            self.notify()
            wasyncore.loop(timeout=0.1, use_poll=True, map=sockets, count=1)
        dispatcher.shutdown()


def _busy(sockets: dict[int, Any]) -> Iterator[bool]:
    for channel in list(sockets.values()):
        if isinstance(channel, HTTPChannel):
            yield bool(channel.requests) or channel.total_outbufs_len > 0
