"""Servers of tests on real sockets of this machine, and waiting for what other processes do."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


class Quiet(BaseHTTPRequestHandler):
    """A handler that logs nothing."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def listening(handler: type[BaseHTTPRequestHandler], host: str = "127.0.0.1") -> Iterator[int]:
    """Serve with the handler on a free port until the block ends; yield the port."""
    server = ThreadingHTTPServer((host, 0), handler)
    thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join(30)


def wait_until(
    holds: Callable[[], T],
    otherwise: Callable[[], object] = lambda: "waited in vain",
    *,
    seconds: float = 60,
    pause: float = 0.05,
    despite: tuple[type[Exception], ...] = (),
) -> T:
    """Return what `holds` returns as soon as that is true, whatever of `despite` it raises before.

    Raises TimeoutError with what `otherwise` returns, such as a log, when the time is up.
    """
    until = time.monotonic() + seconds
    while True:
        problem: Exception | None = None
        try:
            if result := holds():
                return result
        except despite as error:
            problem = error
        if time.monotonic() > until:
            raise TimeoutError(otherwise()) from problem
        time.sleep(pause)
