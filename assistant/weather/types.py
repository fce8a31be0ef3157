"""What the weather tool takes and gives: frozen, without Django, fit to be stored as JSON."""

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import Any


class WeatherStatus(StrEnum):
    """How the tool ended. Only `ok` carries statements."""

    OK = "ok"
    NOT_ASKED = "not_asked"
    UNAVAILABLE = "unavailable"


class WeatherFault(StrEnum):
    """Why there is no weather; the sentence for the manager stands in `reason`."""

    NOT_ASKED = "not_asked"
    NO_LOCATION = "no_location"
    LOCATION_REFUSED = "location_refused"
    LOCATION_UNKNOWN = "location_unknown"
    DAYS_OUT_OF_REACH = "days_out_of_reach"
    OFFLINE = "offline"
    TOO_SLOW = "too_slow"
    SERVICE_ERROR = "service_error"
    BAD_ANSWER = "bad_answer"
    NO_DATA = "no_data"
    NO_SANDBOX = "no_sandbox"
    SANDBOX_FAILED = "sandbox_failed"


class WeatherUnavailable(Exception):
    """The weather cannot be told; `trouble` says of which kind, `sentence` what to do."""

    def __init__(self, trouble: WeatherFault, sentence: str) -> None:
        super().__init__(trouble, sentence)
        self.trouble = trouble
        self.sentence = sentence

    def __str__(self) -> str:
        return self.sentence


@dataclass(frozen=True, slots=True)
class Place:
    """A place on the map. Degrees; `timezone` is an IANA name, "" where it is not known."""

    name: str
    region: str
    country: str
    latitude: float
    longitude: float
    timezone: str

    @property
    def label(self) -> str:
        """The place for a reader: "Rotterdam, South Holland, Netherlands"."""
        parts = (self.name, self.region, self.country)
        return ", ".join(part for at, part in enumerate(parts) if part and part not in parts[:at])


@dataclass(frozen=True, slots=True)
class HourRange:
    """Hours that were asked about: days [first, last], each from `from_hour` up to `to_hour`.

    Hours are those of the place, 0 to 24; `words` is what the question said, "" for the default.
    """

    first: date
    last: date
    from_hour: int = 0
    to_hour: int = 24
    words: str = ""


@dataclass(frozen=True, slots=True)
class WeatherStatement:
    """One sentence that can be cited, the address it comes from and the hours that it covers.

    `first_hour` and `last_hour` are local times of the place, "2026-11-22T06:00"; the last hour
    is included, so "…T17:00" ends at 18:00.
    """

    text: str
    source: str
    retrieved_at: datetime
    first_hour: str
    last_hour: str


@dataclass(frozen=True, slots=True)
class WeatherEvidence:
    """The weather's part of the evidence bundle.

    `figures` holds the numbers behind the statements (km/h, mm, °C); `tier` names the sandbox
    that computed them; `timings` are seconds by step. `cached` is true where no request was made.
    """

    status: WeatherStatus
    reason: str = ""
    trouble: WeatherFault | None = None
    location: Place | None = None
    period: HourRange | None = None
    statements: tuple[WeatherStatement, ...] = ()
    figures: dict[str, Any] = field(default_factory=dict)
    tier: str = ""
    cached: bool = False
    timings: dict[str, float] = field(default_factory=dict)
