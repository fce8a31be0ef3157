"""Rate limits per application: counted atomically in Redis by the `limits` library.

Responses carry `RateLimit-*` headers (IETF draft-ietf-httpapi-ratelimit-headers), also with a 429.
If Redis does not answer, calls are allowed and logged: a submission is worth more than its count.
"""

from dataclasses import dataclass
from time import time
from typing import TYPE_CHECKING

import structlog
from django.conf import settings
from limits import RateLimitItemPerMinute
from limits.storage import RedisStorage
from limits.strategies import SlidingWindowCounterRateLimiter
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from accounts.authentication import Client
from lib.lazy import Lazy
from lib.workqueue.broker import redis_outage
from lib.workqueue.redis_address import connection_pool

if TYPE_CHECKING:  # it reads the settings that name this module
    from rest_framework.views import APIView

log = structlog.get_logger(__name__)
WINDOW_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Quota:
    """The rest of an application's window. `reset` is in seconds from now."""

    limit: int
    remaining: int
    reset: int

    def headers(self) -> dict[str, str]:
        return {
            "RateLimit-Policy": f"{self.limit};w={WINDOW_SECONDS}",
            "RateLimit-Limit": str(self.limit),
            "RateLimit-Remaining": str(self.remaining),
            "RateLimit-Reset": str(self.reset),
        }


@Lazy
def _limiter() -> SlidingWindowCounterRateLimiter:
    pool = connection_pool(
        settings.REDIS_URL, timeout=settings.REDIS_TIMEOUT_SECONDS / 4, retry=Retry(NoBackoff(), 0)
    )
    storage = RedisStorage("redis://", connection_pool=pool, key_prefix="rate")
    return SlidingWindowCounterRateLimiter(storage)


def count(client: Client, *, cost: int = 1) -> tuple[bool, Quota | None]:
    """Count `cost` calls; return whether they are allowed, and the quota (None: no limit)."""
    limit = client.rate_limit_per_minute
    if limit is None or redis_outage.is_known():
        return True, None
    item = RateLimitItemPerMinute(limit)
    identity = str(client.application_id)
    try:
        allowed = _limiter().hit(item, identity, cost=cost)
        stats = _limiter().get_window_stats(item, identity)
    except RedisError as error:
        redis_outage.note()
        log.warning("rate_limit_not_counted", reason=type(error).__name__)
        return True, None
    redis_outage.end()
    reset = max(0, round(stats.reset_time - time()))
    return allowed, Quota(limit, max(0, stats.remaining), reset)


class ApplicationRateThrottle(BaseThrottle):
    """Counts each call once; a batch counts its further items itself."""

    quota: Quota | None = None

    def allow_request(self, request: Request, view: "APIView") -> bool:
        """Count this call and remember the quota for the response's headers."""
        if not isinstance(request.user, Client):
            return True
        allowed, self.quota = count(request.user)
        request._request.rate_quota = self.quota
        return allowed

    def wait(self) -> float | None:
        """Return the seconds until a retry is worthwhile (`Retry-After`)."""
        return float(max(1, self.quota.reset)) if self.quota else None
