"""The events of one check, as server-sent events. Pure: the clients read the lines."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx
from pydantic import ValidationError

from watchdog_client import operations
from watchdog_client.errors import InvalidResponseError
from watchdog_client.models import Check, Claim
from watchdog_client.transport import read

CONTENT_TYPE = "text/event-stream"
READ_SECONDS = 30.0
"""The longest silence of a stream: the server says every ten seconds that it is still there."""
PAUSE_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class CheckEvent:
    """One event: `status` (with `state`), `claim` (with `claim`) or `result` (with `check`)."""

    id: str
    type: str
    state: str | None = None
    claim: Claim | None = None
    check: Check | None = None


@dataclass(slots=True)
class EventReader:
    """Assembles events from the lines of a stream; `last_id` names the last one."""

    last_id: str = ""
    _type: str = ""
    _data: list[str] = field(default_factory=list)

    def read(self, line: str) -> CheckEvent | None:
        """Return the event that this line ends, if any. Raises InvalidResponseError."""
        if not line:
            return self._end_event()
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            self._type = value
        elif name == "data":
            self._data.append(value)
        elif name == "id":
            self.last_id = value
        return None

    def headers(self) -> dict[str, str]:
        """Return the headers that ask for the events after the last one."""
        last = {"Last-Event-ID": self.last_id} if self.last_id else {}
        return {"Accept": CONTENT_TYPE, **last}

    def _end_event(self) -> CheckEvent | None:
        kind, data = self._type, "\n".join(self._data)
        self._type, self._data = "", []
        if not data:
            return None
        try:
            return _event(self.last_id, kind, json.loads(data))
        except (ValidationError, ValueError, AttributeError) as error:
            raise InvalidResponseError(f"The event {kind!r} is not one.") from error


def pause(check_id: str, response: httpx.Response) -> float:
    """Return the seconds after which to retry a refused stream.

    Raises ApiError for other errors.
    """
    if response.status_code != httpx.codes.SERVICE_UNAVAILABLE:
        read(operations.get_check(check_id), response)
    return max(PAUSE_SECONDS, float(response.headers.get("Retry-After", PAUSE_SECONDS)))


def _event(id: str, kind: str, data: Mapping[str, Any]) -> CheckEvent:
    if kind == "claim":
        return CheckEvent(id, kind, claim=Claim.model_validate(data))
    if kind == "result":
        check = Check.model_validate(data)
        return CheckEvent(id, kind, state=check.state, check=check)
    return CheckEvent(id, kind, state=data.get("state"))
