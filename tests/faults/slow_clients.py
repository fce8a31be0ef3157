"""Clients that stop in the middle of a request, send it slowly, or read its answer slowly."""

import socket
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import Any
from urllib.parse import urlsplit

HOLD_SECONDS = 1.5
_HALVES = 50
_SLOW = 40
_HALF = b"POST /api/v1/checks HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{"
_WHOLE = b"GET /api/v1/schema HTTP/1.1\r\nHost: localhost\r\n\r\n"
"""Its answer is longer than what the system keeps for a client that does not read."""


def faults(url: str) -> dict[str, Callable[[], None]]:
    """Return each kind by its name, against the web at `url`."""
    return {"half-sent requests": lambda: _half_sent(url), "slow clients": lambda: _slow(url)}


def _half_sent(url: str) -> None:
    with ExitStack() as clients:
        for _ in range(_HALVES):
            clients.enter_context(_connect(url)).sendall(_HALF)
        time.sleep(HOLD_SECONDS)


def _slow(url: str) -> None:
    """Send a byte at a time from half of them; the others send all and take a byte at a time."""
    with ExitStack() as clients:
        connections = [clients.enter_context(_connect(url)) for _ in range(_SLOW)]
        senders, readers = connections[: _SLOW // 2], connections[_SLOW // 2 :]
        for reader in readers:
            reader.sendall(_WHOLE)
        until = time.monotonic() + HOLD_SECONDS
        for at in range(len(_HALF)):
            if time.monotonic() > until:
                return
            for sender in senders:
                _try(sender.sendall, _HALF[at : at + 1])
            for reader in readers:
                _try(reader.recv, 1)
            time.sleep(0.05)


def _try(act: Callable[[Any], object], value: object) -> None:
    """Call `act`; the server may have closed the connection of a client that is this slow."""
    with suppress(OSError):
        act(value)


def _connect(url: str) -> socket.socket:
    """Return a connection whose own buffers are as small as they may be."""
    address = urlsplit(url)
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.settimeout(5)
    client.connect((address.hostname, address.port))
    client.settimeout(0.5)
    return client
