"""The clients' operations step by step, without input or output.

A flow is a generator: it yields `Send` and `Pause`, receives the outcome of each `Send`, and
returns the result. `Watchdog` and `AsyncWatchdog` run the same flows.
"""

import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import httpx

from watchdog_client import operations
from watchdog_client.errors import CheckFailedError, PendingError
from watchdog_client.models import Check
from watchdog_client.operations import Answer, CheckOptions, Operation
from watchdog_client.transport import RetryPolicy, next_delay, read

Result = TypeVar("Result")
Outcome = httpx.Response | httpx.TransportError
MAX_WAIT = 60.0
"""Seconds; the longest that a server waits for a verdict unless it is set up otherwise."""
POLL_SECONDS = 1.0
RELEASE_POLL_SECONDS = 10.0
"""People take longer than workers."""
SHORTEST_TIMEOUT = 0.05
ANSWER_SECONDS = 10.0
"""Time allowed for a request in addition to the wait it asks for."""


@dataclass(frozen=True, slots=True)
class Send:
    """A request to send; the response must begin within `timeout` seconds."""

    operation: Operation[Any]
    timeout: float


@dataclass(frozen=True, slots=True)
class Pause:
    seconds: float


Flow = Generator[Send | Pause, Outcome | None, Result]


class Finishable(Protocol):
    """A result that says whether it may still change."""

    @property
    def id(self) -> str:
        """The id to ask for again."""

    @property
    def finished(self) -> bool:
        """True if it is final."""


Pending = TypeVar("Pending", bound=Finishable)


def send(
    operation: Operation[Result], policy: RetryPolicy, *, timeout: float, deadline: float = 0.0
) -> Flow[Result]:
    """Send with retries, none of which begins after `deadline` (monotonic; 0: no deadline)."""
    attempt = 1
    while True:
        outcome = yield Send(operation, _shortened(timeout, deadline))
        if outcome is None:
            raise TypeError("Send must be given an outcome.")
        delay = next_delay(policy, operation, attempt, outcome)
        if delay is None or (deadline and time.monotonic() + delay >= deadline):
            return read(operation, outcome)
        yield Pause(delay)
        attempt += 1


def check(
    answer: Answer, options: CheckOptions, policy: RetryPolicy, *, timeout: float, key: str | None
) -> Flow[Check]:
    """Submit an answer and wait for the verdict.

    Raises PendingError after `timeout` seconds, CheckFailedError for a check without a verdict.
    """
    deadline = time.monotonic() + timeout
    wait = min(timeout, MAX_WAIT)
    submission = operations.create_check(answer, options, wait=wait, key=key)
    submitted = yield from send(
        submission, policy, timeout=wait + ANSWER_SECONDS, deadline=deadline
    )
    result = yield from until_finished(
        submitted, "check", operations.get_check, policy, deadline=deadline
    )
    if result.state == "failed":
        raise CheckFailedError(result.id)
    return result


def until_released(check: Check, policy: RetryPolicy, *, deadline: float) -> Flow[Check]:
    """Ask about a held answer until it is settled. Raises PendingError at the deadline."""
    while check.awaiting_review:
        if time.monotonic() + RELEASE_POLL_SECONDS >= deadline:
            raise PendingError("check", check.id)
        yield Pause(RELEASE_POLL_SECONDS)
        operation = operations.get_check(check.id)
        check = yield from send(operation, policy, timeout=ANSWER_SECONDS, deadline=deadline)
    return check


def until_finished(
    pending: Pending,
    kind: str,
    get: Callable[[str], Operation[Pending]],
    policy: RetryPolicy,
    *,
    deadline: float,
) -> Flow[Pending]:
    """Ask each second until it is finished. Raises PendingError at the deadline."""
    while not pending.finished:
        if time.monotonic() + POLL_SECONDS >= deadline:
            raise PendingError(kind, pending.id)
        yield Pause(POLL_SECONDS)
        pending = yield from send(
            get(pending.id), policy, timeout=ANSWER_SECONDS, deadline=deadline
        )
    return pending


def _shortened(timeout: float, deadline: float) -> float:
    if not deadline:
        return timeout
    return max(SHORTEST_TIMEOUT, min(timeout, deadline - time.monotonic()))
