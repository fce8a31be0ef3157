"""Beat on a machine whose clock is set: what is due stays due."""

from datetime import timedelta
from typing import Any

from celery.beat import PersistentScheduler

_SLACK = timedelta(seconds=1)


class SteadyScheduler(PersistentScheduler):  # type: ignore[misc]
    """Begins to count again where a task is said to have run at a time that is yet to come.

    Celery's own waits for that time: after a clock that was a day ahead is set right, nothing
    would be swept, sealed or sent for a day, not by a restart either, for it is written down.
    """

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Send what is due; the seconds until the next turn."""
        ahead = [
            entry
            for entry in self.schedule.values()
            if entry.last_run_at and entry.last_run_at > entry.default_now() + _SLACK
        ]
        for entry in ahead:
            entry.last_run_at = entry.default_now()
        if ahead:
            self._heap = None
        seconds: float = super().tick(*args, **kwargs)
        return seconds
