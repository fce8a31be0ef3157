"""`/metrics` for Prometheus: figures of the installation, read from the database.

State lives in PostgreSQL, so every web server gives the same figures; only those of requests are
its own. The address exists where METRICS_TOKEN is set, and asks for it as a bearer token.
"""

import os
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import accumulate

from django.conf import settings
from django.db.models import Count, Min, Q
from django.db.models.functions import Now
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CollectorRegistry, Counter, Histogram, Metric, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from accounts.authentication import APPLICATION
from analysis.engine import ENGINE_VERSION
from analysis.models import Check, Job, ProbeOutcome
from analysis.selectors.metrics import (
    Queue,
    actions_by_application,
    check_queue,
    judges_total,
    models_in_use,
    summed_milliseconds,
    totals,
)
from analysis.selectors.probes import latest_results
from analysis.trends import histogram
from analysis.trends.metrics import ANY, FAILED
from assistant.models import BriefingMail, Turn
from documents.models import Document
from lib.workqueue.models import QUEUED, RUNNING, LeasedModel
from notifications.models import Notification

# Counts and times the requests of a web process, by route and status, for `/metrics`.
#
# Several processes of one server share a folder (PROMETHEUS_MULTIPROC_DIR, which gunicorn_conf.py
# sets), so that each of them answers for all. Routes are patterns: an address names a check.

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


def request_registry() -> CollectorRegistry:
    """Return what all processes of this server counted; where they share nothing, this one's."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return _REGISTRY
    shared = CollectorRegistry()
    MultiProcessCollector(shared)  # type: ignore[no-untyped-call]
    return shared


STAGES = {
    "waiting_time": "queue",
    "model_time": "models",
    "worker_time": "worker",
    "total_time": "total",
}
_OF_JUDGES = {
    "claims_judged": "Claims that a judge decided.",
    "claims_judge_unavailable": "Claims that a judge left to others, since it was not available.",
    "judge_calls": "Calls of a language model that judges, those not answered included.",
    "judge_tokens": "Tokens of a language model that judges; estimated where it did not answer.",
}
QUEUES: Mapping[str, type[LeasedModel]] = {
    "checks": Check,
    "documents": Document,
    "questions": Turn,
    "jobs": Job,
    "briefings": BriefingMail,
    "notifications": Notification,
}


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Return the figures in Prometheus' text format; 401 without the token."""
    if not settings.METRICS_TOKEN:
        raise Http404
    expected = f"Bearer {settings.METRICS_TOKEN}"
    if not constant_time_compare(request.headers.get("Authorization", ""), expected):
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    registry = CollectorRegistry()
    registry.register(ProductCollector())
    text = generate_latest(registry) + generate_latest(request_registry())
    return HttpResponse(text, content_type=CONTENT_TYPE_LATEST)


class ProductCollector(Collector):
    """Reads the figures again at each scrape."""

    def describe(self) -> Iterator[Metric]:
        """Return nothing: the database is read at a scrape, not at registration."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        counts = totals()
        yield _counter("checks", "Checks with a verdict.", "action", counts["actions"])
        yield _applications()
        yield _counter("checks_ended", "Checks that ended.", "state", counts["checks"])
        signals = {k: n for k, n in counts["not_checked"].items() if k not in (ANY, FAILED)}
        yield _counter(
            "signals_not_checked", "Checks in which a signal did not run.", "signal", signals
        )
        yield _durations(counts)
        yield from _judges()
        yield from _queues()
        yield InfoMetricFamily("watchdog_engine", "The engine.", {"version": ENGINE_VERSION})
        family = GaugeMetricFamily(
            "watchdog_model_in_use",
            "1 for each model that made a signal in the last seven days.",
            labels=["signal", "model"],
        )
        for signal, model in models_in_use():
            family.add_metric([signal, model], 1)
        yield family
        yield from _probes()


def _counter(name: str, text: str, label: str, counts: Mapping[str, int]) -> Metric:
    family = CounterMetricFamily(f"watchdog_{name}", text, labels=[label])
    for key, count in counts.items():
        family.add_metric([key], count)
    return family


def _applications() -> Metric:
    family = CounterMetricFamily(
        "watchdog_application_checks",
        "Checks with a verdict by application.",
        labels=["application", "action"],
    )
    for application, action, count in actions_by_application():
        family.add_metric([application, action], count)
    return family


def _judges() -> Iterator[Metric]:
    """Yield who decided claims, failures of language models, and the cost of those asked."""
    rows = judges_total()
    for at, (name, text) in enumerate(_OF_JUDGES.items()):
        yield _counter(name, text, "judge", {judge: counts[at] for judge, *counts in rows})


def _durations(counts: Mapping[str, Mapping[str, int]]) -> Metric:
    family = HistogramMetricFamily(
        "watchdog_check_duration_seconds",
        "Time of a check: in the queue, in the worker and, of that, in its models; and in total.",
        labels=["stage"],
    )
    bounds = [*(f"{bound / 1000:g}" for bound in histogram.BOUNDS), "+Inf"]
    sums = summed_milliseconds()
    for metric, stage in STAGES.items():
        buckets = list(zip(bounds, accumulate(counts[metric].values()), strict=True))
        family.add_metric([stage], buckets, sum_value=sums[metric] / 1000)
    return family


def _queue(model: type[LeasedModel]) -> Queue:
    if model is Check:  # its index is read from the oldest on
        return check_queue()
    rows = model._default_manager.filter(Q(state=QUEUED))
    figures = rows.aggregate(depth=Count("pk"), first=Min("created_at"))
    first = figures["first"]
    age = (timezone.now() - first).total_seconds() if first else 0.0
    return Queue(figures["depth"], age)


def _queues() -> Iterator[Metric]:
    depth = GaugeMetricFamily("watchdog_queue_depth", "Items that wait.", labels=["queue"])
    age = GaugeMetricFamily(
        "watchdog_queue_oldest_seconds", "Age of the oldest item that waits.", labels=["queue"]
    )
    abandoned = GaugeMetricFamily(
        "watchdog_queue_abandoned", "Running items whose lease ran out.", labels=["queue"]
    )
    for name, model in QUEUES.items():
        queue = _queue(model)
        depth.add_metric([name], queue.depth)
        age.add_metric([name], queue.oldest)
        abandoned.add_metric(
            [name], model._default_manager.filter(Q(state=RUNNING, lease_until__lt=Now())).count()
        )
    yield from (depth, age, abandoned)


def _probes() -> Iterator[Metric]:
    labels = ("application", "probe", "way", "judge")
    passed = GaugeMetricFamily(
        "watchdog_probe_passed", "1 where the last probe got the right verdict.", labels=labels
    )
    at = GaugeMetricFamily(
        "watchdog_probe_timestamp_seconds", "When the last probe was sent.", labels=labels
    )
    for result in latest_results(None, timezone.now()):
        slug = result.application.slug if result.application else ""
        values = [slug, result.probe, result.way, result.judge]
        passed.add_metric(values, float(result.outcome == ProbeOutcome.PASSED))
        at.add_metric(values, result.at.timestamp())
    yield from (passed, at)
