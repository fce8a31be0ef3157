"""Caches the weather service's answers in Redis; without Redis every question fetches anew."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

import structlog
from django.conf import settings
from redis.exceptions import RedisError

from assistant.weather.fetching import fetch
from lib.workqueue.broker import redis_client

_LARGEST = 256 * 1024
"""Bytes worth keeping; an honest answer for 31 days has about 40 kB."""
log = structlog.get_logger(__name__)


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
