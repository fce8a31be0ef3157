"""Server-sent events of work that goes on: a stream only watches, and holds a thread meanwhile.

So streams are few (`Places`) and short (the events end by themselves); whoever is cut off comes
back.
"""

import json
from collections.abc import Iterator
from threading import BoundedSemaphore
from typing import Any

from django.http import StreamingHttpResponse

CONTENT_TYPE = "text/event-stream"
HEARTBEAT = ": still here\n\n"
"""Finds out who has left."""
HEARTBEAT_SECONDS = 10.0
_HEADERS = {"Cache-Control": "no-store, private", "X-Accel-Buffering": "no"}


def event(name: str, data: str | dict[str, Any], *, id: str = "") -> str:
    """Return one event; `data` is JSON without line breaks, or is made JSON."""
    text = data if isinstance(data, str) else json.dumps(data)
    return f"{f'id: {id}{chr(10)}' if id else ''}event: {name}\ndata: {text}\n\n"


class Places:
    """A limit on the streams that one process serves at a time."""

    def __init__(self, count: int) -> None:
        self._free = BoundedSemaphore(count)

    def stream(self, events: Iterator[str]) -> StreamingHttpResponse | None:
        """Return a response that streams these events; None where all places are taken."""
        if not self._free.acquire(blocking=False):
            return None
        stream = _Stream(events, self._free)
        return StreamingHttpResponse(stream, content_type=CONTENT_TYPE, headers=_HEADERS)


class _Stream:
    """The events of one reader. Django closes it when the reader is gone or has all of it."""

    def __init__(self, events: Iterator[str], free: BoundedSemaphore) -> None:
        self._events, self._free = events, free
        self._open = True

    def __iter__(self) -> Iterator[bytes]:
        return map(str.encode, self._events)

    def close(self) -> None:
        """Free the place for the next reader."""
        if self._open:
            self._open = False
            self._free.release()
