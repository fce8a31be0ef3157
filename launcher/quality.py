"""`make lint`, `fix`, `test`, `test-fast` and `bench`: the tools and how they are called."""

import argparse
import os
import secrets
import subprocess
import sys
from collections.abc import Mapping, Sequence

from launcher import postgres, services
from launcher.console import console
from launcher.environment import CHECKOUT, manage
from launcher.errors import LauncherError
from launcher.judge import prepare_judge

CLIENT = CHECKOUT / "client" / "src"
LONGEST_S = 5400
LONGEST_BENCH_S = 6 * 3600
TIDY_UP_S = 60
LINT_IMPORTS = "from importlinter.cli import lint_imports_command; lint_imports_command()"


def module(name: str, *arguments: str) -> list[str]:
    """A tool of the virtual environment, whatever PATH says and wherever it was moved to."""
    return [sys.executable, "-m", name, *arguments]


def linters() -> dict[str, list[str]]:
    """All linters by name, the quickest first."""
    compose = ["--builtin-schema", "vendor.compose-spec", "docker-compose.yml"]
    return {
        "ruff check": module("ruff", "check"),
        "ruff format": module("ruff", "format", "--check"),
        "docker-compose.yml": module("check_jsonschema", *compose),
        "import-linter": [sys.executable, "-c", LINT_IMPORTS],
        "migrations": manage("makemigrations", "--check", "--dry-run"),
        "deploy check": manage("check", "--deploy", "--fail-level", "WARNING"),
        "mypy": module("mypy", *packages(), "client/src/watchdog_client"),
    }


def packages() -> list[str]:
    """Every package at the root of the checkout but the tests."""
    found = (init.parent.name for init in CHECKOUT.glob("*/__init__.py"))
    return sorted(name for name in found if name != "tests")


def proxy(arguments: Sequence[str]) -> int:
    """Serve the OpenAI-compatible proxy, with the client of this checkout."""
    return call(module("proxy", *arguments), env={**os.environ, "PYTHONPATH": str(CLIENT)})


def like_production() -> dict[str, str]:
    """The variables of a production machine, so that `check --deploy` judges that."""
    return {
        **os.environ,
        "SECRET_KEY": secrets.token_urlsafe(50),
        "DEBUG": "false",
        "HTTPS": "true",
        "ALLOWED_HOSTS": "watchdog.example.com",
        "DATABASE_URL": "postgres://nobody@127.0.0.1:1/none",
        "REDIS_URL": "redis://127.0.0.1:1/0",
    }


def lint() -> None:
    """Run all linters, then say which were not content."""
    failed = []
    for name, command in linters().items():
        console.rule(name, align="left")
        if call(command, env=like_production()) != 0:
            failed.append(name)
    console.rule()
    if failed:
        raise LauncherError(
            f"Not content: {', '.join(failed)}.", "`make fix` corrects what ruff can correct."
        )
    console.print("All linters are content.")


def fix() -> None:
    """Let ruff correct and format what it can."""
    call(module("ruff", "check", "--fix"))
    call(module("ruff", "format"))


FAST = "tests/unit"
FAULTS = "tests/faults"
CAMPAIGN = "tests/faults/test_campaign.py"
SLOWEST = 20
MOST_PROCESSES = 4


def test(arguments: Sequence[str]) -> int:
    """Run the tests, which start the servers they need, in as many processes as there are cores.

    pytest's own arguments choose some of them, in one process unless they say `-n`.
    """
    prepare_judge(os.environ)
    if arguments:
        return call(module("pytest", *arguments))
    # Faults stop and kill the servers of the run: what runs beside them would fail.
    together = call(module("pytest", *in_parallel(), f"--ignore={FAULTS}"))
    alone = call(module("pytest", FAULTS, f"--durations={SLOWEST}"))
    return together or alone


def test_fast(arguments: Sequence[str]) -> int:
    """Run the unit tests, which need neither servers nor models."""
    return call(module("pytest", FAST, *in_parallel(), *arguments))


