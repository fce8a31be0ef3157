"""Faults on a seeded schedule under a steady stream of work, and the outcome of the work."""

import math
import random
import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

import psutil
from django.db import DatabaseError
from django.db.models import Count
from redis.exceptions import RedisError

from analysis.models import AnnotatedAnswer, Check, Review
from assistant.models import Turn
from audit.models import Event, TrailEntry
from documents.models import Document
from tests.faults import machine, servers, slow_clients
from tests.faults.stream import Accepted, Client
from tests.sockets import wait_until
from tests.stack import Stack
from tools.launcher.errors import LauncherError

_DECISION_SECONDS = 40.0
_SETTLE_SECONDS = 900.0
_BROKEN = (OSError, DatabaseError, RedisError, LauncherError, psutil.Error)
_OPEN = ("queued", "running")


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of everything that was accepted, counted by the database."""

    accepted: int
    done: int
    given_up: int
    queued: int
    lost: list[str]
    doubled: list[str]

    def summary(self) -> str:
        """Return the outcome in one line."""
        ended = f"{self.done} done + {self.given_up} given up + {self.queued} queued"
        wrong = f"lost = {len(self.lost)}, doubled = {len(self.doubled)}"
        return f"accepted {self.accepted} = {ended}; {wrong}"


class Schedule:
    """Faults by kind, and how long nothing was accepted because of each, in seconds by kind."""

    faults: dict[str, Callable[[], None]]

    def __init__(self, accepted: Accepted, seed: int, logs: Callable[[], str]) -> None:
        self.accepted, self.random, self.logs = accepted, random.Random(seed), logs
        self.stalls: dict[str, float] = {}
        self.counts: Counter[str] = Counter()

    def run(
        self,
        count: int,
        seconds: float = math.inf,
        report: Callable[[str], object] = lambda _: None,
    ) -> None:
        """Make each kind in turn, in a new order each round, until `count` or the time is up."""
        kinds: list[str] = []
        until = time.monotonic() + seconds
        while self.counts.total() < count and time.monotonic() < until:
            kinds = kinds or self.random.sample(sorted(self.faults), len(self.faults))
            kind = kinds.pop()
            began = time.monotonic()
            self.make(kind)
            self.counts[kind] += 1
            stall = self._stall(began)
            self.stalls[kind] = max(self.stalls.get(kind, 0.0), stall)
            report(f"{self.counts.total()} {kind}: {stall:.1f} s, {len(self.accepted.ids)} keys")

    def make(self, kind: str) -> None:
        """Make one fault."""
        self.faults[kind]()

    def _stall(self, began: float) -> float:
        """Return the longest time without an acceptance, from a fault's start until one after it.

        Call it when the fault is over.
        """
        ended = time.monotonic()
        otherwise = lambda: f"nothing was accepted\n{self.logs()}"  # noqa: E731
        after = wait_until(
            lambda: [moment for moment in self.accepted.times[-99:] if moment > ended],
            otherwise,
            seconds=servers.BACK_SECONDS,
        )
        during = sorted(moment for moment in self.accepted.times if began < moment <= ended)
        return max(later - earlier for earlier, later in pairwise([began, *during, after[0]]))


class Campaign(Schedule):
    """Faults of a stack, its servers and its machine."""

    def __init__(
        self, stack: Stack, accepted: Accepted, seed: int, clock: machine.Clock | None
    ) -> None:
        super().__init__(accepted, seed, stack.logs)
        self.stack = stack
        self.log: list[tuple[float, str]] = []
        """Each fault: when it began (seconds of the day's clock) and its kind."""
        self.faults = {
            **{f"kill {name}": self._killer(name) for name in ("web", "worker", "beat")},
            **{f"stop {name}": self._stopper(name) for name in ("web", "worker", "beat")},
            **servers.faults(),
            **slow_clients.faults(stack.url),
        }
        self.left_out: list[str] = []
        self.broken = ""
        """The reason if the campaign ended early."""
        if clock is not None:
            self.faults["clock jump"] = clock.jump
        else:
            self.left_out.append(machine.NO_CLOCK)
        if machine.has_own_disk():
            self.faults["full disk"] = _fill_disk
        else:
            self.left_out.append(machine.NO_DISK)

    def run(
        self,
        count: int,
        seconds: float = math.inf,
        report: Callable[[str], object] = lambda _: None,
    ) -> None:
        try:
            super().run(count, seconds, report)
        except _BROKEN as error:  # what was made until here is counted all the same
            self.broken = f"{self.log[-1][1]}: {error}"

    def make(self, kind: str) -> None:
        # A server that ran out of space may end a while after there is some again.
        servers.connect_again(revive=True)
        self.log.append((time.time(), kind))
        try:
            self.faults[kind]()
        except (DatabaseError, RedisError):  # the server went down just as it was asked
            servers.connect_again(revive=True)
            self.faults[kind]()

    def _killer(self, name: str) -> Callable[[], None]:
        def kill() -> None:
            self.stack.kill(name)
            self.stack.spawn(name)

        return kill

    def _stopper(self, name: str) -> Callable[[], None]:
        def stop() -> None:
            leader = psutil.Process(self.stack.processes[name].pid)
            servers.hang([leader, *leader.children(recursive=True)])

        return stop


def _fill_disk() -> None:
    machine.fill_disk()
    servers.connect_again()


@contextmanager
def streaming(clients: Sequence[Client]) -> Iterator[None]:
    """Run the clients for the block; at the end each has its last request answered."""
    for client in clients:
        client.start()
    try:
        yield
    finally:
        for client in clients:
            client.over.set()
        for client in clients:
            client.join(320)
    assert not any(client.is_alive() for client in clients)


def await_decision(accepted: Accepted) -> None:
    """Let the clients go on until one of them has decided a review, some seconds at most."""
    until = time.monotonic() + _DECISION_SECONDS
    while not accepted.decided and time.monotonic() < until:
        time.sleep(0.1)


def settle(stack: Stack) -> None:
    """Wait until nothing is queued or running any more; what is left then counts as queued."""
    until = time.monotonic() + _SETTLE_SECONDS
    while any(m.objects.filter(state__in=_OPEN).exists() for m in (Check, Document, Turn)):
        if time.monotonic() > until:
            print(f"work is left after {_SETTLE_SECONDS:g} s\n{stack.logs()}")
            return
        time.sleep(0.5)


def outcome(accepted: Accepted) -> Outcome:
    """Look up everything that was accepted by its id; return its states and what is there twice."""
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
    """Return the states of the accepted checks, documents and questions, and those missing."""
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
    """Return keys that made two things, answers and files that exist twice, double decisions."""
    twice = Count("pk")
    # What the assistant answers cites its source at the end, and may well be said twice.
    sent = Check.objects.filter(answer__endswith=" arches.")
    answers = sent.filter(answer__startswith="Bridge ").values("answer")
    parts = sent.filter(answer__startswith="Part ").values("answer")
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
    """Return the number of checks that are done without a result, and the reverse."""
    ready = set(Check.objects.filter(state="done").values_list("pk", flat=True))
    return len(ready ^ set(AnnotatedAnswer.objects.values_list("pk", flat=True)))


def lost_decisions(accepted: Accepted) -> int:
    """Return the number of reviews whose client was told that they are decided, and are not."""
    decided = Review.objects.filter(pk__in=accepted.decided, decision="confirmed").count()
    return len(accepted.decided) - decided


def longest_waits(log: list[tuple[float, str]]) -> dict[str, float]:
    """Return the longest time from a check's acceptance to its end, in seconds by kind of fault.

    A check counts for the fault that began while it was open, or else for the last one before.
    """
    began = [moment for moment, _ in log]
    longest: dict[str, float] = {}
    times = Check.objects.filter(finished_at__isnull=False).values_list("created_at", "finished_at")
    for created, finished in times.iterator():
        kind = _fault_of(began, log, created, finished)
        waited = (finished - created).total_seconds()
        longest[kind] = max(longest.get(kind, 0.0), waited)
    return longest


def _fault_of(
    began: list[float], log: list[tuple[float, str]], created: datetime, finished: datetime
) -> str:
    next_one = bisect_right(began, created.timestamp())
    if next_one < len(began) and began[next_one] < finished.timestamp():
        return log[next_one][1]
    return log[next_one - 1][1] if next_one else "none"
