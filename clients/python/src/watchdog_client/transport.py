"""Retries, and what a response means. Pure functions; the clients send and sleep."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx
from pydantic import ValidationError

from watchdog_client.errors import ApiError, InvalidResponseError, NotConnectedError
from watchdog_client.operations import Operation

Result = TypeVar("Result")
RETRIED_STATUSES = frozenset({408, 429, 502, 503, 504})


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and how long to wait (seconds) before a request is sent again.

    The wait is chosen at random up to a bound that doubles with each attempt ("full jitter"), so
    that clients that failed together do not return together. `Retry-After` is obeyed up to
    `longest`.
    """

    attempts: int = 4
    first: float = 0.5
    longest: float = 20.0
    draw: Callable[[], float] = random.random

    def delay(self, attempt: int, headers: Mapping[str, str]) -> float:
        """Seconds to wait after the failed `attempt` (from 1)."""
        bound = min(self.longest, self.first * 2.0 ** (attempt - 1))
        jittered = bound * self.draw()
        return min(self.longest, max(jittered, _retry_after(headers)))


def next_delay(
    policy: RetryPolicy,
    operation: Operation[Any],
    attempt: int,
    outcome: httpx.Response | httpx.TransportError,
) -> float | None:
    """Seconds until the request is sent again; None where this outcome is final.

    A request that must not be doubled is repeated only when it never reached the server.
    """
    if attempt >= policy.attempts:
        return None
    if isinstance(outcome, httpx.TransportError):
        unsent = isinstance(outcome, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout)
        return policy.delay(attempt, {}) if operation.repeatable or unsent else None
    refused = outcome.status_code == httpx.codes.TOO_MANY_REQUESTS
    retried = outcome.status_code in RETRIED_STATUSES and (operation.repeatable or refused)
    if not retried or _problem_code(outcome) == "batch_above_rate_limit":
        return None
    return policy.delay(attempt, outcome.headers)


def read(operation: Operation[Result], outcome: httpx.Response | httpx.TransportError) -> Result:
    """The operation's result. Raises NotConnectedError, ApiError, InvalidResponseError."""
    if isinstance(outcome, httpx.TransportError):
        raise NotConnectedError(f"WATCHDOG did not answer: {outcome!r}") from outcome
    if not outcome.is_success:
        raise _api_error(outcome)
    try:
        return operation.parse(outcome)
    except (ValidationError, ValueError, KeyError, TypeError) as error:
        raise InvalidResponseError(
            f"{operation.method} {operation.path} returned an unexpected document: {error}"
        ) from error


def request_arguments(operation: Operation[Any]) -> dict[str, Any]:
    """The arguments of `httpx.Client.request`."""
    return {
        "method": operation.method,
        "url": operation.path,
        "json": operation.json,
        "params": operation.params,
        "data": operation.data,
        "files": operation.files,
        "headers": operation.headers,
    }


def _api_error(response: httpx.Response) -> ApiError:
    problem = _problem(response)
    return ApiError(
        response.status_code,
        str(problem.get("detail") or response.text[:200] or response.reason_phrase),
        code=_problem_code(response),
        errors=tuple(problem.get("errors") or ()),
        request_id=response.headers.get("X-Request-ID", ""),
    )


def _problem(response: httpx.Response) -> Mapping[str, Any]:
    try:
        document = response.json()
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}


def _problem_code(response: httpx.Response) -> str:
    return str(_problem(response).get("type", "")).rpartition(":")[2]


def _retry_after(headers: Mapping[str, str]) -> float:
    """Seconds; 0 where the header is missing or holds a date."""
    value = headers.get("Retry-After", "")
    return float(value) if value.isdigit() else 0.0
