"""A clock that is set back stops nothing: beat counts again from the time that it is."""

from datetime import timedelta
from pathlib import Path

from celery import Celery
from celery.beat import PersistentScheduler

from watchdog_site import celery_config
from watchdog_site.beat import SteadyScheduler

EVERY = 5.0


def scheduler_of(kind: type[PersistentScheduler], folder: Path) -> PersistentScheduler:
    """A scheduler of one task whose last run is said to be tomorrow."""
    app = Celery("clock", broker="memory://", set_as_current=False)
    app.conf.beat_schedule = {"sweep": {"task": "sweep", "schedule": EVERY}}
    scheduler = kind(app=app, schedule_filename=str(folder / "schedule"))
    entry = scheduler.schedule["sweep"]
    entry.last_run_at = entry.default_now() + timedelta(days=1)
    return scheduler


def test_a_task_that_ran_tomorrow_runs_in_its_interval(tmp_path: Path) -> None:
    assert 0 < scheduler_of(SteadyScheduler, tmp_path).tick() <= EVERY


def test_celerys_own_would_wait_for_tomorrow(tmp_path: Path) -> None:
    scheduler = scheduler_of(PersistentScheduler, tmp_path)
    assert scheduler.tick() == scheduler.max_interval > EVERY


def test_what_is_due_is_sent_afterwards(tmp_path: Path) -> None:
    scheduler = scheduler_of(SteadyScheduler, tmp_path)
    scheduler.tick()
    entry = scheduler.schedule["sweep"]
    entry.last_run_at -= timedelta(seconds=2 * EVERY)
    scheduler._heap = None
    assert scheduler.tick() == 0
    assert scheduler.schedule["sweep"].total_run_count == 1


def test_it_is_the_one_that_beat_uses() -> None:
    assert celery_config.beat_scheduler == "watchdog_site.beat:SteadyScheduler"
