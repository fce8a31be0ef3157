"""PostgreSQL and Redis alone, for tests, for measurements and for single Django commands."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools.launcher import environment, folders, leftovers, postgres, redis, single
from tools.launcher.console import note, step
from tools.launcher.errors import LauncherError


@contextmanager
def django_variables(data_dir: Path, more_settings: str = "") -> Iterator[dict[str, str]]:
    """Yield the variables for Django commands; start what does not run and stop that afterwards.

    `more_settings` are PostgreSQL's, where it is started.
    """
    folders.make_data_folder(data_dir)
    started = False
    try:
        with single.command(data_dir):
            with single.starting(data_dir):
                stack = environment.build(data_dir)
                if stack.postgres is not None and stack.postgres.pid is None:
                    started = True
                    postgres.start(data_dir, more_settings)
                if stack.redis is not None and stack.redis.pid is None:
                    started = True
                    redis.start(data_dir)
            yield stack.variables
    finally:
        if started:
            stop_unless_used(data_dir)


def stop_unless_used(data_dir: Path) -> None:
    """Stop both once no other command uses them, unless a run has taken them for its own."""
    with single.no_command(data_dir):
        if single.holder(data_dir) is None:
            redis.stop(data_dir)
            postgres.stop(data_dir)


def clean(data_dir: Path) -> None:
    """Run `make clean`: stop what runs there, delete the data folder and files outside it."""
    pid = single.holder(data_dir)
    if pid is not None:
        raise LauncherError(f"WATCHDOG runs (process {pid}).", "Stop it first: make stop")
    if not data_dir.exists():
        note("Nothing to clean.")
        return
    with step(f"Stopping what runs in {data_dir} and deleting it"):
        inner = [folder for folder in data_dir.iterdir() if folder.is_dir()]
        for folder in (data_dir, *inner):
            leftovers.stop_all(folder)
            postgres.remove(folder)
        shutil.rmtree(data_dir)
    own = folders.folder_of_its_own(data_dir)
    if own.exists():
        raise LauncherError(f"{own} could not be deleted.", f"Delete it: rm -r {own}")
