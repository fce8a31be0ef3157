"""`make run`: starts everything on this machine, shows three verdicts, and runs until Ctrl-C."""

import hashlib
import json
import os
import signal
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPException
from pathlib import Path
from types import FrameType
from xmlrpc.client import Fault

import httpx

from tools.launcher import commands, demo, environment, leftovers, postgres, redis, single
from tools.launcher.console import console, note, step, warn
from tools.launcher.environment import CHECKOUT, Stack, manage, module
from tools.launcher.errors import LauncherError
from tools.launcher.folders import make_data_folder
from tools.launcher.judge import export, prepare_judge
from tools.launcher.supervise import ProcessManager, Supervisor, programs_of

DJANGO_S = 3600.0
SAY_EVERY_S = 15.0
STOP_S = 150.0
LOOK_EVERY_S = 2.0
RESTART_AFTER_S = 5.0
TOO_MANY_RESTARTS = 3
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Signals of Ctrl-C, of `kill` and of a closed terminal."""


def run(data_dir: Path) -> None:
    """Start everything, show that it works, and stay until told to stop."""
    make_data_folder(data_dir)
    with single.only_one(data_dir), stoppable(), ExitStack() as starting:
        # Commands beside us use the servers that they started; those that come wait for ours.
        starting.enter_context(single.no_command(data_dir))
        leftovers.stop_all(data_dir)
        with step("Preparing the database's and Redis's folders"):
            stack = environment.with_free_port(environment.build(data_dir))
        say_where(stack)
        supervisor = Supervisor(data_dir, as_root=os.geteuid() == 0)
        manager = supervisor.start(programs_of(stack), stack.variables)
        try:
            start_servers(stack, manager)
            starting.close()
            start(stack, manager)
            while True:
                watch(manager)
                manager = restart(stack, supervisor)
        except KeyboardInterrupt:
            console.print()
        finally:
            stop(stack, manager)


@contextmanager
def stoppable() -> Iterator[None]:
    """Let a closed terminal and `kill` end us like Ctrl-C does."""

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    for number in ENDING:
        signal.signal(number, interrupt)
    yield


def say_where(stack: Stack) -> None:
    """Name the servers that are used, and where their files are if not in the usual place."""
    if stack.postgres is None:
        note("Using the PostgreSQL of DATABASE_URL; none is started here.")
    elif stack.postgres.moved_because:
        note(stack.postgres.moved_because[:1].upper() + stack.postgres.moved_because[1:] + ".")
    if stack.redis is None:
        note("Using the Redis of REDIS_URL; none is started here.")
        redis.check(stack.variables["REDIS_URL"])


def start(stack: Stack, manager: ProcessManager) -> None:
    credentials = prepare_django(stack)
    show_once(credentials)
    with step("Starting web, worker and beat"):
        manager.start("web", "worker", "beat")
        wait_until_ready(stack, manager)
    try:
        as_expected = demo.run(stack.web_url, credentials["demonstration_key"])
    except (LauncherError, httpx.TransportError) as error:
        warn(f"The three answers were not checked; everything runs on. {error}")
        as_expected = True
    say_addresses(stack)
    if not as_expected:
        warn("Not every verdict is the expected one (see above): this installation needs a look.")


def start_servers(stack: Stack, manager: ProcessManager) -> None:
    server, broker = stack.postgres, stack.redis
    if broker is not None:
        manager.start("redis")
    if server is not None:
        with step("Starting PostgreSQL with pgvector"):
            postgres.clear_stale_locks(server)
            manager.start("postgres")
            wait(manager, lambda: str(postgres.why_not_ready(server) or ""))
            postgres.create_database(server)
    if broker is not None:
        with step("Starting Redis"):
            wait(manager, lambda: str(redis.why_not_ready(broker) or ""))


def prepare_django(stack: Stack) -> dict[str, str]:
    """Bring tables, static files and the model up to date, side by side; return what was made."""
    seed = module("tools.launcher.seed")
    what = "Preparing tables, static files and the embedding model (a minute the first time)"
    with step(what), ThreadPoolExecutor() as pool:
        seeded = pool.submit(django, stack, "the preparation", seed)
        model = pool.submit(prepare_model, stack)
        pool.submit(collect_static_files, stack).result()
        model.result()
        credentials: dict[str, str] = json.loads(seeded.result().strip().splitlines()[-1])
    return credentials


def prepare_model(stack: Stack) -> None:
    """Export the models where that was not done before, so that no request waits for it."""
    variables = stack.variables
    model = variables.get("EMBEDDING_MODEL")
    django(stack, "the embedding model", export(variables, *(["--model", model] if model else [])))
    prepare_judge(variables)
    if reranker := variables.get("RERANKER_MODEL"):
        django(stack, "the reranker", export(variables, "--reranker", "--model", reranker))


def collect_static_files(stack: Stack) -> None:
    """Collect them unless packages, own files and the target are those of the last time."""
    stamp, root = stack.data_dir / "run" / "static.sha256", Path(stack.variables["STATIC_ROOT"])
    fingerprint = static_fingerprint(stack.variables)
    if not (stamp.exists() and stamp.read_text() == fingerprint and root.is_dir()):
        django(stack, "collectstatic", manage("collectstatic", "--noinput", "--verbosity", "0"))
        stamp.write_text(fingerprint)


def static_fingerprint(variables: Mapping[str, str]) -> str:
    """Return a hash of what the collected files depend on."""
    digest = hashlib.sha256((CHECKOUT / "requirements.txt").read_bytes())
    for name in ("STATIC_ROOT", "STATIC_FROM_SOURCE"):
        digest.update(f"{name}={variables.get(name)}\n".encode())
    folders = (CHECKOUT / "static", *CHECKOUT.glob("*/static"))
    for file in sorted(path for folder in folders for path in folder.rglob("*") if path.is_file()):
        digest.update(f"{file} {file.stat().st_mtime_ns} {file.stat().st_size}\n".encode())
    return digest.hexdigest()


def django(stack: Stack, name: str, command: Sequence[str]) -> str:
    """Run a Django command and return what it printed; raise its failure as ours."""
    result = commands.run(command, timeout_s=DJANGO_S, env=stack.variables, cwd=CHECKOUT)
    if result.code == 0:
        return result.output
    log = stack.logs / "django.log"
    log.write_text(result.output)
    problem = last_exception(result.output)
    if "OperationalError" in problem and stack.postgres is None:
        problem += "\nIs the server of DATABASE_URL running, and is the address right?"
    raise LauncherError(f"The preparation failed at {name}.", f"{problem}\nThe whole output: {log}")


def last_exception(output: str) -> str:
    """Return the message at the end of a traceback, without the frames before it."""
    lines = output.strip().splitlines()
    frames = [number for number, line in enumerate(lines) if line.startswith("  File ")]
    after = lines[frames[-1] + 1 :] if frames else lines[-12:]
    start = next((number for number, line in enumerate(after) if not line.startswith(" ")), 0)
    return "\n".join(after[start:])


def show_once(credentials: dict[str, str]) -> None:
    """Show the new login and key, unframed, so that they can be copied in one piece."""
    if "password" not in credentials:
        note("Admin login and API key: as printed by the first run (docs/operations/running.md).")
        return
    console.rule("Shown once: keep them", align="left")
    console.print(
        f"admin login  {credentials['admin']}", f"password     {credentials['password']}", sep="\n"
    )
    console.print(f"API key      {credentials['key']}", soft_wrap=True)
    console.rule()


def wait_until_ready(stack: Stack, manager: ProcessManager) -> None:
    """Return when /readyz says that no part is missing, not even a worker."""
    with httpx.Client(base_url=stack.web_url, timeout=30, trust_env=False) as client:

        def missing() -> str:
            try:
                response = client.get("/readyz?all")
            except httpx.TransportError as error:
                return f"web: {error}"
            if response.status_code == 200:
                return ""
            parts = response.json().get("parts", {}).items()
            return "; ".join(f"{name}: {part}" for name, part in parts if part != "ok")

        wait(manager, missing)


def wait(manager: ProcessManager, missing: Callable[[], str]) -> None:
    """Return when nothing is missing; say now and then what is.

    A slow machine takes as long as it takes; what keeps ending raises LauncherError.
    """
    process_ids: dict[str, set[int]] = defaultdict(set)
    said_at = time.monotonic()
    while problem := missing():
        fail_if_hopeless(manager, process_ids)
        if time.monotonic() - said_at > SAY_EVERY_S:
            said_at = time.monotonic()
            note(f"Still waiting for: {problem.strip()[:300]}")
        time.sleep(0.1)


def fail_if_hopeless(manager: ProcessManager, process_ids: dict[str, set[int]]) -> None:
    """Raise when a program was given up, or was started again and again."""
    manager.fail_if_given_up()
    for each in manager.states():
        if each.pid:
            process_ids[each.name].add(each.pid)
        if len(process_ids[each.name]) > TOO_MANY_RESTARTS:
            raise LauncherError(f"{each.name} keeps ending.", manager.tail(f"{each.name}.log"))


def say_addresses(stack: Stack) -> None:
    console.print(
        f"\n[bold]WATCHDOG is up.[/] Ctrl-C stops it; the data stays in {stack.data_dir}\n"
        f"  desk        {stack.web_url}/\n"
        f"  assistant   {stack.web_url}/assistant/\n"
        f"  API         {stack.web_url}/api/v1/checks   (docs: {stack.web_url}/api/docs/)\n"
        f"  health      {stack.web_url}/readyz\n"
        f"  logs        {stack.logs}\n",
        soft_wrap=True,
    )


def watch(manager: ProcessManager) -> None:
    """Return when supervisor has ended; until then report restarts, and revive the rest."""
    process_ids: dict[str, int] = {}
    while manager.is_alive():
        time.sleep(LOOK_EVERY_S)
        # A full disk makes both our output and our queries fail; the next round tries again.
        with suppress(OSError, HTTPException, Fault):
            for each in manager.states():
                before = process_ids.setdefault(each.name, each.pid)
                if each.state == "RUNNING" and each.pid != before:
                    process_ids[each.name] = each.pid
                    warn(f"{each.name} had ended and was started again (its log: {each.name}.log).")
            for name in manager.revive():
                warn(f"{name} had been given up and is started again (its log: {name}.log).")


def restart(stack: Stack, supervisor: Supervisor) -> ProcessManager:
    """Start supervisor and all programs again, as often as it takes."""
    while True:
        try:
            warn("The process manager has ended; everything is started again.")
            leftovers.stop_all(stack.data_dir)
            manager = supervisor.start(programs_of(stack), stack.variables)
            start_servers(stack, manager)
            manager.start("web", "worker", "beat")
        except (LauncherError, OSError, HTTPException, Fault):
            time.sleep(RESTART_AFTER_S)
        else:
            return manager


def stop(stack: Stack, manager: ProcessManager) -> None:
    """Stop everything; a second Ctrl-C does not cut this short."""
    for number in ENDING:
        signal.signal(number, signal.SIG_IGN)
    with step("Stopping everything"):
        manager.stop(STOP_S)
        leftovers.stop_all(stack.data_dir)


def stop_other(data_dir: Path) -> None:
    """Run `make stop`: end a run that goes on elsewhere, and whatever a killed one left behind."""
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
