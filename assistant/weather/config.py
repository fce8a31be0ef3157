"""The weather service as the operator set it: addresses, allowed hosts, limits."""

from dataclasses import dataclass

from django.conf import settings

from sandbox import Tier


@dataclass(frozen=True, slots=True)
class WeatherService:
    """Where Open-Meteo answers. An empty address switches the tool off.

    `deadline_seconds` bounds all requests of one question together, `max_bytes` each answer.
    """

    geocoding_url: str
    forecast_url: str
    archive_url: str
    hosts: frozenset[str]
    deadline_seconds: float
    connect_seconds: float
    cache_seconds: int
    max_bytes: int
    proxy: str
    key: str
    tiers: tuple[Tier, ...]


def service() -> WeatherService:
    """The settings of this moment, so that tests can change them."""
    return WeatherService(
        geocoding_url=settings.WEATHER_GEOCODING_URL,
        forecast_url=settings.WEATHER_FORECAST_URL,
        archive_url=settings.WEATHER_ARCHIVE_URL,
        hosts=frozenset(settings.WEATHER_HOSTS),
        deadline_seconds=settings.WEATHER_DEADLINE_SECONDS,
        connect_seconds=settings.WEATHER_CONNECT_SECONDS,
        cache_seconds=settings.WEATHER_CACHE_SECONDS,
        max_bytes=settings.WEATHER_MAX_BYTES,
        proxy=settings.WEATHER_PROXY,
        key=settings.WEATHER_KEY,
        tiers=tuple(Tier(name) for name in settings.SANDBOX_TIERS),
    )
