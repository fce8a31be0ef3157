"""`GET /api/v1/checks/{id}` as server-sent events: the progress of one check.

    status  each state that the check is seen in
    claim   each claim with its verdict, once they are decided
    result  the check, as JSON gives it; the last event

Events have ids that rise, so that a reader that was cut off names the last one and gets the rest.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from time import monotonic, sleep
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.utils import OpenApiParameter
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from accounts.problems import ProblemError
from analysis.models import ENDED
from lib.workqueue.broker import pause_until_end
from lib.workqueue.streaming import CONTENT_TYPE, HEARTBEAT, HEARTBEAT_SECONDS, Places, event

LAST_EVENT_ID = OpenApiParameter(
    "Last-Event-ID",
    str,
    OpenApiParameter.HEADER,
    description="With `Accept: text/event-stream`: the `id` of the last event received. The stream "
    "continues after it; 204 if there are no more events.",
)
_LOOK_EVERY_SECONDS = 0.25
_PLACES = Places(settings.CHECK_STREAMS)
_ORDER = {"queued": 1, "running": 2, "done": 3, "failed": 3}
_LAST = 1_000_000_000
"""The id of the result, whatever the number of claims."""

Document = dict[str, Any]


class EventStreamRenderer(JSONRenderer):
    """Accepts `Accept: text/event-stream`; errors are JSON as usual.

    In ASCII: some readers take U+0085 and the like for the end of a line.
    """

    media_type = CONTENT_TYPE
    format = "json"
    ensure_ascii = True


@dataclass(frozen=True, slots=True)
class Numbered:
    """An event and its number among all of the check."""

    place: int
    name: str
    data: str


def stream(
    request: Request,
    check_id: UUID,
    state_of: Callable[[], str],
    document_of: Callable[[], Document],
) -> HttpResponseBase:
    """Return the events after `Last-Event-ID`. Raises ProblemError if too many streams are open."""
    last_id = request.headers.get("Last-Event-ID", "")
    is_ours = last_id.isascii() and last_id.isdigit() and len(last_id) <= len(str(_LAST))
    after = int(last_id) if is_ours else 0
    if after >= _LAST:
        return HttpResponse(status=204)
    response = _PLACES.stream(
        event_stream(
            state_of,
            document_of,
            after,
            settings.STREAM_SECONDS,
            partial(pause_until_end, check_id),
        )
    )
    if response is None:
        detail = "Too many streams are open. Try again, or poll without `text/event-stream`."
        raise ProblemError(503, "too_many_streams", detail, wait=3)
    return response


def event_stream(
    state_of: Callable[[], str],
    document_of: Callable[[], Document],
    after: int,
    seconds: float,
    pause: Callable[[float], bool],
) -> Iterator[str]:
    """Yield the events until the check has ended or `seconds` are over.

    `pause` waits that long, or until the end is announced, and returns whether it was.
    """
    yield "retry: 1000\n\n"
    deadline, beat, last = monotonic() + seconds, monotonic(), ""
    while True:
        state = state_of()
        if state in ENDED:
            yield from _worded(_ending(document_of()), after)
            return
        if state != last:
            last, beat = state, monotonic()
            yield from _worded([_status(state)], after)
        if monotonic() >= deadline:
            return
        if monotonic() - beat > HEARTBEAT_SECONDS:
            beat = monotonic()
            yield HEARTBEAT
        if pause(_LOOK_EVERY_SECONDS):
            pause = _sleep  # an announcement stays: a check that is queued again would spin


def _sleep(seconds: float) -> bool:
    sleep(seconds)
    return False


def _ending(document: Document) -> Iterator[Numbered]:
    yield _status(document["state"])
    for number, claim in enumerate(document["claims"], start=_ORDER["done"] + 1):
        yield Numbered(number, "claim", _json(claim))
    yield Numbered(_LAST, "result", _json(document))


def _status(state: str) -> Numbered:
    return Numbered(_ORDER[state], "status", json.dumps({"state": state}))


def _worded(events: Iterator[Numbered] | list[Numbered], after: int) -> Iterator[str]:
    return (event(e.name, e.data, id=str(e.place)) for e in events if e.place > after)


def _json(value: Document) -> str:
    return str(EventStreamRenderer().render(value), "ascii")
