"""What can go wrong. Every error of this package is a `WatchdogError`."""

from collections.abc import Mapping
from typing import Any


class WatchdogError(Exception):
    """The server gave no usable result. An answer it was asked about is not checked."""


class NotConnectedError(WatchdogError):
    """The server could not be reached, or closed the connection, after all retries."""


class InvalidResponseError(WatchdogError):
    """The server sent something other than what its OpenAPI document promises."""


class ApiError(WatchdogError):
    """The server refused the request: a status of 400 or above, after all retries."""

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


class PendingError(WatchdogError):
    """The result was not ready in time. `id` names the check, batch or document to ask for."""

    def __init__(self, kind: str, id: str) -> None:
        super().__init__(f"The {kind} {id} is not finished yet.")
        self.id = id


class CheckFailedError(WatchdogError):
    """The check ended without a verdict (state `failed`); reviewers see it on the desk."""

    def __init__(self, id: str) -> None:
        super().__init__(f"The check {id} ended without a verdict.")
        self.id = id


class GuardTimeoutError(WatchdogError):
    """A guard had no verdict within its time-out."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"No verdict within {seconds:g} seconds.")
