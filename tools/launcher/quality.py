"""`make lint`, `fix`, `test`, `test-fast` and `bench`: the tools and how they are called."""

import argparse
import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence

from tools.launcher import commands, services
from tools.launcher.console import console
from tools.launcher.environment import CHECKOUT, manage, module
from tools.launcher.errors import LauncherError
from tools.launcher.judge import prepare_judge

CLIENT = CHECKOUT / "clients" / "python" / "src"
LONGEST_S = 5400
LONGEST_BENCH_S = 6 * 3600
TIDY_UP_S = 60
LINT_IMPORTS = "from importlinter.cli import lint_imports_command; lint_imports_command()"


def linters() -> dict[str, list[str]]:
    """Return all linters by name, the quickest first."""
    compose = ["--builtin-schema", "vendor.compose-spec", "docker-compose.yml"]
    return {
        "ruff check": module("ruff", "check"),
        "ruff format": module("ruff", "format", "--check"),
        "docker-compose.yml": module("check_jsonschema", *compose),
        "templates": module("djlint", "--lint", "--quiet", "templates"),
        "import-linter": [sys.executable, "-c", LINT_IMPORTS],
        "migrations": manage("makemigrations", "--check", "--dry-run"),
        "deploy check": manage("check", "--deploy", "--fail-level", "WARNING"),
        "mypy": module("mypy", *packages(), "clients/python/src/watchdog_client"),
    }


def packages() -> list[str]:
    """Return every package at the root of the checkout but the tests."""
    names = (init.parent.name for init in CHECKOUT.glob("*/__init__.py"))
    return sorted(name for name in names if name != "tests")


def proxy(arguments: Sequence[str]) -> int:
    """Serve the OpenAI-compatible proxy, with the client of this checkout."""
    return call(module("proxy", *arguments), env={**os.environ, "PYTHONPATH": str(CLIENT)})


def like_production() -> dict[str, str]:
    """Return the variables of a production machine, so that `check --deploy` judges that."""
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
    failed = []
    for name, command in linters().items():
        console.rule(name, align="left")
        if call(command, env=like_production()) != 0:
            failed.append(name)
    console.rule()
    if failed:
        raise LauncherError(
            f"Failed: {', '.join(failed)}.", "`make fix` corrects what ruff can correct."
        )
    console.print("All linters pass.")


def fix() -> None:
    call(module("ruff", "check", "--fix"))
    call(module("ruff", "format"))


def api_docs() -> int:
    """Write what is generated from the API: its document and its schemas."""
    document = manage("spectacular", "--file", "docs/openapi.yaml")
    return call_each([document, manage("export_schemas")], env=like_production())


PIP_AUDIT = "pip-audit==2.10.1"
FAST = "tests/unit"
FAULTS = "tests/faults"
CAMPAIGN = "tests/faults/test_campaign.py"
SCALE = "tests/faults/test_scale.py"
DISK_MB = 1_200
"""Of the disk that a campaign fills: its database grows by some hundred."""
SLOWEST = 20
MOST_PROCESSES = 4
RECORD = CHECKOUT / ".pytest_cache" / "v" / "cache" / "lastfailed"
TESTS_FAILED = 1
MOST_REPEATED = 5
"""More failures than these are no accident."""


def test(arguments: Sequence[str]) -> int:
    """Run the tests, which start the servers they need, in one process more than there are cores.

    A test often waits for a server or a browser. pytest's own arguments choose some of them, in
    one process unless they say `-n`.
    """
    prepare_judge(os.environ)
    if arguments:
        return call(module("pytest", *arguments))
    # Faults halt and kill the servers: other tests would fail beside them, and each of their
    # processes has servers of its own.
    others = run_tests(*in_parallel(more=1), f"--ignore={FAULTS}")
    faulty = run_tests(FAULTS, *in_parallel(), env={**os.environ, "TEST_OWN_POSTGRES": "1"})
    return others or faulty


def run_tests(*arguments: str, env: Mapping[str, str] | None = None) -> int:
    """Run pytest; in CI, run the few tests that failed once more, alone, and name them.

    Of thousands of tests with real browsers and processes on a busy machine, one may be late. But a
    race in the product looks the same: whoever reads a name mends it.
    """
    RECORD.unlink(missing_ok=True)
    code = call(module("pytest", *arguments), env=env)
    failed = sorted(json.loads(RECORD.read_text())) if RECORD.exists() else []
    if code != TESTS_FAILED or "CI" not in os.environ or len(failed) > MOST_REPEATED:
        return code
    code = call(module("pytest", *failed), env=env)
    if code == 0:
        console.print(f"FLAKY, passed only when run again: {', '.join(failed)}", soft_wrap=True)
    return code


def test_fast(arguments: Sequence[str]) -> int:
    """Run the unit tests, which need neither servers nor models."""
    return call(module("pytest", FAST, *in_parallel(), *arguments))


def coverage(arguments: Sequence[str]) -> int:
    """Run the unit tests, or those that are named, and show the lines that none of them reaches."""
    data = CHECKOUT / ".data" / "coverage"
    shutil.rmtree(data, ignore_errors=True)
    data.mkdir(parents=True)
    options = [*arguments] or [FAST, *in_parallel()]
    code = call(module("coverage", "run", "-m", "pytest", *options))
    call(module("coverage", "combine", "--quiet"))
    return call(module("coverage", "report")) or code