def faults(arguments: Sequence[str]) -> int:
    """Make many faults under a stream of work, and count what became of it (docs/security.md)."""
    parser = argparse.ArgumentParser(prog="make faults", description=faults.__doc__)
    parser.add_argument("--faults", type=int, default=1_000, help="how many; default: 1000")
    parser.add_argument("--seed", type=int, default=7, help="of the schedule; default: 7")
    asked = parser.parse_args(arguments)
    variables = {"FAULTS": str(asked.faults), "FAULT_SEED": str(asked.seed)}
    return call(
        module("pytest", CAMPAIGN, "-q"),
        env={**os.environ, **variables},
        longest_s=60 * asked.faults + LONGEST_S,
    )


def in_parallel() -> list[str]:
    """pytest's arguments for several processes; each has a share of the files one after another."""
    processes = min(os.cpu_count() or 1, MOST_PROCESSES)
    return ["-n", str(processes), "--dist", "worksteal", f"--durations={SLOWEST}"]


def bench(arguments: Sequence[str]) -> int:
    """Measure on servers and data of its own, apart from those of `make run`."""
    with services.django_variables(CHECKOUT / ".data" / "bench") as variables:
        call(manage("migrate", "--noinput", "--verbosity", "0"), env=variables)
        return call(manage("bench", *arguments), env=variables)


def bench_retrieval(arguments: Sequence[str]) -> int:
    """Measure retrieval on an embedded database of its own, which is deleted afterwards.

    With --keep what an earlier run built is measured again, and stays. Whatever DATABASE_URL
    names is left alone: the command fills the database it is given.
    """
    data_dir = CHECKOUT / ".data" / "bench-retrieval"
    keep = "--keep" in arguments
    if not keep:
        services.clean(data_dir)
    try:
        url = postgres.start(data_dir)
        variables = {
            **os.environ,
            "DATABASE_URL": url,
            "SECRET_KEY": secrets.token_urlsafe(50),
            "EMBEDDING_THREADS": os.environ.get("EMBEDDING_THREADS") or str(os.cpu_count() or 1),
        }
        call(manage("migrate", "--noinput", "--verbosity", "0"), env=variables)
        rest = [argument for argument in arguments if argument != "--keep"]
        return call(manage("bench_retrieval", *rest), env=variables, longest_s=LONGEST_BENCH_S)
    finally:
        if keep:
            postgres.stop(data_dir)
        else:
            services.clean(data_dir)


def bench_desk(arguments: Sequence[str]) -> int:
    """Fill a database of its own with made-up checks, and time the desk's pages and the trends.

    With --keep what an earlier run made is measured again, and stays.
    """
    data_dir = CHECKOUT / ".data" / "bench-desk"
    keep = "--keep" in arguments
    if not keep:
        services.clean(data_dir)
    plain = "django.contrib.staticfiles.storage.StaticFilesStorage"
    try:
        with services.django_variables(data_dir) as found:
            variables = {**found, "STATICFILES_BACKEND": plain}
            call(manage("migrate", "--noinput", "--verbosity", "0"), env=variables)
            rest = [argument for argument in arguments if argument != "--keep"]
            pages = call(manage("bench_desk", *rest), env=variables, longest_s=LONGEST_BENCH_S)
            return pages or call(manage("bench_trends"), env=variables)
    finally:
        if not keep:
            services.clean(data_dir)


def call(
    command: Sequence[str], env: Mapping[str, str] | None = None, *, longest_s: float = LONGEST_S
) -> int:
    """Run a tool in sight of the user and return its exit status."""
    sys.stdout.flush()
    process = subprocess.Popen(list(command), cwd=CHECKOUT, env=env)  # noqa: S603 - no shell
    try:
        return process.wait(longest_s)
    except KeyboardInterrupt:
        # The tool got the same Ctrl-C; give it time to stop what it started.
        process.wait(TIDY_UP_S)
        raise
