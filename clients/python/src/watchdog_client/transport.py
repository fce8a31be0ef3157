"""Retries, and the interpretation of responses. Pure functions; the clients send and sleep."""

import json
import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx
from pydantic import ValidationError
from pydantic_core import to_jsonable_python

from watchdog_client.errors import (
    ApiError,
    ConfigurationError,
    InvalidResponseError,
    NotConnectedError,
)
from watchdog_client.operations import Operation

Result = TypeVar("Result")
RETRIED_STATUSES = frozenset({408, 429, 502, 503, 504, 507})
_KEY = re.compile(r"[!-~]+")
_UNFIT = re.compile(r"\\u(?:0000|d[89a-f])", re.IGNORECASE)
URL_VARIABLE, KEY_VARIABLE = "WATCHDOG_URL", "WATCHDOG_KEY"


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Retries of a request: how often, and after how many seconds.

    The delay is random up to a bound that doubles with each attempt ("full jitter"), so that
    clients that failed together do not return together. `Retry-After` is obeyed up to `longest`.
    """

    attempts: int = 4
    first: float = 0.5
    longest: float = 20.0
    draw: Callable[[], float] = random.random

    def delay(self, attempt: int, headers: Mapping[str, str]) -> float:
        """Return the seconds to wait after the failed `attempt` (from 1)."""
        bound = min(self.longest, self.first * 2.0 ** (attempt - 1))
        jittered = bound * self.draw()
        return min(self.longest, max(jittered, _retry_after(headers)))


def connection(base_url: str, api_key: str) -> dict[str, Any]:
    """Return httpx's arguments for a server and a key, without surrounding white space.

    Raises ConfigurationError, which repeats neither: both may hold a secret.
    """
    key = api_key.strip() if isinstance(api_key, str) else ""
    if not _KEY.fullmatch(key):
        raise ConfigurationError("The API key is empty or has characters that no key has.")
    try:
        url = httpx.URL(base_url.strip() if isinstance(base_url, str) else "")
    except httpx.InvalidURL:
        url = httpx.URL("")
    if url.scheme not in ("http", "https") or not url.host:
        raise ConfigurationError("The address of WATCHDOG is not http:// or https:// and a host.")
    if url.userinfo or url.query or url.fragment:
        raise ConfigurationError(
            "The address of WATCHDOG must have no user name, password, query or fragment."
        )
    return {"base_url": url, "headers": {"Authorization": f"Bearer {key}"}}


def from_environment(environment: Mapping[str, str]) -> tuple[str, str]:
    """Return URL and key from `WATCHDOG_URL` and `WATCHDOG_KEY`. Raises ConfigurationError."""
    if missing := [n for n in (URL_VARIABLE, KEY_VARIABLE) if not environment.get(n, "").strip()]:
        raise ConfigurationError(f"Set {' and '.join(missing)}.")
    return environment[URL_VARIABLE], environment[KEY_VARIABLE]


def next_delay(
    policy: RetryPolicy,
    operation: Operation[Any],
    attempt: int,
    outcome: httpx.Response | httpx.TransportError,
) -> float | None:
    """Return the seconds until the request is sent again, or None if this outcome is final.

    A request that must not be doubled is repeated only if it never reached the server.
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
    """Return the operation's result. Raises NotConnectedError, ApiError, InvalidResponseError."""
    if isinstance(outcome, httpx.TransportError):
        raise not_connected(outcome) from outcome
    if not outcome.is_success:
        raise _api_error(outcome)
    try:
        return operation.parse(outcome)
    except (ValidationError, ValueError, KeyError, TypeError) as error:
        json_sent = "json" in outcome.headers.get("Content-Type", "")
        kind = "an unexpected document" if json_sent else "no JSON: is this WATCHDOG's address?"
        raise InvalidResponseError(
            f"{operation.method} {operation.path} returned {kind} ({type(error).__name__})",
            misconfigured=not json_sent,
        ) from error


def not_connected(error: httpx.TransportError) -> NotConnectedError:
    """Return the error for a request or response that did not arrive."""
    return NotConnectedError(f"WATCHDOG did not answer: {type(error).__name__}: {error}")


def request_arguments(operation: Operation[Any]) -> dict[str, Any]:
    """Return the arguments of `httpx.Client.request`.

    Raises ConfigurationError for invalid JSON.
    """
    body = {} if operation.json is None else {"Content-Type": "application/json"}
    return {
        "method": operation.method,
        "url": operation.path,
        "content": None if operation.json is None else _encoded(operation.json),
        "params": operation.params,
        "data": operation.data,
        "files": operation.files,
        "headers": {**operation.headers, **body},
    }


def storable(document: Any) -> Any:
    """Return a JSON document that a database takes: a space for NUL, U+FFFD for half a character.

    A model that writes these must not escape its check by them.
    """
    if isinstance(document, str):
        units = document.encode("utf-16-le", "surrogatepass")
        return units.decode("utf-16-le", "replace").replace("\0", " ")
    if isinstance(document, list):
        return [storable(item) for item in document]
    if isinstance(document, dict):
        return {storable(name): storable(value) for name, value in document.items()}
    return document


def loads(data: str | bytes, **options: Any) -> Any:
    """Return the storable document in a JSON text. Raises ValueError, RecursionError."""
    text = data if isinstance(data, str) else data.decode(json.detect_encoding(data))
    document = json.loads(text, **options)
    return storable(document) if _UNFIT.search(text) else document


def _encoded(document: Any) -> bytes:
    try:
        text = json.dumps(document, default=to_jsonable_python, allow_nan=False)
        return (json.dumps(loads(text)) if _UNFIT.search(text) else text).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise ConfigurationError(f"The request is no JSON ({type(error).__name__}).") from error


def _api_error(response: httpx.Response) -> ApiError:
    problem = _problem(response)
    return ApiError(
        response.status_code,
        str(problem.get("detail") or f"{response.reason_phrase}. No message of WATCHDOG."),
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
    """Return the header's seconds; 0 if it is missing or holds a date."""
    value = headers.get("Retry-After", "")
    return float(value) if value.isdigit() else 0.0
