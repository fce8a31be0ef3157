"""Counts and times the requests of a web process for `/metrics`.

Several processes of one server share a folder (PROMETHEUS_MULTIPROC_DIR, which gunicorn_conf.py
sets), so that each of them answers for all. Routes are patterns: an address names a check.
"""

import os
import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.multiprocess import MultiProcessCollector

from accounts.authentication import APPLICATION

_NO_ROUTE = "none"
_BOUNDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
# Beside others of this process, which the default registry has.
_REGISTRY = CollectorRegistry()
REQUESTS = Counter(
    "watchdog_http_requests",
    "Requests by route and status.",
    ("method", "route", "status"),
    registry=_REGISTRY,
)
OF_APPLICATIONS = Counter(
    "watchdog_application_requests",
    "Requests with an API key by its application and status.",
    ("application", "status"),
    registry=_REGISTRY,
)
SECONDS = Histogram(
    "watchdog_http_request_seconds",
    "Time until a response began, by route.",
    ("route",),
    buckets=_BOUNDS,
    registry=_REGISTRY,
)
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class HttpMetricsMiddleware:
    """Counts each response with the route that served it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        start = time.perf_counter()
        response = self.get_response(request)
        route = request.resolver_match.route if request.resolver_match else _NO_ROUTE
        method = request.method if request.method in _METHODS else "other"
        REQUESTS.labels(method, route, response.status_code).inc()
        if application := request.META.get(APPLICATION):
            OF_APPLICATIONS.labels(application, response.status_code).inc()
        SECONDS.labels(route).observe(time.perf_counter() - start)
        return response


def registry() -> CollectorRegistry:
    """Return what all processes of this server counted; where they share nothing, this one's."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return _REGISTRY
    shared = CollectorRegistry()
    MultiProcessCollector(shared)  # type: ignore[no-untyped-call]
    return shared
