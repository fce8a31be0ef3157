"""What the proxy counts, for Prometheus."""

from collections.abc import Iterator
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.responses import Response

from watchdog_client.guard import GuardedAnswer
from watchdog_client.verdicts import NOT_CHECKED


class Metrics:
    """The checks of one process: how they ended, and how long answers waited for them."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._checks = Counter(
            "watchdog_proxy_checks", "Texts by verdict.", ["action"], registry=self._registry
        )
        self._seconds = Histogram(
            "watchdog_proxy_check_seconds", "Waiting for a verdict.", registry=self._registry
        )

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Measure how long the block waits for a verdict."""
        with self._seconds.time():
            yield

    def count(self, result: GuardedAnswer) -> None:
        """Count one checked text."""
        self._checks.labels(result.action or NOT_CHECKED).inc()

    def response(self) -> Response:
        """All of it as Prometheus reads it."""
        return Response(generate_latest(self._registry), media_type=CONTENT_TYPE_LATEST)