def audit() -> int:
    """Ask for known weaknesses of the pinned packages; without an answer, say so and go on."""
    folder = CHECKOUT / ".data" / "audit"
    folder.mkdir(parents=True, exist_ok=True)
    python, report = str(folder / "venv" / "bin" / "python"), folder / "report.json"
    report.unlink(missing_ok=True)
    options = ["--require-hashes", "--disable-pip", "--format", "json", "--output", str(report)]
    steps = [
        module("venv", str(folder / "venv")),
        [python, "-m", "pip", "install", "--quiet", PIP_AUDIT],
        [python, "-m", "pip_audit", *options, "--requirement", "requirements/hashed.txt"],
    ]
    code = call_each(steps)
    if not report.exists():
        console.print("NOT AUDITED: the package or its list of weaknesses could not be fetched.")
        return 0
    return code


def faults(arguments: Sequence[str]) -> int:
    """Inject faults under load and count the results (docs/operations/security.md)."""
    parser = argparse.ArgumentParser(prog="make faults", description=faults.__doc__)
    parser.add_argument("--faults", type=int, default=1_000, help="how many; default: 1000")
    parser.add_argument("--seed", type=int, default=7, help="of the schedule; default: 7")
    parser.add_argument("--minutes", type=float, help="make no more after this time")
    options = parser.parse_args(arguments)
    variables = {"FAULTS": str(options.faults), "FAULT_SEED": str(options.seed)}
    if options.minutes:
        variables["FAULT_MINUTES"] = str(options.minutes)
    if may_mount():
        variables["FAULT_DISK_MB"] = str(DISK_MB)
    return call(
        module("pytest", CAMPAIGN, "-q"),
        env={**os.environ, **variables},
        longest_s=60 * options.faults + LONGEST_S,
    )


def scale(arguments: Sequence[str]) -> int:
    """Run two web and four worker nodes in network namespaces; cut links and kill nodes.

    Prints checks a second by number of workers, and what was lost (as root;
    docs/operations/several-machines.md).
    """
    parser = argparse.ArgumentParser(prog="make scale", description=scale.__doc__)
    parser.add_argument("--workers", default="1,2,4", help="numbers to measure; default: 1,2,4")
    parser.add_argument("--checks", type=int, default=200, help="for each number; default: 200")
    parser.add_argument("--faults", type=int, default=24, help="how many; default: 24")
    options = parser.parse_args(arguments)
    variables = {
        "SCALE_WORKERS": options.workers,
        "SCALE_CHECKS": str(options.checks),
        "SCALE_FAULTS": str(options.faults),
        "SCALE_CUT_SECONDS": "3",
        "SCALE_LEASE_SECONDS": "12",
    }
    return call(
        module("pytest", SCALE, "-q", "-rs"),
        env={**os.environ, **variables},
        longest_s=60 * options.faults + LONGEST_S,
    )


def may_mount() -> bool:
    """Return whether a file system in memory can be mounted, as tests of a full disk need."""
    if os.geteuid() != 0 or shutil.which("mount") is None:
        return False
    with tempfile.TemporaryDirectory(prefix="watchdog-mount-") as folder:
        command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]
        if commands.run(command, timeout_s=TIDY_UP_S).code != 0:
            return False
        return commands.run(["umount", folder], timeout_s=TIDY_UP_S).code == 0


def in_parallel(*, more: int = 0) -> list[str]:
    """Return pytest's arguments for a process for each core and some more.

    Each has a share of the files one after another.
    """
    processes = min((os.cpu_count() or 1) + more, MOST_PROCESSES)
    return ["-n", str(processes), "--dist", "worksteal", f"--durations={SLOWEST}"]


def bench(arguments: Sequence[str]) -> int:
    """Measure on servers and data of its own, apart from those of `make run`."""
    with services.django_variables(CHECKOUT / ".data" / "bench") as variables:
        call(manage("migrate", "--noinput", "--verbosity", "0"), env=variables)
        return call(manage("bench", *arguments), env=variables)


def bench_tables(arguments: Sequence[str]) -> int:
    """Time the pages with many checks, in a database of its own.

    With --keep what an earlier run made is measured again, and stays.
    """
    data_dir, keep = CHECKOUT / ".data" / "bench-tables", "--keep" in arguments
    if not keep:
        services.clean(data_dir)
    # A browser is served static files as in production: compressed, named by their digest.
    static = {} if "--paint" in arguments else {"STATIC_FROM_SOURCE": "1"}
    command = manage("bench_tables", *(each for each in arguments if each != "--keep"))
    try:
        with services.django_variables(data_dir, NOTHING_TO_LOSE) as variables:
            environment = {**variables, **static}
            call(manage("migrate", "--noinput", "--verbosity", "0"), env=environment)
            return call(command, env=environment, longest_s=LONGEST_BENCH_S)
    finally:
        if not keep:
            services.clean(data_dir)


# Made-up checks may be made again after a power cut; reading them costs the same with it.
NOTHING_TO_LOSE = """\
fsync = off
full_page_writes = off
synchronous_commit = off
wal_level = minimal
max_wal_senders = 0
max_wal_size = 8GB
checkpoint_timeout = 30min
autovacuum = off
"""


def call_each(commands: Sequence[Sequence[str]], env: Mapping[str, str] | None = None) -> int:
    """Run tools one after another; return the exit status of the first that fails, or 0."""
    return next((code for each in commands if (code := call(each, env))), 0)


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
