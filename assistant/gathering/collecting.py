"""All sources at once, within a deadline: the bag is complete when the slowest has answered.

Each source works in a thread of its own with its own connection to the database. One that fails or
is late is marked so, and the others serve.
"""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from time import monotonic, perf_counter

import structlog
from django.conf import settings
from django.db import connections
from django.utils import timezone

from assistant.evidence import Bag, Kind, SourceReport, SourceStatus, numbered
from assistant.gathering.documents import Found, find_passages
from assistant.gathering.forecasts import find_weather
from assistant.gathering.memories import find_memories, remembered_location
from assistant.models import Step, Turn
from inference.errors import ModelError
from memory.models import Manager

log = structlog.get_logger(__name__)

OnStep = Callable[[Step], None]
OnArrival = Callable[[Kind, Found], None]
Task = Callable[[], Found]


@dataclass(frozen=True, slots=True)
class Timed:
    """What a source brought, and after how many milliseconds."""

    found: Found
    ms: float


def gather_bag(
    turn: Turn, manager: Manager, on_step: OnStep, on_arrival: OnArrival = lambda *_: None
) -> Bag:
    """The evidence for a question. Never raises for what a source does.

    `on_arrival` is called here with what each source brought, as soon as it has.
    """
    now = timezone.now()
    return collect(
        {
            Kind.DOCUMENT: lambda: find_passages(
                turn.application_id, turn.collections, turn.question
            ),
            Kind.WEATHER: lambda: find_weather(
                turn.question, lambda: remembered_location(manager), now
            ),
        },
        {Kind.MEMORY: lambda: find_memories(manager, turn.question)},
        on_step,
        on_arrival,
        seconds=settings.ASSISTANT_SOURCE_SECONDS,
    )


def collect(
    apart: Mapping[Kind, Task],
    here: Mapping[Kind, Task],
    on_step: OnStep,
    on_arrival: OnArrival = lambda *_: None,
    *,
    seconds: float,
) -> Bag:
    """Run the sources `apart` in threads and those `here` beside them, all within `seconds`."""
    began, deadline = perf_counter(), monotonic() + seconds
    on_step(Step.RETRIEVING)
    pool = ThreadPoolExecutor(max_workers=len(apart), thread_name_prefix="evidence")
    try:
        running = {kind: pool.submit(_apart, kind, task, began) for kind, task in apart.items()}
        on_step(Step.MEMORY)
        timed = {kind: _timed(kind, task, began) for kind, task in here.items()}
        if Kind.WEATHER in running and not running[Kind.WEATHER].done():
            on_step(Step.WEATHER)
        for kind, one in timed.items():
            on_arrival(kind, one.found)
        for kind, one in _arrivals(running, deadline, began):
            timed[kind] = one
            on_arrival(kind, one.found)
    finally:
        # One that is late goes on to its own time-outs; nobody waits for it.
        pool.shutdown(wait=False, cancel_futures=True)
    return _bag(timed, (perf_counter() - began) * 1000)


def _apart(kind: Kind, task: Task, began: float) -> Timed:
    try:
        return _timed(kind, task, began)
    finally:
        connections.close_all()


def _timed(kind: Kind, task: Task, began: float) -> Timed:
    try:
        found = task()
    except ModelError as error:
        log.warning("source_unavailable", source=kind.value, reason=error.problem)
        found = Found((), SourceStatus.UNAVAILABLE, f"A model is missing: {error.problem}")
    except Exception as error:
        # Whatever it is, the other sources still serve; the bag and the answer say so.
        log.error("source_failed", source=kind.value, exc_info=error)
        found = Found((), SourceStatus.UNAVAILABLE, f"It failed ({type(error).__name__}).")
    return Timed(found, (perf_counter() - began) * 1000)


def _arrivals(
    running: "Mapping[Kind, Future[Timed]]", deadline: float, began: float
) -> Iterator[tuple[Kind, Timed]]:
    """What each source brought, in the order in which they finish; last those that are late."""
    left = {future: kind for kind, future in running.items()}
    while left:
        in_time = max(0.0, deadline - monotonic())
        done, _ = wait(left, timeout=in_time, return_when=FIRST_COMPLETED)
        if not done:
            break
        for future in done:
            yield left.pop(future), future.result()
    for kind in left.values():
        log.warning("source_late", source=kind.value)
        ms = (perf_counter() - began) * 1000
        yield kind, Timed(Found((), SourceStatus.TIMED_OUT, "It did not answer in time."), ms)


def _bag(timed: Mapping[Kind, Timed], ms: float) -> Bag:
    reports = tuple(_report(kind, timed[kind]) for kind in Kind if kind in timed)
    items = numbered(item for kind in Kind if kind in timed for item in timed[kind].found.items)
    return Bag(items, reports, round(ms, 1))


def _report(kind: Kind, timed: Timed) -> SourceReport:
    found = timed.found
    return SourceReport(
        kind, found.status, found.reason, round(timed.ms, 1), len(found.items), found.details or {}
    )
