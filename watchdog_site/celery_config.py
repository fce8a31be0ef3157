"""Configuration of Celery: PostgreSQL is the queue, Redis carries messages (`workqueue`).

A message may be lost, doubled or late without harm, so nothing here is tuned to keep messages;
it is tuned so that a hanging Redis never hangs a request and a stuck task is ended before its
check's lease is.
"""

import socket
import sys
from typing import Any

from celery.schedules import crontab
from django.conf import settings
from kombu import Queue
from kombu.transport import TRANSPORT_ALIASES

from lib.workqueue import redis_address

TRANSPORT_ALIASES["redis"] = "watchdog_site.broker:Transport"
TRANSPORT_ALIASES["sentinel"] = "watchdog_site.broker:SentinelTransport"
broker_url = redis_address.broker_url(settings.REDIS_URL)
broker_connection_retry_on_startup = True
broker_transport_options = {
    "visibility_timeout": settings.CHECK_VISIBILITY_TIMEOUT_SECONDS,
    "socket_timeout": settings.REDIS_TIMEOUT_SECONDS,
    "socket_connect_timeout": settings.REDIS_TIMEOUT_SECONDS,
    # A Redis that has vanished is given up after half a minute.
    "socket_keepalive": True,
    "socket_keepalive_options": {
        socket.TCP_KEEPIDLE: 10,
        socket.TCP_KEEPINTVL: 5,
        socket.TCP_KEEPCNT: 3,
    },
    # Fetched in this order, whatever the queue: 0 waits for a client, 6 batches, 9 documents.
    "priority_steps": [0, 6, 9],
    "sep": "\x06\x16",
    **redis_address.broker_options(settings.REDIS_URL, settings.REDIS_TIMEOUT_SECONDS),
}
beat_scheduler = "watchdog_site.beat:SteadyScheduler"
accept_content = ["json"]
task_serializer = "json"
task_ignore_result = True
task_publish_retry = False
task_acks_late = True
task_reject_on_worker_lost = True
task_time_limit = settings.CHECK_TIME_LIMIT_SECONDS
task_create_missing_queues = False
_QUEUES = ("checks", "assistant", "maintenance", "batches", "documents", "notifications")
task_queues = [Queue(name) for name in _QUEUES]
# What beat asks for. Work on rows names its queue when it is enqueued.
task_default_queue = "maintenance"
task_routes = {
    "assistant.tasks.answer_turn": {"queue": "assistant"},
    "notifications.tasks.deliver": {"queue": "notifications"},
    # Takes seconds for each application, so it has the last queue, behind which nobody waits.
    "desk.dashboard.tasks.make_topics": {"queue": "documents"},
    "desk.dashboard.tasks.watch_drift": {"queue": "documents"},
}
worker_prefetch_multiplier = 1
worker_send_task_events = False
# Celery would close the database's connection before and after each task; a new one costs the
# server more than a check does. `watchdog_site.celery` closes those that are old or broken.
CELERY_DB_REUSE_MAX = sys.maxsize
# A process opens its models before it reports that it is up.
worker_proc_alive_timeout = 60
worker_hijack_root_logger = False


def _every(seconds: float, task: str) -> dict[str, Any]:
    """Return a message every so many seconds, void where no worker takes it in that time."""
    expires = 2 * seconds if seconds < 60 else min(seconds, 3600)
    return {"task": task, "schedule": seconds, "options": {"expires": expires}}


beat_schedule = {
    "sweep": _every(settings.QUEUE_SWEEP_SECONDS, "analysis.tasks.sweep"),
    "sweep-documents": _every(settings.QUEUE_SWEEP_SECONDS, "documents.tasks.sweep"),
    "sweep-assistant": _every(settings.QUEUE_SWEEP_SECONDS, "assistant.tasks.sweep"),
    "brief-managers": _every(60, "assistant.tasks.brief_managers"),
    "count-terms": _every(10, "documents.tasks.count_terms"),
    "count-trends": _every(10, "analysis.tasks.count_trends"),
    "seal-trail": _every(10, "audit.tasks.seal_trail"),
    "index-checks": _every(10, "analysis.tasks.index_checks"),
    "watch-desk": _every(60, "desk.reviews.tasks.watch_desk"),
    "watch-rejections": _every(900, "desk.dashboard.tasks.watch_rejections"),
    "watch-drift": _every(4 * 3600, "desk.dashboard.tasks.watch_drift"),
    "watch-cases": _every(900, "desk.policies.tasks.watch_cases"),
    "deliver-notifications": _every(10, "notifications.tasks.deliver"),
    "forget-notifications": _every(3600, "notifications.tasks.forget"),
    "make-topics": _every(3600, "desk.dashboard.tasks.make_topics"),
    "close-days": _every(3600, "desk.reviews.tasks.close_days"),
    "apply-retention": {
        "task": "operations.tasks.apply_retention",
        "schedule": crontab(hour=str(settings.RETENTION_HOUR), minute="17"),
        "options": {"expires": 3600},
    },
    "announce-evidence": _every(3600, "operations.tasks.announce_evidence"),
    "forget-upload-keys": _every(3600, "documents.tasks.forget_upload_keys"),
    "keep-months": _every(4 * 3600, "analysis.tasks.keep_months"),
    **(
        {"probe-judges": _every(60 * settings.PROBE_MINUTES, "operations.tasks.probe_judges")}
        if settings.PROBE_MINUTES
        else {}
    ),
    "forget-idempotency-keys": _every(3600, "analysis.tasks.forget_idempotency_keys"),
}
