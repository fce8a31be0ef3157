"""The Celery application. Its configuration is read on first use, not on import."""

import os
from typing import Any

from celery import Celery
from celery.signals import worker_process_init, worker_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "watchdog_site.settings")

app = Celery("watchdog")
app.config_from_object("watchdog_site.celery_config")
app.autodiscover_tasks(["analysis", "assistant", "documents", "notifications", "audit"])


@worker_process_init.connect
def open_models(**_: Any) -> None:
    """Before a process takes its first check; its siblings do the same at the same time."""
    from analysis.services.warming import warm_up  # noqa: PLC0415 - Django is set up by now

    warm_up()


@worker_ready.connect
def sweep_at_start(**_: Any) -> None:
    """What waited while no worker ran is rung for at once, not at beat's next turn."""
    app.send_task("analysis.tasks.sweep")
