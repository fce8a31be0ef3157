"""A clock that is set back stops nothing: beat counts again from the time that it is."""

from datetime import timedelta
from pathlib import Path

from celery import Celery
from celery.beat import PersistentScheduler

from watchdog_site import beat, celery_config
from watchdog_site.beat import SteadyScheduler

EVERY = 5.0


def scheduler_of(kind: type[PersistentScheduler], folder: Path) -> PersistentScheduler:
    """Return a scheduler of one task whose last run is recorded as tomorrow."""
    app = Celery("clock", broker="memory://", set_as_current=False)
    app.conf.beat_schedule = {"sweep": {"task": "sweep", "schedule": EVERY}}
    scheduler = kind(app=app, schedule_filename=str(folder / "schedule"))
    entry = scheduler.schedule["sweep"]
    entry.last_run_at = entry.default_now() + timedelta(days=1)
    return scheduler


def test_a_task_that_ran_tomorrow_runs_in_its_interval(tmp_path) -> None:
    assert 0 < scheduler_of(SteadyScheduler, tmp_path).tick() <= EVERY


def test_celerys_own_would_wait_for_tomorrow(tmp_path) -> None:
    scheduler = scheduler_of(PersistentScheduler, tmp_path)
    assert scheduler.tick() == scheduler.max_interval > EVERY


def test_what_is_due_is_sent_afterwards(tmp_path) -> None:
    scheduler = scheduler_of(SteadyScheduler, tmp_path)
    scheduler.tick()
    entry = scheduler.schedule["sweep"]
    entry.last_run_at -= timedelta(seconds=2 * EVERY)
    scheduler._heap = None
    assert scheduler.tick() == 0
    assert scheduler.schedule["sweep"].total_run_count == 1


def test_it_is_the_one_that_beat_uses() -> None:
    assert celery_config.beat_scheduler == "watchdog_site.beat:SteadyScheduler"


def test_probes_are_sent_by_one_process_at_a_time(tmp_path, settings, monkeypatch) -> None:
    settings.PROBE_MINUTES = 1
    program = tmp_path / "manage.py"
    program.write_text("import sys, time; print(sys.argv[1]); time.sleep(60)")
    monkeypatch.setattr(beat, "_MANAGE", program)
    scheduler = scheduler_of(SteadyScheduler, tmp_path)
    scheduler.tick()
    assert scheduler.probes is None, "web, workers and proxy start first"
    scheduler.probes_due_at = 0.0
    scheduler.tick()
    first = scheduler.probes
    assert first.args[-1] == "run_probes"
    scheduler.probes_due_at = 0.0
    scheduler.tick()
    assert scheduler.probes is first
    first.kill()
    first.wait()
    scheduler.tick()
    second = scheduler.probes
    assert second is not first
    scheduler.close()
    assert second.poll() is not None


def test_no_probes_are_sent_where_none_are_wanted(tmp_path, settings) -> None:
    settings.PROBE_MINUTES = 0
    scheduler = scheduler_of(SteadyScheduler, tmp_path)
    scheduler.probes_due_at = 0.0
    scheduler.tick()
    assert scheduler.probes is None
