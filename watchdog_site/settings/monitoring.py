"""Logs, traces and metrics."""

import structlog

from watchdog_site.logs import logging_config, shared_processors
from watchdog_site.settings.environment import env

LOGGING = logging_config(level=env.str("LOG_LEVEL", default="INFO"))
DJANGO_STRUCTLOG_CELERY_ENABLED = True
# Traces (docs/operations/monitoring.md#traces); OpenTelemetry reads the OTEL_… variables itself.
OTEL_ENDPOINT = env.str("OTEL_EXPORTER_OTLP_ENDPOINT", default="") or env.str(
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", default=""
)
TRACE_CONTENT = env.bool("TRACE_CONTENT", default=False)
# Prometheus reads /metrics with this bearer token; without one the address does not exist.
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
# --- Probes of the guard (docs/operations/probes.md); 0 minutes: none are sent ---------
PROBE_MINUTES = env.int("PROBE_MINUTES", default=60)
PROBE_SECONDS = 30
PROBE_URL = env.str("PROBE_URL", default=f"http://127.0.0.1:{env.str('WEB_PORT', default='8000')}")
PROBE_PROXY_URL = env.str("PROBE_PROXY_URL", default="")
structlog.configure(
    # What the level drops costs nothing more: libraries tell of each request and task at INFO.
    processors=[
        structlog.stdlib.filter_by_level,
        *shared_processors(),
        structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
    ],
    logger_factory=structlog.stdlib.LoggerFactory(),
    cache_logger_on_first_use=True,
)
