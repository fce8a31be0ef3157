"""The Celery application. Its configuration is read on first use, not on import."""

import os
from importlib import import_module
from typing import Any

from celery import Celery
from celery.signals import task_prerun, worker_process_init, worker_ready
from django.db import close_old_connections
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from lib.workqueue.broker import redis_outage

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "watchdog_site.settings")


class PatientCelery(Celery):  # type: ignore[misc]
    """Sends nothing while Redis is known not to answer; the sweep sends it later."""

    def send_task(self, *args: Any, **kwargs: Any) -> Any:
        """Publish a task. Raises OperationalError, at once during a known outage."""
        if redis_outage.is_known():
            raise OperationalError("Redis did not answer lately")
        try:
            result = super().send_task(*args, **kwargs)
        except (OperationalError, RedisError, OSError):
            redis_outage.note()
            raise
        redis_outage.end()
        return result


# Its signals carry traces; it reads the settings only when one is sent.
import_module("watchdog_site.tracing")
app = PatientCelery("watchdog")
app.config_from_object("watchdog_site.celery_config")
app.autodiscover_tasks(
    [
        "analysis",
        "desk.reviews",
        "desk.dashboard",
        "desk.policies",
        "assistant",
        "documents",
        "notifications",
        "audit",
        "operations",
    ]
)


@task_prerun.connect
def keep_connections(**_: Any) -> None:
    """Close those connections to the database that are old or broken, as before a request."""
    close_old_connections()


@worker_process_init.connect
def open_models(**_: Any) -> None:
    """Open the models before a process takes its first check.

    Its siblings do so at the same time.
    """
    from analysis.services.measuring import warm_up  # noqa: PLC0415 - Django is set up by now

    warm_up()


@worker_ready.connect
def sweep_at_start(**_: Any) -> None:
    """Enqueue at once what waited while no worker ran, not at beat's next turn."""
    app.send_task("analysis.tasks.sweep")
