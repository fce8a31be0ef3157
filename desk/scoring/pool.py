"""Runs work in child processes, in order; one that dies or hangs costs only its own item.

Each child has one item at a time, so the parent knows the item at which a child died or hangs, and
starts another child. An item whose child died is retried once, since the system may have killed it
for memory; one that hung is not. `concurrent.futures` would give up all the rest instead.
"""

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from time import monotonic
from typing import Any, Generic, TypeVar

Item = TypeVar("Item")
AHEAD = 64
"""Items for each process that may be done before the one whose turn it is."""
START_SECONDS = 300.0
MOST_STARTS = 3
"""Children in a row that may die before they are ready, as where memory is short for a while."""
_READY, _DONE, _FAILED, _BROKEN = "ready", "done", "failed", "broken"


class PoolError(RuntimeError):
    """Raised if the children cannot work at all; the message says why."""


@dataclass(frozen=True, slots=True)
class Task:
    """The work of a child: prepare once, then process items. Everything in it can be pickled."""

    prepare: Callable[..., AbstractContextManager[Any]]
    arguments: tuple[Any, ...]
    work: Callable[[Any, Any], Any]
    """Called with what the prepared context gave, and with the item."""


@dataclass(frozen=True, slots=True)
class ItemResult(Generic[Item]):
    """The outcome of an item: its value, or why there is none."""

    item: Item
    value: Any
    error: str = ""


def default_processes() -> int:
    """Return one process per available core, at most 8."""
    return min(8, len(os.sched_getaffinity(0)))


def run(
    task: Task, items: Iterator[Item], processes: int, time_limit: float
) -> Iterator[ItemResult[Item]]:
    """Yield the outcome of every item, in order. Raises PoolError if no child can start.

    `time_limit` is for one item, in seconds. With 0 processes the work is done in this one,
    without a limit.
    """
    if processes == 0:
        yield from _here(task, items)
        return
    pool: _Pool[Item] = _Pool(task, processes, time_limit)
    try:
        yield from pool.outcomes(items)
    finally:
        pool.close()


def _here(task: Task, items: Iterator[Item]) -> Iterator[ItemResult[Item]]:
    with ExitStack() as stack:
        try:
            tools = stack.enter_context(task.prepare(*task.arguments))
        except Exception as error:
            raise PoolError(f"{type(error).__name__}: {error}") from error
        for item in items:
            kind, value = _attempt(task, tools, item)
            yield ItemResult(item, value) if kind == _DONE else ItemResult(item, None, value)


def _attempt(task: Task, tools: Any, item: Any) -> tuple[str, Any]:
    try:
        return _DONE, task.work(tools, item)
    except Exception as error:  # noqa: BLE001 - a stated outcome, whatever went wrong
        return _FAILED, f"{type(error).__name__}: {error}"


def _serve(connection: Connection, task: Task) -> None:
    """Run a child until the parent closes its end or dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with task.prepare(*task.arguments) as tools:
            connection.send((_READY, None))
            while True:
                connection.send(_attempt(task, tools, connection.recv()))
    except (EOFError, BrokenPipeError):
        return
    except Exception as error:  # noqa: BLE001 - told to the parent, which raises it
        connection.send((_BROKEN, f"{type(error).__name__}: {error}"))


class _Child:
    """A process and its current item (-1: it waits or prepares itself)."""

    __slots__ = ("at", "connection", "process", "ready", "since")

    def __init__(self, task: Task) -> None:
        # Spawned, not forked: the parent may have threads and sessions that no child may share.
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, task), daemon=True)
        self.process.start()
        theirs.close()
        self.ready, self.at, self.since = False, -1, monotonic()

    def give(self, at: int, item: Any) -> None:
        self.at, self.since = at, monotonic()
        self.connection.send(item)

    def end(self) -> None:
        """Kill the process, whatever it does."""
        self.connection.close()
        self.process.kill()
        self.process.join()


class _Pool(Generic[Item]):
    def __init__(self, task: Task, processes: int, time_limit: float) -> None:
        self.task, self.time_limit = task, time_limit
        self.most_ahead = AHEAD * processes
        self.pending: dict[int, Item] = {}
        self.again: list[int] = []
        self.died: set[int] = set()
        self.finished: dict[int, ItemResult[Item]] = {}
        self.ended = False
        self.failed_starts = 0
        self.children = [_Child(task) for _ in range(processes)]

    def close(self) -> None:
        for child in self.children:
            child.end()

    def outcomes(self, items: Iterator[Item]) -> Iterator[ItemResult[Item]]:
        """Feed the children and yield their results, in order."""
        numbered, turn = enumerate(items), 0
        while True:
            while turn in self.finished:
                yield self.finished.pop(turn)
                turn += 1
            for child in self.children:
                if child.ready and child.at < 0:
                    self._feed(child, numbered)
            if self.ended and not self.pending and not self.finished:
                return
            self._listen()

    def _feed(self, child: _Child, numbered: Iterator[tuple[int, Item]]) -> None:
        """Give the child the next item, if there is one."""
        at = self._next(numbered)
        if at is None:
            return
        try:
            child.give(at, self.pending[at])
        except OSError:  # It died while it waited.
            self._lose(child)

    def _next(self, numbered: Iterator[tuple[int, Item]]) -> int | None:
        if self.again:
            return self.again.pop()
        if self.ended or len(self.pending) + len(self.finished) >= self.most_ahead:
            return None
        entry = next(numbered, None)
        if entry is None:
            self.ended = True
            return None
        self.pending[entry[0]] = entry[1]
        return entry[0]

    def _listen(self) -> None:
        """Wait for messages, then replace children that died or took too long."""
        by_connection = {child.connection: child for child in self.children}
        for connection in wait(list(by_connection), timeout=self._patience()):
            child = by_connection[connection]  # type: ignore[index]
            try:
                self._hear(child, *child.connection.recv())
            except (EOFError, OSError):
                self._lose(child)
        for child in list(self.children):
            if monotonic() - child.since > self._limit(child):
                self._lose(child, f"took longer than {self._limit(child):g} s")

    def _limit(self, child: _Child) -> float:
        if not child.ready:
            return START_SECONDS
        return self.time_limit if child.at >= 0 else float("inf")

    def _patience(self) -> float | None:
        time_left = [child.since + self._limit(child) - monotonic() for child in self.children]
        soonest = min(time_left)
        return None if soonest == float("inf") else max(0.0, soonest)

    def _hear(self, child: _Child, kind: str, value: Any) -> None:
        if kind == _BROKEN:
            raise PoolError(value)
        if kind == _READY:
            child.ready, self.failed_starts = True, 0
            return
        self._finish(child, value if kind == _DONE else None, "" if kind == _DONE else value)

    def _finish(self, child: _Child, value: Any, error: str) -> None:
        self.finished[child.at] = ItemResult(self.pending.pop(child.at), value, error)
        child.at = -1

    def _lose(self, child: _Child, hung: str = "") -> None:
        """Replace a child that died or hung, and retry or fail its item."""
        child.process.kill()
        child.process.join()
        why = hung or f"the process died (exit status {child.process.exitcode})"
        if not child.ready:
            self.failed_starts += 1
            if self.failed_starts >= MOST_STARTS:
                raise PoolError(f"a process could not start: {why}")
        if child.at >= 0 and (hung or child.at in self.died):
            self._finish(child, None, why)
        elif child.at >= 0:
            self.died.add(child.at)
            self.again.append(child.at)
        child.end()
        self.children[self.children.index(child)] = _Child(self.task)
