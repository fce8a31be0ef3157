"""Celery: PostgreSQL is the queue, Redis carries messages (`workqueue`).

A message may be lost, doubled or late without harm, so nothing here is tuned to keep messages;
it is tuned so that a hanging Redis never hangs a request and a stuck task is ended before its
check's lease is.
"""

import socket
import sys

from celery.schedules import crontab
from django.conf import settings
from kombu import Queue
from kombu.transport import TRANSPORT_ALIASES

from workqueue import redis_address

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
task_default_queue = "checks"
task_routes = {
    "analysis.tasks.sweep": {"queue": "maintenance"},
    "operations.tasks.apply_retention": {"queue": "maintenance"},
    "analysis.tasks.forget_idempotency_keys": {"queue": "maintenance"},
    "analysis.tasks.count_trends": {"queue": "maintenance"},
    "analysis.tasks.keep_months": {"queue": "maintenance"},
    "assistant.tasks.answer_turn": {"queue": "assistant"},
    "assistant.tasks.sweep": {"queue": "maintenance"},
    "assistant.tasks.brief_managers": {"queue": "maintenance"},
    "documents.tasks.sweep": {"queue": "maintenance"},
    "documents.tasks.count_terms": {"queue": "maintenance"},
    "documents.tasks.forget_upload_keys": {"queue": "maintenance"},
    "audit.tasks.seal_trail": {"queue": "maintenance"},
    "analysis.tasks.index_checks": {"queue": "maintenance"},
    "reviews.tasks.watch_desk": {"queue": "maintenance"},
    "dashboard.tasks.watch_rejections": {"queue": "maintenance"},
    "notifications.tasks.deliver": {"queue": "notifications"},
    "notifications.tasks.forget": {"queue": "maintenance"},
    "reviews.tasks.close_days": {"queue": "maintenance"},
    # Seconds for each application: behind it nobody waits.
    "dashboard.tasks.make_topics": {"queue": "documents"},
}
worker_prefetch_multiplier = 1
worker_send_task_events = False
# Celery would close the database's connection before and after each task; a new one costs the
# server more than a check does. `watchdog_site.celery` closes those that are old or broken.
CELERY_DB_REUSE_MAX = sys.maxsize
# A process opens its models before it says that it lives.
worker_proc_alive_timeout = 60
worker_hijack_root_logger = False
beat_schedule = {
    "sweep": {
        "task": "analysis.tasks.sweep",
        "schedule": settings.CHECK_SWEEP_SECONDS,
        "options": {"expires": settings.CHECK_SWEEP_SECONDS * 2},
    },
    "sweep-documents": {
        "task": "documents.tasks.sweep",
        "schedule": settings.CHECK_SWEEP_SECONDS,
        "options": {"expires": settings.CHECK_SWEEP_SECONDS * 2},
    },
    "sweep-assistant": {
        "task": "assistant.tasks.sweep",
        "schedule": settings.CHECK_SWEEP_SECONDS,
        "options": {"expires": settings.CHECK_SWEEP_SECONDS * 2},
    },
    "brief-managers": {
        "task": "assistant.tasks.brief_managers",
        "schedule": 60,
        "options": {"expires": 60},
    },
    "count-terms": {
        "task": "documents.tasks.count_terms",
        "schedule": 10,
        "options": {"expires": 20},
    },
    "count-trends": {
        "task": "analysis.tasks.count_trends",
        "schedule": 10,
        "options": {"expires": 20},
    },
    "seal-trail": {
        "task": "audit.tasks.seal_trail",
        "schedule": settings.TRAIL_SEAL_SECONDS,
        "options": {"expires": settings.TRAIL_SEAL_SECONDS * 2},
    },
    "index-checks": {
        "task": "analysis.tasks.index_checks",
        "schedule": 10,
        "options": {"expires": 20},
    },
    "watch-desk": {
        "task": "reviews.tasks.watch_desk",
        "schedule": 60,
        "options": {"expires": 60},
    },
    "watch-rejections": {
        "task": "dashboard.tasks.watch_rejections",
        "schedule": 900,
        "options": {"expires": 900},
    },
    "deliver-notifications": {
        "task": "notifications.tasks.deliver",
        "schedule": 10,
        "options": {"expires": 20},
    },
    "forget-notifications": {
        "task": "notifications.tasks.forget",
        "schedule": 3600,
        "options": {"expires": 3600},
    },
    "make-topics": {
        "task": "dashboard.tasks.make_topics",
        "schedule": 3600,
        "options": {"expires": 3600},
    },
    "close-days": {
        "task": "reviews.tasks.close_days",
        "schedule": 3600,
        "options": {"expires": 3600},
    },
    "apply-retention": {
        "task": "operations.tasks.apply_retention",
        "schedule": crontab(hour=str(settings.RETENTION_HOUR), minute="17"),
        "options": {"expires": 3600},
    },
    "forget-upload-keys": {
        "task": "documents.tasks.forget_upload_keys",
        "schedule": 3600,
        "options": {"expires": 3600},
    },
    "keep-months": {
        "task": "analysis.tasks.keep_months",
        "schedule": 4 * 3600,
        "options": {"expires": 3600},
    },
    "forget-idempotency-keys": {
        "task": "analysis.tasks.forget_idempotency_keys",
        "schedule": 3600,
        "options": {"expires": 3600},
    },
}
