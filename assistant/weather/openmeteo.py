"""Open-Meteo's JSON, validated field by field: places by name, hours by place and days.

https://open-meteo.com/en/docs (forecast), /historical-weather-api (archive), /geocoding-api.
"""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Annotated, Literal, TypeVar

from django.conf import settings
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from assistant.weather.fetching import Answer, address, answer, keep, no_weather
from assistant.weather.places import clean_place, coordinates
from assistant.weather.types import HourRange, Place, WeatherFault, WeatherUnavailable

AHEAD_DAYS = 15
"""The forecast reaches 16 days with today."""
BEHIND_DAYS = 5
"""The archive is complete five days back; younger days come from the forecast's own past."""
_PLACES_KEPT_S = 86_400
_CANDIDATES = 10
_HOURLY = "temperature_2m,precipitation,wind_speed_10m,wind_gusts_10m,weather_code"
_MOST_HOURS = 24 * 33

Value = Annotated[float, Field(allow_inf_nan=False)] | None
Hour = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):00$")]
Text = Annotated[str, Field(max_length=200)]
Column = Annotated[list[Value], Field(max_length=_MOST_HOURS)]


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")


class _Place(_Strict):
    name: Text
    latitude: Annotated[float, Field(ge=-90, le=90)]
    longitude: Annotated[float, Field(ge=-180, le=180)]
    country: Text = ""
    country_code: Text = ""
    admin1: Text = ""
    timezone: Text = ""


class _Places(_Strict):
    results: Annotated[list[_Place], Field(max_length=100)] = []


class _Units(_Strict):
    temperature_2m: Literal["°C"]
    precipitation: Literal["mm"]
    wind_speed_10m: Literal["km/h"]
    wind_gusts_10m: Literal["km/h"]


class Hours(_Strict):
    """Hourly columns of equal length; None if the service has no value."""

    time: Annotated[list[Hour], Field(max_length=_MOST_HOURS)]
    temperature_2m: Column
    precipitation: Column
    wind_speed_10m: Column
    wind_gusts_10m: Column
    weather_code: Annotated[list[int | None], Field(max_length=_MOST_HOURS)]

    @property
    def measures(self) -> dict[str, list[float | None]]:
        """The columns by the names of their measures."""
        return {
            "wind": self.wind_speed_10m,
            "gusts": self.wind_gusts_10m,
            "precipitation": self.precipitation,
            "temperature": self.temperature_2m,
        }

    @model_validator(mode="after")
    def _same_length(self) -> "Hours":
        lengths = {len(self.weather_code), *map(len, self.measures.values())}
        if lengths != {len(self.time)} or self.time != sorted(set(self.time)):
            raise ValueError("hours and values do not belong together")
        return self


class _Weather(_Strict):
    utc_offset_seconds: Annotated[int, Field(ge=-50_400, le=50_400)]
    timezone: Text
    hourly_units: _Units
    hourly: Hours


_Model = TypeVar("_Model", bound=_Strict)


@dataclass(frozen=True, slots=True)
class HourlyWeather:
    """The hours of a place and their source. `record` is true for the archive."""

    hours: Hours
    offset: timedelta
    source: str
    retrieved_at: datetime
    cached: bool
    record: bool


def find(name: str, deadline: float) -> Place | None:
    """Return the place of that name, or None if the service knows none.

    "Springfield, Illinois" is looked up as Springfield and chosen by what follows the comma.
    """
    point = coordinates(name)
    if point:
        return Place(f"{point[0]:g}, {point[1]:g}", "", "", *point, timezone="")
    bare, *qualifiers = [part.strip() for part in name.split(",") if part.strip()]
    query = {"name": bare, "count": str(_CANDIDATES), "language": "en", "format": "json"}
    response = answer(address(settings.WEATHER_GEOCODING_URL, query), deadline)
    places = _valid(_Places, response)
    keep(response, _PLACES_KEPT_S if settings.WEATHER_CACHE_SECONDS else 0)
    fitting = (
        result for result in places.results if all(_fits(result, part) for part in qualifiers)
    )
    place = next(fitting, None)
    return _place(place) if place else None


def _fits(place: _Place, part: str) -> bool:
    parts = (place.country, place.country_code, place.admin1)
    return any(item.casefold().startswith(part.casefold()) for item in parts if item)


def _place(place: _Place) -> Place:
    """Return a place of the answer, with its untrusted names cleaned."""
    names = (place.name, place.admin1, place.country)
    try:
        name, region, country = (clean_place(text) if text else "" for text in names)
    except WeatherUnavailable as error:
        raise no_weather(WeatherFault.BAD_ANSWER, "a place has a name that is none") from error
    return Place(name, region, country, place.latitude, place.longitude, place.timezone)


def hourly(place: Place, period: HourRange, today: date, deadline: float) -> HourlyWeather:
    """Return every hour of the days, from the archive if complete, otherwise from the forecast."""
    if period.last > today + timedelta(days=AHEAD_DAYS):
        raise WeatherUnavailable(
            WeatherFault.DAYS_OUT_OF_REACH,
            f"Forecasts reach {AHEAD_DAYS} days ahead; {period.last:%d %B %Y} is later.",
        )
    record = period.last < today - timedelta(days=BEHIND_DAYS)
    response = answer(_weather_address(place, period, record), deadline)
    weather = _valid(_Weather, response)
    keep(response, settings.WEATHER_CACHE_SECONDS)
    offset = timedelta(seconds=weather.utc_offset_seconds)
    return HourlyWeather(
        weather.hourly, offset, response.url, response.retrieved_at, response.cached, record
    )


def _weather_address(place: Place, period: HourRange, record: bool) -> str:
    query = {
        "latitude": f"{place.latitude:.4f}",
        "longitude": f"{place.longitude:.4f}",
        "hourly": _HOURLY,
        "start_date": period.first.isoformat(),
        "end_date": period.last.isoformat(),
        "timezone": place.timezone or "auto",
        "wind_speed_unit": "kmh",
        "temperature_unit": "celsius",
        "precipitation_unit": "mm",
    }
    return address(settings.WEATHER_ARCHIVE_URL if record else settings.WEATHER_FORECAST_URL, query)


def _valid(model: type[_Model], answer: Answer) -> _Model:
    try:
        return model.model_validate_json(answer.body)
    except ValidationError as error:
        where = ".".join(map(str, error.errors()[0]["loc"])) or "its form"
        what = f"the answer is not what Open-Meteo gives ({where})"
        raise no_weather(WeatherFault.BAD_ANSWER, what) from error
