"""The guard: turns an answer into the text that the policy lets a user read."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from inspect import iscoroutinefunction
from typing import Literal, ParamSpec, Unpack, get_args

from watchdog_client.async_client import AsyncWatchdog
from watchdog_client.client import Watchdog
from watchdog_client.errors import (
    ConfigurationError,
    GuardTimeoutError,
    InvalidResponseError,
    NotConnectedError,
    WatchdogError,
)
from watchdog_client.models import Action, Check
from watchdog_client.operations import CheckOptions

P = ParamSpec("P")
log = logging.getLogger(__name__)
UNAVAILABLE = "This answer could not be verified. Please try again later."
Fail = Literal["closed", "open"]
Mode = Literal["enforce", "observe"]
OBSERVED = "observed"
"""The mitigation action of a check under a policy that only observes."""


@dataclass(frozen=True, slots=True)
class GuardedAnswer:
    """The text to show instead of the model's answer.

    `action` is None where there is no verdict, and `error` says why. `observed`: the verdict says
    what would have happened, and `text` is the model's answer.
    """

    text: str
    action: Action | None
    check: Check | None = None
    error: WatchdogError | None = None
    observed: bool = False

    @property
    def awaiting_review(self) -> bool:
        """True if `text` only says that a person reviews the answer.

        A webhook or `wait_for_release` brings what may be shown.
        """
        return not self.observed and self.check is not None and self.check.awaiting_review


@dataclass(frozen=True, slots=True)
class Draft:
    """An unchecked answer, with what it should be checked against."""

    text: str
    options: CheckOptions = field(default_factory=CheckOptions)


@dataclass(frozen=True, slots=True)
class GuardSettings:
    """Settings of a guard.

    `fail`: what is shown without a verdict (server down, time-out): "closed" shows
    `unavailable_text`, "open" the unverified answer, unless the server refused just this one. What
    would switch checking off for good (an error that is `misconfigured`) raises in both cases.
    `timeout` is in seconds. `mode`: "observe" shows every answer as it is, with a verdict or
    without, and only has it checked.
    """

    fail: Fail = "closed"
    timeout: float = 15.0
    unavailable_text: str = UNAVAILABLE
    mode: Mode = "enforce"

    def __post_init__(self) -> None:
        if self.fail not in get_args(Fail) or not self.timeout > 0:
            raise ConfigurationError("fail is closed or open, timeout a number above 0.")
        if self.mode not in get_args(Mode):
            raise ConfigurationError("mode is enforce or observe.")


def release(answer: str, check: Check, mode: Mode = "enforce") -> GuardedAnswer:
    """Return the answer itself for ALLOW and where it is only observed, else `final_response`."""
    if check.action is None or check.final_response is None:
        raise InvalidResponseError(f"The check {check.id} has no action or no final response.")
    observed = mode == "observe" or OBSERVED in check.mitigation_actions
    is_shown = observed or check.action == "ALLOW"
    text = answer if is_shown else check.final_response
    return GuardedAnswer(text, check.action, check, observed=observed)


def without_verdict(answer: str, error: WatchdogError, settings: GuardSettings) -> GuardedAnswer:
    """Return what to show if checking failed; raise `error` if no check can succeed."""
    if error.misconfigured:
        raise error
    observed = settings.mode == "observe"
    log.error("answer not verified (fail %s, %s): %s", settings.fail, settings.mode, error)
    is_shown = observed or (settings.fail == "open" and not error.refused)
    text = answer if is_shown else settings.unavailable_text
    return GuardedAnswer(text, None, error=error, observed=observed)


@dataclass(slots=True)
class CircuitBreaker:
    """While the server is down, no answer waits for it.

    After `failures` outages in a row nothing is sent for `seconds`, then one request tries. An
    outage is an error with `outage`: no connection, no verdict in time, a status of 500 or
    more. Any other outcome says that the server is up.
    """

    failures: int = 5
    seconds: float = 10.0
    _in_a_row: int = 0
    _retry_at: float = 0.0

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Count the outcome of the block. Raises NotConnectedError instead while it is open."""
        if self._in_a_row >= self.failures:
            now = time.monotonic()
            if now < self._retry_at:
                raise NotConnectedError(
                    f"WATCHDOG was not asked: it failed {self._in_a_row} times in a row."
                )
            self._retry_at = now + self.seconds  # others go on failing at once while this one tries
        try:
            yield
        except WatchdogError as error:
            self._note(is_outage=error.outage)
            raise
        self._note(is_outage=False)

    def _note(self, *, is_outage: bool) -> None:
        self._in_a_row = self._in_a_row + 1 if is_outage else 0
        self._retry_at = time.monotonic() + self.seconds


