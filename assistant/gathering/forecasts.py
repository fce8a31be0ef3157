"""The weather in the bundle: one item for each sentence of the weather tool."""

from collections.abc import Callable
from datetime import datetime

from analysis.engine.codec import encode
from assistant.evidence import EvidenceKind, Item, SourceStatus
from assistant.gathering.documents import SourceResult
from assistant.weather import gather
from assistant.weather.days import asks_for_weather
from assistant.weather.types import WeatherEvidence, WeatherStatement, WeatherStatus
from documents.injection import scan
from lib.text.tokens import tokenize

_STATUS = {
    WeatherStatus.OK: SourceStatus.OK,
    WeatherStatus.NOT_ASKED: SourceStatus.NOT_ASKED,
    WeatherStatus.UNAVAILABLE: SourceStatus.UNAVAILABLE,
}


def find_weather(
    question: str, remembered_location: Callable[[], str | None], now: datetime
) -> SourceResult:
    """Return the weather for the question's place and time.

    Memory is only read for the place if the question asks about the weather.
    """
    location = remembered_location() if asks_for_weather(tokenize(question)) else None
    weather = gather(question, location, now=now)
    details = encode(weather)
    details.pop("statements")
    return SourceResult(_items(weather), _STATUS[weather.status], weather.reason, details)


def _items(weather_evidence: WeatherEvidence) -> tuple[Item, ...]:
    place = weather_evidence.location.label if weather_evidence.location else ""
    return tuple(_item(statement, place) for statement in weather_evidence.statements)


def _item(statement: WeatherStatement, place: str) -> Item:
    at = statement.retrieved_at
    return Item(
        number=0,
        kind=EvidenceKind.WEATHER,
        text=statement.text,
        title=f"Open-Meteo, {place}, retrieved {at:%d %b %Y %H:%M} {at.tzname() or ''}".rstrip(),
        uri=statement.source,
        place={
            "url": statement.source,
            "location": place,
            "retrieved_at": at.isoformat(),
            "first_hour": statement.first_hour,
            "last_hour": statement.last_hour,
        },
        injection=scan(statement.text).payload(),
    )
