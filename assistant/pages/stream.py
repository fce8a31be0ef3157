"""Progress of a conversation's questions as server-sent events.

A stream only observes: a worker answers, so a question is answered and stored whether or not its
reader stays. Streams are few (`CHECK_STREAMS` per web process, each holds a thread) and short
(`STREAM_SECONDS`; the browser reconnects). Only the names of steps and of sources that
have arrived are sent, never a word of an answer: it is fetched once checked.
"""

from collections.abc import Iterator
from time import monotonic, sleep
from uuid import UUID

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext
from django.views.decorators.http import require_GET

from assistant.models import Step
from assistant.pages.access import conversation_for, manager_for
from assistant.selectors import Progress, pending, progress
from lib.workqueue.streaming import HEARTBEAT, HEARTBEAT_SECONDS, Places, event

_LOOK_EVERY_SECONDS = 0.3
_PLACES = Places(settings.CHECK_STREAMS)


@login_required
@require_GET
def events(request: HttpRequest, manager_id: UUID, conversation_id: UUID) -> HttpResponseBase:
    """Stream the steps of waiting questions; 503 if there are too many streams."""
    conversation = conversation_for(manager_for(request.user, manager_id), conversation_id)
    stream = _PLACES.stream(event_stream(conversation.pk, settings.STREAM_SECONDS))
    if stream is None:
        return HttpResponse(gettext("Try again later."), status=503, headers={"Retry-After": "3"})
    return stream


def event_stream(conversation_id: UUID, seconds: float) -> Iterator[str]:
    """Yield `step`, `arrived` and `done` events for each waiting question, then `end`.

    Stops after `seconds` without `end`.
    """
    yield "retry: 2000\n\n"
    turn_ids, last = pending(conversation_id), dict[UUID, Progress]()
    deadline, beat = monotonic() + seconds, monotonic()
    while turn_ids and monotonic() < deadline:
        for turn_id, now in progress(turn_ids).items():
            before = last.get(turn_id)
            last[turn_id] = now
            if now.ended:
                turn_ids.remove(turn_id)
                yield _event("done", turn_id)
                continue
            if before is None or before.step != now.step:
                yield _event("step", turn_id, now.step)
                beat = monotonic()
            if now.arrived - (before.arrived if before else frozenset()):
                yield _event("arrived", turn_id)
                beat = monotonic()
        if monotonic() - beat > HEARTBEAT_SECONDS:
            beat = monotonic()
            yield HEARTBEAT
        if turn_ids:
            sleep(_LOOK_EVERY_SECONDS)
    if not turn_ids:
        yield event("end", {})


def _event(name: str, turn_id: UUID, step: str = "") -> str:
    data = {"turn": str(turn_id)}
    if step:
        data |= {"step": step, "label": str(Step(step).label)}
    return event(name, data)
