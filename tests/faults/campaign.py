"""Faults drawn by a seeded schedule under a steady stream of work, and what became of the work."""

import os
import random
import signal
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

import psutil
from django.db import DatabaseError, OperationalError, connection
from django.db.models import Count

from analysis.models import AnnotatedAnswer, Check, Review
from assistant.models import Turn
from audit.models import Event, TrailEntry
from documents.models import Document
from tests import services
from tests.faults import machine
from tests.faults.stream import Accepted, Client
from tests.stack import Stack
from workqueue.broker import redis_client

CLIENTS = 3
_HANG_SECONDS = 1.5
_BACK_SECONDS = 90.0
_SETTLE_SECONDS = 300.0
_HALVES = 50
_HALF = b"POST /api/v1/checks HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{"
_OPEN = ("queued", "running")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of all that was accepted, counted by the database."""

    accepted: int
    done: int
    given_up: int
    queued: int
    lost: list[str]
    doubled: list[str]

    def summary(self) -> str:
        """In one line."""
        ended = f"{self.done} done + {self.given_up} given up + {self.queued} queued"
        wrong = f"lost = {len(self.lost)}, doubled = {len(self.doubled)}"
        return f"accepted {self.accepted} = {ended}; {wrong}"


class Campaign:
    """The faults, and how long after each the next request was accepted, in seconds by kind."""

    def __init__(
        self, stack: Stack, accepted: Accepted, seed: int, clock: machine.Clock | None
    ) -> None:
        self.stack, self.accepted = stack, accepted
        self.random = random.Random(seed)
        self.stalls: dict[str, float] = {}
        self.counts: Counter[str] = Counter()
        self.faults: dict[str, Callable[[], None]] = {
            **{f"kill {name}": self._killer(name) for name in ("web", "worker", "beat")},
            **{f"stop {name}": self._stopper(name) for name in ("web", "worker", "beat")},
            "stop redis": lambda: _hang([_redis()]),
            "stop postgres": lambda: _hang(_postgres()),
            "flushall": lambda: redis_client().flushall() and None,
            "drop connections": _drop_connections,
            "crash postgres": _crash_postgres,
            "half-sent requests": self._half_sent,
        }
        self.left_out: list[str] = []
        if clock is not None:
            self.faults["clock jump"] = clock.jump
        else:
            self.left_out.append(machine.NO_CLOCK)
        if machine.has_own_disk():
            self.faults["full disk"] = _fill_disk
        else:
            self.left_out.append(machine.NO_DISK)

    def run(self, count: int) -> None:
        """Each kind in turn, in a new order each round, until `count` have been made."""
        kinds: list[str] = []
        for _ in range(count):
            kinds = kinds or self.random.sample(sorted(self.faults), len(self.faults))
            kind = kinds.pop()
            # A server that ran out of space may end a while after there is some again.
            _connect_again()
            began = time.monotonic()
            try:
                self.faults[kind]()
            except DatabaseError:  # the server went down just as it was asked
                _connect_again()
                self.faults[kind]()
            self.counts[kind] += 1
            stall = self._back(began)
            self.stalls[kind] = max(self.stalls.get(kind, 0.0), stall)

    def _back(self, began: float) -> float:
        """Seconds until something that was sent after the fault began is accepted."""
        until = time.monotonic() + _BACK_SECONDS
        while time.monotonic() < until:
            last = self.accepted.times[-1:] or [0.0]
            if last[0] > began + 0.05:
                return last[0] - began
            time.sleep(0.05)
        raise TimeoutError(f"nothing was accepted for {_BACK_SECONDS:g} s\n{self.stack.logs()}")

    def _killer(self, name: str) -> Callable[[], None]:
        def kill() -> None:
            self.stack.kill(name)
            self.stack.spawn(name)

        return kill

    def _stopper(self, name: str) -> Callable[[], None]:
        def stop() -> None:
            leader = psutil.Process(self.stack.processes[name].pid)
            _hang([leader, *leader.children(recursive=True)])

        return stop

    def _half_sent(self) -> None:
        address = urlsplit(self.stack.url)
        with ExitStack() as clients:
            for _ in range(_HALVES):
                client = socket.create_connection((address.hostname, address.port), timeout=5)
                clients.enter_context(client).sendall(_HALF)
            time.sleep(_HANG_SECONDS)


def _hang(processes: Sequence[psutil.Process]) -> None:
    """SIGSTOP, and SIGCONT after a while; what ended meanwhile stays ended."""
    for number in (signal.SIGSTOP, signal.SIGCONT):
        for process in processes:
            if process.is_running():
                process.send_signal(number)
        if number == signal.SIGSTOP:
            time.sleep(_HANG_SECONDS)


def _redis() -> psutil.Process:
    return psutil.Process(redis_client().info("server")["process_id"])


def _backend() -> psutil.Process:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return psutil.Process(cursor.fetchone()[0])


def _postgres() -> list[psutil.Process]:
    own = _backend()
    server = own.parent()
    return [item for item in (server, *server.children()) if item != own] if server else []


def _drop_connections() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND datname = current_database()"
        )


def _crash_postgres() -> None:
    """The server ends every other process when one of them is killed, and recovers."""
    os.kill(_backend().pid, signal.SIGKILL)
    _connect_again()


def _fill_disk() -> None:
    machine.fill_disk()
    _connect_again()


def _connect_again() -> None:
    """Wait until the server lets us in after it has recovered."""
    connection.close()
    until = time.monotonic() + _BACK_SECONDS
    while True:
        try:
            return connection.ensure_connection()
        except OperationalError:
            if time.monotonic() > until:
                raise
            if machine.has_own_disk():
                services.revive()
            time.sleep(0.2)


@contextmanager
def streaming(stack: Stack, token: str, accepted: Accepted, seed: int) -> Iterator[list[Client]]:
    """The clients at work; at the end each has its last request answered."""
    clients = [Client([stack.url], token, accepted, number, seed) for number in range(CLIENTS)]
    for client in clients:
        client.start()
    try:
        yield clients
    finally:
        for client in clients:
            client.over.set()
        for client in clients:
            client.join(180)


def settle(stack: Stack) -> None:
    """Wait until nothing is queued or running any more."""
    until = time.monotonic() + _SETTLE_SECONDS
    while any(model.objects.filter(state__in=_OPEN).exists() for model in (Check, Document, Turn)):
        if time.monotonic() > until:
            raise TimeoutError(f"work is left after {_SETTLE_SECONDS:g} s\n{stack.logs()}")
        time.sleep(0.5)


def outcome(accepted: Accepted) -> Outcome:
    """Everything that was accepted, looked up by its id; and what the database has twice."""
    checks, documents, turns, lost = _states(accepted)
    states = Counter([*checks, *documents, *turns])
    return Outcome(
        accepted=states.total() + len(lost),
        done=states["done"] + states["indexed"],
        given_up=states["failed"],
        queued=states["queued"] + states["running"],
        lost=lost,
        doubled=_doubled(accepted),
    )


def _states(accepted: Accepted) -> tuple[list[str], list[str], list[str], list[str]]:
    """The states of the checks, documents and questions that were accepted; and what is missing."""
    by_kind: dict[str, set[str]] = {}
    for kind, row_id in accepted.ids.values():
        by_kind.setdefault(kind, set()).add(row_id)
    of_batch = Check.objects.filter(batch__in=by_kind.get("batch", ()))
    single = Check.objects.filter(pk__in=by_kind.get("check", ()))
    states_of = {
        "check": dict(single.values_list("pk", "state")),
        "upload": dict(
            Document.objects.filter(pk__in=by_kind.get("upload", ())).values_list("pk", "state")
        ),
        "question": dict(
            Turn.objects.filter(pk__in=by_kind.get("question", ())).values_list("pk", "state")
        ),
    }
    lost = [
        f"{kind} {item}"
        for kind, rows in states_of.items()
        for item in by_kind.get(kind, set()) - {str(key) for key in rows}
    ]
    batched = list(of_batch.values_list("state", flat=True))
    lost += ["item of a batch"] * (3 * len(by_kind.get("batch", ())) - len(batched))
    checks = [*states_of["check"].values(), *batched]
    return checks, list(states_of["upload"].values()), list(states_of["question"].values()), lost


def _doubled(accepted: Accepted) -> list[str]:
    """Keys that made two things, answers and files that are there twice, double decisions."""
    twice = Count("pk")
    answers = Check.objects.filter(answer__startswith="Bridge ").values("answer")
    parts = Check.objects.filter(answer__startswith="Part ").values("answer")
    files, questions = Document.objects.values("name"), Turn.objects.values("question")
    decided = TrailEntry.objects.filter(event=Event.CHECK_DECIDED).values("subject_id")
    reviewed = TrailEntry.objects.filter(event=Event.REVIEW_DECIDED).values("subject_id")
    duplicates = [
        str(row)
        for rows in (answers, parts, files, questions, decided, reviewed)
        for row in rows.annotate(times=twice).filter(times__gt=1)
    ]
    return [*accepted.contradicted, *duplicates]


def undecided() -> int:
    """Checks that are done without a result, and the reverse."""
    ready = set(Check.objects.filter(state="done").values_list("pk", flat=True))
    return len(ready ^ set(AnnotatedAnswer.objects.values_list("pk", flat=True)))


def lost_decisions(accepted: Accepted) -> int:
    """Reviews of which the client was told that they are decided, and are not."""
    decided = Review.objects.filter(pk__in=accepted.decided, decision="confirmed").count()
    return len(accepted.decided) - decided
