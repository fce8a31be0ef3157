"""What the language model that judges may spend in a day, over all processes."""

from datetime import UTC, datetime

import structlog
from django.conf import settings
from redis.exceptions import RedisError

from workqueue.broker import redis_client

log = structlog.get_logger(__name__)
_KEPT_SECONDS = 2 * 24 * 3600


class DailyTokens:
    """Tokens since midnight, UTC, counted in Redis.

    Without Redis nothing is known to be left, so a limit counts as reached: a claim is then judged
    by the embedded judge, which costs nothing.
    """

    def is_spent(self) -> bool:
        """Whether today's limit is reached; never where there is none."""
        limit: int = settings.JUDGE_LLM_TOKENS_A_DAY
        if not limit:
            return False
        try:
            return int(redis_client().get(_key()) or 0) >= limit
        except RedisError as error:
            log.warning("judge_budget_unknown", reason=type(error).__name__)
            return True

    def spend(self, tokens: int) -> None:
        if not tokens or not settings.JUDGE_LLM_TOKENS_A_DAY:
            return
        try:
            with redis_client().pipeline(transaction=False) as pipe:
                pipe.incrby(_key(), tokens)
                pipe.expire(_key(), _KEPT_SECONDS)
                pipe.execute()
        except RedisError as error:
            log.warning("judge_budget_not_counted", tokens=tokens, reason=type(error).__name__)


def _key() -> str:
    return f"watchdog:judge:tokens:{datetime.now(UTC):%Y-%m-%d}"
