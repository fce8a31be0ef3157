"""`make run`: everything on this machine, from nothing to three verdicts, until Ctrl-C."""

import json
import os
import secrets
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import httpx
from rich.panel import Panel

from launcher import commands, demo, environment, leftovers, postgres, redis, single
from launcher.console import console, note, step, warn
from launcher.environment import CHECKOUT, Stack, manage
from launcher.errors import LauncherError
from launcher.folders import make_data_folder
from launcher.programs import programs_of
from launcher.supervise import Running, Supervisor

DJANGO_S = 300.0
READY_S = 90.0
STOP_S = 150.0
LOOK_EVERY_S = 2.0
SLUG = "demo"


def run(data_dir: Path) -> None:
    """Start everything, show that it works, and stay until told to stop."""
    make_data_folder(data_dir)
    with single.only_one(data_dir), stoppable():
        leftovers.stop_all(data_dir)
        with step("Preparing the database's and Redis's folders"):
            stack = environment.with_free_port(environment.build(data_dir))
        say_where(stack)
        supervisor = Supervisor(data_dir, as_root=os.geteuid() == 0)
        running = supervisor.start(programs_of(stack), stack.variables)
        try:
            start(stack, running)
            watch(running)
        except KeyboardInterrupt:
            console.print()
        finally:
            stop(stack, running)


@contextmanager
def stoppable() -> Iterator[None]:
    """Let a closed terminal and `kill` end us like Ctrl-C does."""

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)
    yield


def say_where(stack: Stack) -> None:
    """Say which servers are used and where their files are when that is not the usual place."""
    if stack.postgres is None:
        note("Using the PostgreSQL of DATABASE_URL; none is started here.")
    elif stack.postgres.moved_because:
        note(stack.postgres.moved_because[:1].upper() + stack.postgres.moved_because[1:] + ".")
    if stack.redis is None:
        note("Using the Redis of REDIS_URL; none is started here.")


def start(stack: Stack, running: Running) -> None:
    """Bring everything up in order, then show it."""
    start_servers(stack, running)
    with step("Preparing the tables"):
        django(stack, "migrate", "--noinput", "--verbosity", "0")
    with step("Collecting the pages' static files"):
        django(stack, "collectstatic", "--noinput", "--verbosity", "0")
    first_login(stack)
    with step("Starting web, worker and beat"):
        running.start("web", "worker", "beat")
        wait_until_ready(stack, running)
    with step("Checking three answers over HTTP"):
        key = new_key(stack, "demonstration of make run", "--expires-in-days", "0.01")
    as_expected = demo.run(stack.web_url, key)
    say_addresses(stack)
    if not as_expected:
        warn("Not every verdict is the expected one (see above): this installation needs a look.")


def start_servers(stack: Stack, running: Running) -> None:
    """Start the embedded servers and wait for them."""
    if stack.redis is not None:
        running.start("redis")
    if stack.postgres is not None:
        with step("Starting PostgreSQL with pgvector"):
            postgres.clear_stale_locks(stack.postgres)
            running.start("postgres")
            postgres.wait_until_ready(stack.postgres)
            postgres.create_database(stack.postgres)
    if stack.redis is not None:
        with step("Starting Redis"):
            redis.wait_until_ready(stack.redis)


def django(stack: Stack, *arguments: str, extra: dict[str, str] | None = None) -> str:
    """Run a Django command; its failure is ours."""
    done = commands.run(
        manage(*arguments),
        timeout_s=DJANGO_S,
        env={**stack.variables, **(extra or {})},
        cwd=CHECKOUT,
    )
    if done.code != 0:
        raise LauncherError(f"`manage.py {arguments[0]}` failed.", done.tail(25))
    return done.output


def first_login(stack: Stack) -> None:
    """On the first run make the admin login, the demo application and its key; print them once."""
    with step("Looking for the admin login and the demo application"):
        django(stack, "create_application", "Demo", "--slug", SLUG, "--if-missing")
        password = create_admin(stack)
    if password is None:
        note("Admin login and API key are those of the first run (docs/operations.md: new ones).")
        return
    key = new_key(stack, "first key")
    text = f"admin login   admin\npassword      {password}\nAPI key       {key}"
    console.print(Panel(text, title="Shown once: keep them", expand=False))


def create_admin(stack: Stack) -> str | None:
    """Make the login `admin` with a random password; None when it exists."""
    password = secrets.token_urlsafe(12)
    variables = {
        "DJANGO_SUPERUSER_USERNAME": "admin",
        "DJANGO_SUPERUSER_EMAIL": "admin@localhost",
        "DJANGO_SUPERUSER_PASSWORD": password,
    }
    try:
        django(stack, "createsuperuser", "--noinput", extra=variables)
    except LauncherError as error:
        if "already taken" in error.advice:
            return None
        raise
    return password


def new_key(stack: Stack, name: str, *options: str) -> str:
    """A key for the demo application."""
    output = django(stack, "create_api_key", SLUG, "--name", name, "--json", *options)
    return str(json.loads(output.strip().splitlines()[-1])["key"])


def wait_until_ready(stack: Stack, running: Running) -> None:
    """Return when /readyz says that no part is missing."""
    deadline = time.monotonic() + READY_S
    said = ""
    while time.monotonic() < deadline:
        running.fail_if_given_up()
        try:
            response = httpx.get(f"{stack.web_url}/readyz", timeout=5, trust_env=False)
        except httpx.TransportError as error:
            said = str(error)
        else:
            if response.status_code == 200:
                return
            said = response.text[:500]
        time.sleep(0.1)
    logs = "\n".join(running.tail(f"{name}.log") for name in ("web", "worker"))
    raise LauncherError(f"Not ready after {READY_S:.0f} s: {said}", logs)


def say_addresses(stack: Stack) -> None:
    """Where to go now."""
    console.print(
        f"\n[bold]WATCHDOG is up.[/] Ctrl-C stops it; the data stays in {stack.data_dir}\n"
        f"  reviewers   {stack.web_url}/admin/\n"
        f"  API         {stack.web_url}/api/v1/checks   (docs: {stack.web_url}/api/docs/)\n"
        f"  health      {stack.web_url}/readyz\n"
        f"  logs        {stack.logs}\n"
    )


def watch(running: Running) -> None:
    """Stay until interrupted; say when a process had to be restarted."""
    known = {each.name: each.pid for each in running.states()}
    while True:
        time.sleep(LOOK_EVERY_S)
        running.fail_if_given_up()
        for each in running.states():
            if each.state == "RUNNING" and each.pid != known[each.name]:
                warn(f"{each.name} had ended and was started again (its log: {each.name}.log).")
                known[each.name] = each.pid


def stop(stack: Stack, running: Running) -> None:
    """Stop everything; a second Ctrl-C does not cut this short."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    with step("Stopping everything"):
        running.stop(STOP_S)
        leftovers.stop_all(stack.data_dir)


def stop_other(data_dir: Path) -> None:
    """`make stop`: end a run that goes on elsewhere, and whatever a killed one left behind."""
    pid = single.holder(data_dir)
    if pid is not None:
        os.kill(pid, signal.SIGTERM)
        deadline = time.monotonic() + STOP_S
        while single.holder(data_dir) is not None:
            if time.monotonic() > deadline:
                raise LauncherError(f"Process {pid} has not stopped within {STOP_S:.0f} s.")
            time.sleep(0.2)
    leftovers.stop_all(data_dir.resolve())
    note("Stopped.")
