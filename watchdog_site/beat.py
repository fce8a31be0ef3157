"""Beat: messages for workers at their time, and a process that sends probes."""

import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import structlog
from celery.beat import PersistentScheduler
from django.conf import settings

log = structlog.get_logger(__name__)
_MANAGE = Path(__file__).resolve().parent.parent / "manage.py"
_SLACK = timedelta(seconds=1)
_FIRST_PROBES_SECONDS = 120.0
"""After the start, when web, workers and proxy are up."""


class SteadyScheduler(PersistentScheduler):  # type: ignore[misc]
    """Begins to count again where a task is said to have run at a time that is yet to come.

    Celery's own waits for that time: after a clock that was a day ahead is set right, nothing
    would be swept, sealed or sent for a day, not by a restart either, for it is written down.

    It also starts `manage.py run_probes`, in a process of its own and not as a message to a
    worker: probes have to be sent, and to be missed, where no worker runs.
    """

    probes_due_at: float | None = None
    probes: subprocess.Popen[bytes] | None = None

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Send what is due; return the seconds until the next turn."""
        ahead = [
            entry
            for entry in self.schedule.values()
            if entry.last_run_at and entry.last_run_at > entry.default_now() + _SLACK
        ]
        for entry in ahead:
            entry.last_run_at = entry.default_now()
        if ahead:
            self._heap = None
        if settings.PROBE_MINUTES:
            self._send_probes(time.monotonic())
        seconds: float = super().tick(*args, **kwargs)
        return seconds

    def _send_probes(self, now: float) -> None:
        if self.probes_due_at is None:
            self.probes_due_at = now + _FIRST_PROBES_SECONDS
        if self.probes is not None:
            if self.probes.poll() is None:
                return  # one run at a time
            log.info("probes_ended", status=self.probes.returncode)
            self.probes = None
        if now >= self.probes_due_at:
            self.probes_due_at = now + 60.0 * settings.PROBE_MINUTES
            self.probes = subprocess.Popen([sys.executable, str(_MANAGE), "run_probes"])  # noqa: S603

    def close(self) -> None:
        """End a run of probes with beat."""
        if self.probes is not None and self.probes.poll() is None:
            self.probes.terminate()
            self.probes.wait()
        super().close()
