"""`/healthz`: the process answers. `/readyz`: it can accept a check."""

from collections.abc import Callable

from django.core.exceptions import ImproperlyConfigured
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from redis.exceptions import RedisError

from analysis.judge import describe_judge
from lib.workqueue import broker

HEALTH_PATH = "/healthz"
_TO_ACCEPT = ("database", "migrations")


class HealthMiddleware:
    """Answers `HEALTH_PATH` before sessions and host names are looked at."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return healthz(request) if request.path == HEALTH_PATH else self.get_response(request)


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Answer that the process is alive; touches nothing but this process."""
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Ready where a check would be stored, or 503; each part with what is wrong; the judge.

    What is stored without Redis or a worker is checked once they are back. `?all` wants them too.
    """
    probes = {
        "database": _database,
        "migrations": _migrations,
        "redis": _redis,
        "workers": _workers,
    }
    parts = {name: _say(probe) for name, probe in probes.items()}
    required = parts if "all" in request.GET else _TO_ACCEPT
    ready = all(parts[name] == "ok" for name in required)
    status = "ready" if ready else "not ready"
    body = {"status": status, "parts": parts, "judge": describe_judge()}
    return JsonResponse(body, status=200 if ready else 503)


def _say(probe: Callable[[], str]) -> str:
    try:
        return probe()
    except (Error, RedisError, ImproperlyConfigured, OSError) as error:
        return f"does not answer ({type(error).__name__})"


def _database() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return "ok"


def _migrations() -> str:
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return f"{len(missing)} not applied: run `manage.py migrate`" if missing else "ok"


def _redis() -> str:
    broker.redis_client().ping()
    return "ok"


def _workers() -> str:
    if broker.swept_recently():
        return "ok"
    return "no sweep in the last 30 seconds: is a worker running, and beat?"
