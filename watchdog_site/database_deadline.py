"""A client-side deadline for the database, for the web process.

`statement_timeout` is kept by the server, so it is worth nothing when the server hangs. psycopg2
calls back while it waits; this callback gives up, which closes the connection.
"""

import select
from functools import partial
from time import monotonic

import psycopg2
from psycopg2 import extensions

_EVENTS = {extensions.POLL_READ: select.POLLIN, extensions.POLL_WRITE: select.POLLOUT}


def install(*, connect_seconds: float, statement_seconds: float) -> None:
    """Bound every wait of this process for the database. COPY is not possible afterwards."""
    extensions.set_wait_callback(
        partial(_wait, connect_seconds=connect_seconds, statement_seconds=statement_seconds)
    )


def _wait(
    connection: extensions.connection, *, connect_seconds: float, statement_seconds: float
) -> None:
    connecting = connection.status == extensions.STATUS_SETUP
    seconds = connect_seconds if connecting else statement_seconds
    deadline = monotonic() + seconds
    while (state := connection.poll()) != extensions.POLL_OK:
        poller = select.poll()
        poller.register(connection.fileno(), _EVENTS[state])
        if not poller.poll(max(0.0, deadline - monotonic()) * 1_000):
            raise psycopg2.OperationalError(f"the database did not answer within {seconds:g} s")
