"""Finds a free port."""

import socket

from tools.launcher.errors import LauncherError

HOST = "127.0.0.1"
TRIED = 100


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        # Without this, the port of a server stopped a minute ago would count as taken.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
        return True


def any_free() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def next_free(first: int) -> int:
    """Return the port itself, or the first free one above it.

    Raises LauncherError if all are taken.
    """
    for port in range(first, min(first + TRIED, 65536)):
        if is_free(port):
            return port
    raise LauncherError(
        f"The ports {first} to {first + TRIED - 1} are all taken.",
        "Choose another one, for example: make run WEB_PORT=9000",
    )
