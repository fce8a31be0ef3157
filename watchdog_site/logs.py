"""Structured logs: one JSON object a line, with request and check ids, never with content.

An exception's message may quote what it choked on (PostgreSQL prints the failing row), so an
exception is logged as its type and the places it passed, without its message. Of a database's
refusal it names the constraint, which quotes nothing.
"""

import re
import traceback
from collections.abc import MutableMapping
from typing import Any

import structlog
from structlog.typing import Processor, WrappedLogger

from lib.telemetry import tracing

EventDict = MutableMapping[str, Any]
_LINK = re.compile(r"(/view/)[^/\s\"'?]+")
_LOGIN = re.compile(r"(://)[^/\s\"'@]+(?=@)")
_PARAMETER = re.compile(r"([?&][\w-]{0,24}(?:key|token|secret|password)=)[^&\s\"']+", re.I)
_SECRETS = (_LINK, _LOGIN, _PARAMETER)


def exception_without_message(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Replace `exc_info` by the exception's type and its frames (file, line, function)."""
    exc_info = structlog.processors._figure_out_exc_info(event.pop("exc_info", None))
    if exc_info is not None:
        kind, error, trace = exc_info
        frames = traceback.extract_tb(trace)
        event["exception"] = kind.__name__
        event["exception_at"] = [f"{f.filename}:{f.lineno} {f.name}" for f in frames[-12:]]
        refusal = getattr(error.__cause__, "diag", None)
        if constraint := getattr(refusal, "constraint_name", None):
            event["constraint"] = constraint
    return event


def without_secrets(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Remove signed links, log-ins and keys from addresses: a log's readers must not get them."""
    for name, value in event.items():
        if isinstance(value, str) and "/" in value:
            for pattern in _SECRETS:
                value = pattern.sub(r"\1…", value)
            event[name] = value
    return event


def with_trace(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Add `trace_id` and `span_id` of the open span, where there is one."""
    return {**event, **tracing.ids()}


def shared_processors() -> list[Processor]:
    """Return the steps that our own events and those of libraries both take."""
    return [
        structlog.contextvars.merge_contextvars,
        with_trace,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.stdlib.PositionalArgumentsFormatter(),
        exception_without_message,
        without_secrets,
    ]


def logging_config(level: str) -> dict[str, Any]:
    """Return Django's LOGGING: everything to standard error as JSON lines."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "json": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": shared_processors(),
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    structlog.processors.JSONRenderer(),
                ],
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django": {"handlers": [], "level": level, "propagate": True},
            # Its INFO lines quote every task's arguments and result.
            "celery.app.trace": {"level": "WARNING"},
            "celery.worker.strategy": {"level": "WARNING"},
            "django_structlog": {"level": "WARNING"},
            # Log-ins are recorded in the trail.
            "axes": {"level": "ERROR"},
            # Their lines quote whole addresses, with the places and keys in them, or bodies.
            "httpx": {"level": "WARNING"},
            "httpx2": {"level": "WARNING"},
            "openai": {"level": "WARNING"},
        },
    }
