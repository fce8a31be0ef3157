"""The errors of this package. Every one is a `WatchdogError`."""

from collections.abc import Mapping
from typing import Any

_TRANSIENT = frozenset({408, 409, 410, 413, 425, 429})
_ABOUT_CONTENT = frozenset({"blank", "max_length", "too_large", "unfit_record", "unfit_text"})


class WatchdogError(Exception):
    """The server gave no usable result. An answer it was asked about is not checked.

    `misconfigured`: no answer at all will be checked until somebody mends key, address, options
    or the form of the sources. A guard raises such an error whatever its settings. `outage`: the
    server is down, or too slow. `refused`: it takes no answer like this one, or no such sources
    (empty, too long), or its work on them fails. No guard shows these, since whoever writes them
    could escape the check so.
    """

    misconfigured: bool = False
    outage: bool = False
    refused: bool = False


class ConfigurationError(WatchdogError, ValueError):
    """Raised for a key, URL or argument with which no request can succeed; nothing was sent."""

    misconfigured = True


class NotConnectedError(WatchdogError):
    """Raised if the server could not be reached, or closed the connection, after all retries."""

    outage = True


class InvalidResponseError(WatchdogError):
    """Raised if the server's response does not match its OpenAPI document.

    If it is not even JSON, such as a sign-on page, the URL is not WATCHDOG's.
    """

    def __init__(self, message: str, *, misconfigured: bool = False) -> None:
        super().__init__(message)
        self.misconfigured = misconfigured


class ApiError(WatchdogError):
    """Raised if the server refused the request: a status of 300 or above, after all retries.

    `misconfigured` if the request itself is refused: key, URL, options, form of the sources. Not
    for errors of one answer (empty, too long), nor for transient ones.
    """

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        code: str = "",
        errors: tuple[Mapping[str, Any], ...] = (),
        request_id: str = "",
    ) -> None:
        super().__init__(f"{status}: {detail}")
        self.status = status
        self.detail = detail
        self.code = code
        """The last part of the problem's `type`, such as `idempotency_key_reused`."""
        self.errors = errors
        """For status 400: `field`, `detail` and `code` of each field that is wrong."""
        self.request_id = request_id
        about_content = bool(errors) and all(e.get("code") in _ABOUT_CONTENT for e in errors)
        self.misconfigured = status < 500 and status not in _TRANSIENT and not about_content
        self.outage = status >= 500
        self.refused = about_content or status == 413


class PendingError(WatchdogError):
    """Raised if the result was not ready in time. `id` names the check, batch or document."""

    outage = True

    def __init__(self, kind: str, id: str) -> None:
        super().__init__(f"The {kind} {id} is not finished yet.")
        self.id = id


class CheckFailedError(WatchdogError):
    """Raised if the check ended without a verdict (state `failed`), which the desk shows."""

    refused = True

    def __init__(self, id: str) -> None:
        super().__init__(f"The check {id} ended without a verdict.")
        self.id = id


class GuardTimeoutError(WatchdogError):
    """Raised if a guard had no verdict within its time-out."""

    outage = True

    def __init__(self, seconds: float) -> None:
        super().__init__(f"No verdict within {seconds:g} seconds.")