@dataclass(frozen=True)
class Guard:
    """Checks answers with a `Watchdog` and returns the releasable text."""

    client: Watchdog
    settings: GuardSettings = field(default_factory=GuardSettings)
    breaker: CircuitBreaker = field(default_factory=CircuitBreaker)

    def check_answer(self, answer: str | None, **options: Unpack[CheckOptions]) -> GuardedAnswer:
        """Check one answer; None, as models return with tool calls, counts as empty."""
        answer = answer or ""
        try:
            with self.breaker.watching():
                check = self.client.check(answer, timeout=self.settings.timeout, **options)
            return release(answer, check, self.settings.mode)
        except WatchdogError as error:
            return without_verdict(answer, error, self.settings)

    def protect(
        self, **options: Unpack[CheckOptions]
    ) -> Callable[[Callable[P, str | Draft | None]], Callable[P, GuardedAnswer]]:
        """Decorate a function that returns an answer; a `Draft` adds its own options."""

        def decorate(function: Callable[P, str | Draft | None]) -> Callable[P, GuardedAnswer]:
            if iscoroutinefunction(function):
                raise ConfigurationError("A coroutine function needs an AsyncGuard.")

            @wraps(function)
            def wrapper(*args: P.args, **kwargs: P.kwargs) -> GuardedAnswer:
                draft = _draft(function(*args, **kwargs), options)
                return self.check_answer(draft.text, **draft.options)

            return wrapper

        return decorate


@dataclass(frozen=True)
class AsyncGuard:
    """Checks answers with an `AsyncWatchdog` and returns the releasable text."""

    client: AsyncWatchdog
    settings: GuardSettings = field(default_factory=GuardSettings)
    breaker: CircuitBreaker = field(default_factory=CircuitBreaker)

    async def check_answer(
        self, answer: str | None, **options: Unpack[CheckOptions]
    ) -> GuardedAnswer:
        """Check one answer; None, as models return with tool calls, counts as empty."""
        answer = answer or ""
        try:
            with self.breaker.watching():
                check = await self._checked(answer, options)
            return release(answer, check, self.settings.mode)
        except WatchdogError as error:
            return without_verdict(answer, error, self.settings)

    async def _checked(self, answer: str, options: CheckOptions) -> Check:
        seconds = self.settings.timeout
        try:
            async with asyncio.timeout(seconds):
                return await self.client.check(answer, timeout=seconds, **options)
        except TimeoutError as error:
            raise GuardTimeoutError(seconds) from error

    def protect(
        self, **options: Unpack[CheckOptions]
    ) -> Callable[
        [Callable[P, Awaitable[str | Draft | None]]], Callable[P, Awaitable[GuardedAnswer]]
    ]:
        """Decorate a coroutine function that returns an answer or a `Draft`."""

        def decorate(
            function: Callable[P, Awaitable[str | Draft | None]],
        ) -> Callable[P, Awaitable[GuardedAnswer]]:
            @wraps(function)
            async def wrapper(*args: P.args, **kwargs: P.kwargs) -> GuardedAnswer:
                draft = _draft(await function(*args, **kwargs), options)
                return await self.check_answer(draft.text, **draft.options)

            return wrapper

        return decorate


def _draft(returned: str | Draft | None, options: CheckOptions) -> Draft:
    if not isinstance(returned, Draft):
        return Draft(returned or "", options)
    return Draft(returned.text, {**options, **returned.options})
