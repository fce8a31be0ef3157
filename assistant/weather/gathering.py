"""The entry of the weather tool: a question in, evidence out. Never raises for outside failures."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from time import monotonic, perf_counter
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import structlog
from django.conf import settings

from assistant.weather import days, openmeteo, places, thresholds
from assistant.weather.analysing import Analysis, analyse
from assistant.weather.days import asks_for_weather
from assistant.weather.openmeteo import HourlyWeather
from assistant.weather.statements import ForecastScope, sentences
from assistant.weather.types import (
    HourRange,
    Place,
    WeatherEvidence,
    WeatherFault,
    WeatherStatement,
    WeatherStatus,
    WeatherUnavailable,
)
from lib.text.tokens import Tokens, tokenize

_DEGREES_AN_HOUR = 15
log = structlog.get_logger(__name__)
Timings = dict[str, float]


def gather(question: str, remembered_location: str | None, *, now: datetime) -> WeatherEvidence:
    """Return the weather that a question needs, as statements that can be cited.

    `now` is time-zone aware. Ends within WEATHER_DEADLINE_SECONDS and the sandbox's wall limit,
    whatever the network does.
    """
    timings: Timings = {}
    with _timed("total", timings):
        tokens = tokenize(question)
        if not asks_for_weather(tokens):
            reason = "The question does not ask about the weather."
            return WeatherEvidence(WeatherStatus.NOT_ASKED, reason, WeatherFault.NOT_ASKED)
        try:
            return _gather(question, tokens, remembered_location, now, timings)
        except WeatherUnavailable as error:
            log.info("weather_unavailable", trouble=error.trouble.value)
            return WeatherEvidence(
                WeatherStatus.UNAVAILABLE, error.sentence, error.trouble, timings=timings
            )


def _gather(
    question: str, tokens: Tokens, remembered: str | None, now: datetime, timings: Timings
) -> WeatherEvidence:
    deadline = monotonic() + settings.WEATHER_DEADLINE_SECONDS
    with _timed("location", timings):
        place = _locate(question, remembered, deadline)
    local = now.astimezone(_zone(place))
    period = days.period(tokens, local.date())
    with _timed("fetch", timings):
        weather = openmeteo.hourly(place, period, local.date(), deadline)
    hours = _hours_of_period(weather, period, now)
    with _timed("analysis", timings):
        limits = thresholds.thresholds_in(tokens)
        analysis, tier = analyse(weather.hours, hours, limits)
    return WeatherEvidence(
        WeatherStatus.OK,
        location=place,
        period=period,
        statements=_statements(place, weather, hours, analysis),
        figures=_figures(weather, hours, analysis),
        tier=tier.value,
        cached=weather.cached,
        timings=timings,
    )


def _locate(question: str, remembered: str | None, deadline: float) -> Place:
    """Return the question's own place, otherwise the remembered one."""
    if not (settings.WEATHER_GEOCODING_URL and settings.WEATHER_FORECAST_URL):
        raise WeatherUnavailable(WeatherFault.OFFLINE, "The weather tool is switched off.")
    queries = places.places_to_try(question, remembered)
    for item in queries:
        place = openmeteo.find(places.clean_place(item.text), deadline)
        if place:
            return place
        if item.sure:
            break
    if queries:
        raise WeatherUnavailable(
            WeatherFault.LOCATION_UNKNOWN,
            f"No place called “{places.clean_place(queries[0].text)}” was found.",
        )
    raise WeatherUnavailable(
        WeatherFault.NO_LOCATION,
        "No location is known. Name a town in the question, or tell me where the site is.",
    )


def _zone(place: Place) -> ZoneInfo | timezone:
    """Return the time zone of the place, estimated by longitude for bare coordinates."""
    try:
        if place.timezone:
            return ZoneInfo(place.timezone)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise WeatherUnavailable(
            WeatherFault.BAD_ANSWER, "The place was found with a time zone that does not exist."
        ) from error
    return timezone(timedelta(hours=round(place.longitude / _DEGREES_AN_HOUR)))


def _hours_of_period(weather: HourlyWeather, period: HourRange, now: datetime) -> list[int]:
    """Return the hours of the period; past ones are left out while any is in the future."""
    first, last = period.first.isoformat(), period.last.isoformat()
    inside = [
        at
        for at, hour in enumerate(weather.hours.time)
        if first <= hour[:10] <= last and period.from_hour <= int(hour[11:13]) < period.to_hour
    ]
    here = f"{now.astimezone(timezone(weather.offset)):%Y-%m-%dT%H:00}"
    ahead = [at for at in inside if weather.hours.time[at] >= here]
    positions = ahead or inside
    if not positions:
        raise WeatherUnavailable(WeatherFault.NO_DATA, "The service has no data for these hours.")
    return positions


def _statements(
    place: Place, weather: HourlyWeather, positions: list[int], analysis: Analysis
) -> tuple[WeatherStatement, ...]:
    first, last = weather.hours.time[positions[0]], weather.hours.time[positions[-1]]
    scope = ForecastScope(
        place.label, datetime.fromisoformat(first), datetime.fromisoformat(last), weather.record
    )
    return tuple(
        WeatherStatement(text, weather.source, weather.retrieved_at, first, last)
        for text in sentences(analysis, scope)
    )


def _figures(weather: HourlyWeather, positions: list[int], analysis: Analysis) -> dict[str, object]:
    """Return the analysis and the hours it used; units km/h, mm, °C."""
    hours = weather.hours
    columns = (hours.wind_speed_10m, hours.wind_gusts_10m, hours.precipitation)
    rows = [
        [hours.time[at], *(column[at] for column in (*columns, hours.temperature_2m))]
        for at in positions
    ]
    header = ["hour", "wind", "gusts", "precipitation", "temperature"]
    units = {"wind": "km/h", "gusts": "km/h", "precipitation": "mm", "temperature": "°C"}
    return analysis.model_dump() | {"units": units, "columns": header, "rows": rows}


@contextmanager
def _timed(name: str, timings: Timings) -> Iterator[None]:
    start = perf_counter()
    try:
        yield
    finally:
        timings[name] = round(perf_counter() - start, 4)
