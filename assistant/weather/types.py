"""Places, hours and faults of the weather tool: frozen, without Django, storable as JSON."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum


class WeatherFault(StrEnum):
    """The reason why there is no weather; `reason` has the sentence for the manager."""

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

    Hours are local to the place, 0 to 24.
    """

    first: date
    last: date
    from_hour: int = 0
    to_hour: int = 24
