"""A GET request with bounded host, time, size and type, so that an answer cannot abuse it.

Answers are cached in Redis; without Redis every question fetches anew.
"""

import asyncio
import json
import ssl
from collections.abc import Coroutine
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

import httpx
import structlog
from django.conf import settings
from redis.exceptions import RedisError

from assistant.weather.types import WeatherFault, WeatherUnavailable
from lib.workqueue.broker import redis_client

log = structlog.get_logger(__name__)
_REASON = 160
_CONNECT_SECONDS = 3.0
_HEADERS = {"Accept": "application/json", "Accept-Encoding": "identity", "User-Agent": "watchdog"}


def address(url: str, query: dict[str, str]) -> str:
    """Return the complete URL as called and cited, without the key."""
    return str(httpx.URL(url, params=query))


def _hosts() -> set[str | None]:
    """Return the hosts of the configured services; no answer can lead to another."""
    services = (
        settings.WEATHER_GEOCODING_URL,
        settings.WEATHER_FORECAST_URL,
        settings.WEATHER_ARCHIVE_URL,
    )
    return {urlsplit(url).hostname for url in services if url}


def fetch(url: str, deadline: float) -> bytes:
    """Return the body of a JSON answer. Raises WeatherUnavailable, saying why.

    `deadline` is on the monotonic clock, one for all requests of a question.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or parts.hostname not in _hosts():
        raise no_weather(
            WeatherFault.SERVICE_ERROR,
            f"{parts.hostname} is not among the hosts that may be asked",
        )
    try:
        return _finish(_within(deadline - monotonic(), _get(url)))
    except TimeoutError as error:
        limit = f"{settings.WEATHER_DEADLINE_SECONDS:g}"
        raise no_weather(WeatherFault.TOO_SLOW, f"no answer within {limit} seconds") from error
    except (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError) as error:
        raise no_weather(WeatherFault.OFFLINE, "the weather service cannot be reached") from error
    except httpx.HTTPError as error:
        what = f"the answer broke off ({type(error).__name__})"
        raise no_weather(WeatherFault.BAD_ANSWER, what) from error


async def _within(seconds: float, work: Coroutine[Any, Any, bytes]) -> bytes:
    """Bound all of the work by the deadline, so that a slow stream of bytes gains nothing."""
    async with asyncio.timeout(max(0.0, seconds)):
        return await work


def _finish(work: Coroutine[Any, Any, bytes]) -> bytes:
    """Run like asyncio.run, which would also wait for an abandoned name lookup."""
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(work)
    finally:
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


async def _get(url: str) -> bytes:
    timeout = httpx.Timeout(settings.WEATHER_DEADLINE_SECONDS, connect=_CONNECT_SECONDS)
    # Nothing of the environment: no proxy or .netrc that nobody meant for this tool.
    async with (
        httpx.AsyncClient(
            timeout=timeout,
            follow_redirects=False,
            trust_env=False,
            proxy=settings.WEATHER_PROXY or None,
            verify=_authorities(),
        ) as client,
        client.stream("GET", url, params=_with_key(url), headers=_HEADERS) as response,
    ):
        body = await _body(response, settings.WEATHER_MAX_BYTES)
    if response.is_redirect:
        raise no_weather(WeatherFault.SERVICE_ERROR, "the service answered with a redirect")
    if response.status_code != httpx.codes.OK:
        raise no_weather(WeatherFault.SERVICE_ERROR, _refusal(response.status_code, body))
    kind = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise no_weather(WeatherFault.BAD_ANSWER, "the answer is not JSON")
    return body


@cache
def _authorities() -> ssl.SSLContext:
    """Return the certificate authorities, read once since that takes a quarter of a second."""
    return httpx.create_ssl_context(trust_env=False)


def _with_key(url: str) -> dict[str, str]:
    """Return the query with a paying customer's key, if there is one."""
    query = dict(httpx.URL(url).params)
    return query | ({"apikey": settings.WEATHER_KEY} if settings.WEATHER_KEY else {})


async def _body(response: httpx.Response, limit: int) -> bytes:
    """Return the raw bytes, never decompressed, up to the limit."""
    if response.headers.get("Content-Encoding", "identity") != "identity":
        raise no_weather(WeatherFault.BAD_ANSWER, "the answer is packed, which was not asked for")
    body = bytearray()
    async for piece in response.aiter_raw():
        body += piece
        if len(body) > limit:
            raise no_weather(WeatherFault.BAD_ANSWER, f"the answer has more than {limit:,} bytes")
    return bytes(body)


def _refusal(status: int, body: bytes) -> str:
    """Return the status and Open-Meteo's reason ({"error": true, "reason": …}), if printable."""
    try:
        payload = json.loads(body)
        reason = str(payload["reason"]) if isinstance(payload, dict) else ""
    except (ValueError, KeyError, RecursionError):
        reason = ""
    printable = "".join(char for char in reason if char.isprintable())[:_REASON]
    return f"the service answered {status}" + (f': "{printable}"' if printable else "")


def no_weather(trouble: WeatherFault, what: str) -> WeatherUnavailable:
    """Return the error for an answer that could not be had or used."""
    return WeatherUnavailable(trouble, f"The weather could not be fetched: {what}.")


_LARGEST = 256 * 1024
"""Bytes worth keeping; an honest answer for 31 days has about 40 kB."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer's body with its URL, the time it was fetched, and whether it is new."""

    body: bytes
    url: str
    retrieved_at: datetime
    cached: bool = False


def answer(url: str, deadline: float) -> Answer:
    """Return an answer from the cache, otherwise from the network; it is not yet validated."""
    cached = _read(url) if settings.WEATHER_CACHE_SECONDS else None
    if cached:
        return cached
    return Answer(fetch(url, deadline), url, datetime.now(UTC))


def keep(answer: Answer, seconds: int) -> None:
    """Cache a validated answer; one that came from the cache keeps its age."""
    if answer.cached or not seconds or len(answer.body) > _LARGEST:
        return
    value = json.dumps([answer.retrieved_at.isoformat(), answer.body.decode()])
    try:
        redis_client().set(_key(answer.url), value, ex=seconds)
    except RedisError as error:
        log.warning("weather_not_cached", reason=type(error).__name__)


def _read(url: str) -> Answer | None:
    try:
        value = redis_client().get(_key(url))
    except RedisError as error:
        log.warning("weather_cache_unreachable", reason=type(error).__name__)
        return None
    if not isinstance(value, bytes):
        return None
    retrieved_at, body = json.loads(value)
    return Answer(body.encode(), url, datetime.fromisoformat(retrieved_at), cached=True)


def _key(url: str) -> str:
    return f"weather:{sha256(url.encode()).hexdigest()}"
