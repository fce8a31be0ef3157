"""Gathers from all sources in parallel, within a deadline.

Each source runs in its own thread with its own database connection. One that fails or is late is
marked so, and the others are used.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from time import monotonic, perf_counter

import structlog
from django.conf import settings
from django.db import connections
from django.utils import timezone

from assistant.evidence import (
    EvidenceBundle,
    EvidenceKind,
    Item,
    ResolvedQuestion,
    SourceReport,
    SourceResult,
    SourceStatus,
    numbered,
)
from assistant.gathering.documents import find_passages
from assistant.models import Step, Turn
from assistant.weather import gather
from documents.injection import scan
from inference.errors import ModelError
from memory.models import Manager
from memory.selectors import RecalledMemory, recall

log = structlog.get_logger(__name__)

OnStep = Callable[[Step], None]
OnArrival = Callable[[EvidenceKind, SourceResult], None]
Task = Callable[[], SourceResult]

_MOST = 4
"""Memories that are asked for."""
_WHERE = "Where is the construction site? The city or town where the site is located."
_SITED = re.compile(
    r"\b(?:site|project|located|location|based|job|yard)\b.*?\b(?:in|at|near|is|:)\s+"
    r"(?:the\s+)?(?:(?:city|town)\s+of\s+)?([A-Z][\w'’.-]+(?:[ ,]+[A-Z][\w'’.-]+){0,4})"
)


@dataclass(frozen=True, slots=True)
class TimedResult:
    """A source's result, and the milliseconds it took."""

    result: SourceResult
    ms: float


def gather_evidence(
    turn: Turn,
    manager: Manager,
    questions: Sequence[ResolvedQuestion],
    on_step: OnStep,
    on_arrival: OnArrival = lambda *_: None,
) -> EvidenceBundle:
    """Gather the evidence for the questions of a message. Never raises for a source's failure.

    `on_arrival` is called in this thread with each source's result as soon as it arrives.
    """
    now, texts = timezone.now(), [item.text for item in questions]
    whole = " ".join(texts)
    bundle = collect(
        {
            EvidenceKind.DOCUMENT: lambda: find_passages(
                turn.application_id, turn.collections, turn.documents, *texts
            ),
            EvidenceKind.WEATHER: lambda: gather(
                whole, lambda: remembered_location(manager), now=now
            ),
        },
        {EvidenceKind.MEMORY: lambda: find_memories(manager, whole)},
        on_step,
        on_arrival,
        seconds=settings.ASSISTANT_SOURCE_SECONDS,
    )
    return replace(bundle, questions=tuple(questions))


def collect(
    apart: Mapping[EvidenceKind, Task],
    here: Mapping[EvidenceKind, Task],
    on_step: OnStep,
    on_arrival: OnArrival = lambda *_: None,
    *,
    seconds: float,
) -> EvidenceBundle:
    """Run the sources `apart` in threads and those `here` in this one, all within `seconds`."""
    began, deadline = perf_counter(), monotonic() + seconds
    on_step(Step.RETRIEVING)
    pool = ThreadPoolExecutor(max_workers=len(apart), thread_name_prefix="evidence")
    try:
        running = {kind: pool.submit(_run_timed, kind, task, began) for kind, task in apart.items()}
        on_step(Step.MEMORY)
        timed = {kind: _timed(kind, task, began) for kind, task in here.items()}
        if EvidenceKind.WEATHER in running and not running[EvidenceKind.WEATHER].done():
            on_step(Step.WEATHER)
        for kind, item in timed.items():
            on_arrival(kind, item.result)
        for kind, item in _arrivals(running, deadline, began):
            timed[kind] = item
            on_arrival(kind, item.result)
    finally:
        # A late source runs until its own time-out; nobody waits for it.
        pool.shutdown(wait=False, cancel_futures=True)
    return _bundle(timed, (perf_counter() - began) * 1000)


def _run_timed(kind: EvidenceKind, task: Task, began: float) -> TimedResult:
    try:
        return _timed(kind, task, began)
    finally:
        connections.close_all()


def _timed(kind: EvidenceKind, task: Task, began: float) -> TimedResult:
    try:
        result = task()
    except ModelError as error:
        log.warning("source_unavailable", source=kind.value, reason=error.problem)
        result = SourceResult((), SourceStatus.UNAVAILABLE, f"A model is missing: {error.problem}")
    except Exception as error:
        # Whatever the error is, the other sources are used; the bundle and the answer name it.
        log.error("source_failed", source=kind.value, exc_info=error)
        result = SourceResult((), SourceStatus.UNAVAILABLE, f"It failed ({type(error).__name__}).")
    return TimedResult(result, (perf_counter() - began) * 1000)


def _arrivals(
    running: "Mapping[EvidenceKind, Future[TimedResult]]", deadline: float, began: float
) -> Iterator[tuple[EvidenceKind, TimedResult]]:
    """Yield the results in the order in which sources finish; late ones last."""
    pending = {future: kind for kind, future in running.items()}
    while pending:
        in_time = max(0.0, deadline - monotonic())
        done, _ = wait(pending, timeout=in_time, return_when=FIRST_COMPLETED)
        if not done:
            break
        for future in done:
            yield pending.pop(future), future.result()
    late = SourceResult((), SourceStatus.TIMED_OUT, "It did not answer in time.")
    for kind in pending.values():
        log.warning("source_late", source=kind.value)
        yield kind, TimedResult(late, (perf_counter() - began) * 1000)


def _bundle(timed: Mapping[EvidenceKind, TimedResult], ms: float) -> EvidenceBundle:
    in_order = {kind: timed[kind] for kind in EvidenceKind if kind in timed}
    items = numbered(item for each in in_order.values() for item in each.result.items)
    reports = tuple(_report(kind, each) for kind, each in in_order.items())
    return EvidenceBundle(items, reports, round(ms, 1))


def _report(kind: EvidenceKind, timed: TimedResult) -> SourceReport:
    result, ms = timed.result, round(timed.ms, 1)
    return SourceReport(kind, result.status, result.reason, ms, len(result.items), result.details)


def remembered_location(manager: Manager) -> str | None:
    """Return the site's place as the manager stated it, or None. One query."""
    for memory in recall(manager, _WHERE, limit=_MOST):
        if place := place_in(memory.text):
            return place
    return None


def place_in(text: str) -> str | None:
    """Return the place where a fact locates the site: "Our site is in Rotterdam.", or None."""
    match = _SITED.search(text)
    return match[1].rstrip(".") if match else None


def find_memories(manager: Manager, question: str) -> SourceResult:
    """Return relevant memories; one query. Raises inference.errors.ModelError."""
    items = tuple(map(_memory_item, recall(manager, question, limit=_MOST)))
    if not items:
        return SourceResult((), SourceStatus.NOTHING, "Nothing that is remembered bears on this.")
    return SourceResult(items, SourceStatus.OK)


def _memory_item(recalled_memory: RecalledMemory) -> Item:
    return Item(
        number=0,
        kind=EvidenceKind.MEMORY,
        text=recalled_memory.text,
        title=f"memory: {recalled_memory.came_from}",
        place={
            "entry_id": str(recalled_memory.entry_id),
            "target": recalled_memory.target,
            "stated_at": recalled_memory.stated_at.isoformat(),
            "origin": recalled_memory.came_from,
            "score": recalled_memory.score,
        },
        injection=scan(recalled_memory.text).payload(),
    )
