"""Input and output types of the weather tool: frozen, without Django, storable as JSON."""

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import Any


class WeatherStatus(StrEnum):
    """The outcome of the tool. Only `ok` has statements."""

    OK = "ok"
    NOT_ASKED = "not_asked"
    UNAVAILABLE = "unavailable"


class WeatherFault(StrEnum):
    """The reason why there is no weather; `reason` has the sentence for the manager."""

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
    """Raised if there is no weather; `trouble` is the kind, `sentence` what to do."""

    def __init__(self, trouble: WeatherFault, sentence: str) -> None:
        super().__init__(trouble, sentence)
        self.trouble = trouble
        self.sentence = sentence

    def __str__(self) -> str:
        return self.sentence


@dataclass(frozen=True, slots=True)
class Place:
    """A place on the map, in degrees; `timezone` is an IANA name, "" if unknown."""

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
    """The hours asked about: days [first, last], each from `from_hour` up to `to_hour`.

    Hours are local to the place, 0 to 24; `words` is what the question said, "" for the default.
    """

    first: date
    last: date
    from_hour: int = 0
    to_hour: int = 24
    words: str = ""


@dataclass(frozen=True, slots=True)
class WeatherStatement:
    """One citable sentence, its URL and the hours it covers.

    `first_hour` and `last_hour` are local times of the place, "2026-11-22T06:00"; the last hour is
    included, so "…T17:00" ends at 18:00.
    """

    text: str
    source: str
    retrieved_at: datetime
    first_hour: str
    last_hour: str


@dataclass(frozen=True, slots=True)
class WeatherEvidence:
    """The weather in the evidence bundle.

    `figures` holds the numbers behind the statements (km/h, mm, °C); `tier` names the sandbox that
    computed them; `timings` are seconds by step. `cached`: no request was made.
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
