"""The entry of the weather tool: a question in, evidence out. Never raises for outside failures."""

from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from time import monotonic
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import structlog
from django.conf import settings

from analysis.engine.codec import encode
from assistant.evidence import EvidenceKind, Item, SourceResult, SourceStatus
from assistant.weather import days, openmeteo, places, thresholds
from assistant.weather.analysing import Analysis, analyse
from assistant.weather.openmeteo import HourlyWeather
from assistant.weather.statements import UNITS, ForecastScope, sentences
from assistant.weather.types import HourRange, Place, WeatherFault, WeatherUnavailable
from documents.injection import scan
from lib.text.tokens import Tokens, tokenize

_DEGREES_AN_HOUR = 15
log = structlog.get_logger(__name__)


def gather(
    question: str, remembered_location: Callable[[], str | None], *, now: datetime
) -> SourceResult:
    """Return the weather that a question needs, as statements that can be cited.

    `remembered_location` is asked only if the question is about the weather; `now` is time-zone
    aware. Ends within WEATHER_DEADLINE_SECONDS and the sandbox's wall limit, whatever the network
    does. Of a result, `details` hold the place, the hours, the numbers behind the statements (km/h,
    mm, °C), the sandbox that computed them (`tier`), and whether no request was made (`cached`); of
    a failure its kind (`trouble`).
    """
    tokens = tokenize(question)
    if not days.asks_for_weather(tokens):
        reason = "The question does not ask about the weather."
        return SourceResult((), SourceStatus.NOT_ASKED, reason)
    try:
        return _gather(question, tokens, remembered_location(), now)
    except WeatherUnavailable as error:
        log.info("weather_unavailable", trouble=error.trouble.value)
        details = {"trouble": error.trouble.value}
        return SourceResult((), SourceStatus.UNAVAILABLE, error.sentence, details)


def _gather(question: str, tokens: Tokens, remembered: str | None, now: datetime) -> SourceResult:
    deadline = monotonic() + settings.WEATHER_DEADLINE_SECONDS
    place = _locate(question, remembered, deadline)
    local = now.astimezone(_zone(place))
    period = days.period(tokens, local.date())
    weather = openmeteo.hourly(place, period, local.date(), deadline)
    hours = _hours_of_period(weather, period, now)
    analysis, tier = analyse(weather.hours, hours, thresholds.thresholds_in(tokens))
    details = {
        "location": encode(place),
        "period": encode(period),
        "figures": _figures(weather, hours, analysis),
        "tier": tier.value,
        "cached": weather.cached,
    }
    return SourceResult(_items(place, weather, hours, analysis), SourceStatus.OK, details=details)


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


def _items(
    place: Place, weather: HourlyWeather, positions: list[int], analysis: Analysis
) -> tuple[Item, ...]:
    """Return an item for each sentence; `last_hour` is included, so "…T17:00" ends at 18:00."""
    first, last = weather.hours.time[positions[0]], weather.hours.time[positions[-1]]
    scope = ForecastScope(
        place.label, datetime.fromisoformat(first), datetime.fromisoformat(last), weather.record
    )
    at = weather.retrieved_at
    return tuple(
        Item(
            number=0,
            kind=EvidenceKind.WEATHER,
            text=text,
            title=f"Open-Meteo, {place.label}, retrieved {at:%d %b %Y %H:%M} {at.tzname()}",
            uri=weather.source,
            place={
                "url": weather.source,
                "location": place.label,
                "retrieved_at": at.isoformat(),
                "first_hour": first,
                "last_hour": last,
            },
            injection=scan(text).payload(),
        )
        for text in sentences(analysis, scope)
    )


def _figures(weather: HourlyWeather, positions: list[int], analysis: Analysis) -> dict[str, object]:
    """Return the analysis and the hours it used; units km/h, mm, °C."""
    hours, measures = weather.hours, weather.hours.measures
    rows = [[hours.time[at], *(column[at] for column in measures.values())] for at in positions]
    table = {"units": UNITS, "columns": ["hour", *measures], "rows": rows}
    return analysis.model_dump() | table
