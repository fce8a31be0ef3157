"""`python -m tools.launcher COMMAND`: run by the Makefile once the virtual environment stands."""

import argparse
import errno
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from tools.launcher import quality, run, services
from tools.launcher.console import console
from tools.launcher.environment import CHECKOUT, manage
from tools.launcher.errors import LauncherError

DISK_FULL = "The disk is full: free some space, then run the same command again."
NOT_OURS = "Run this as the owner of that file, or let the owner run `make clean`."
ADVICE = {
    errno.ENOSPC: DISK_FULL,
    errno.EDQUOT: DISK_FULL,
    errno.EACCES: NOT_OURS,
    errno.EPERM: NOT_OURS,
}


def run_manage(data_dir: Path, arguments: Sequence[str]) -> int:
    with services.django_variables(data_dir) as variables:
        return quality.call(manage(*arguments), env=variables)


COMMANDS: dict[str, Callable[[Path, Sequence[str]], int | None]] = {
    "run": lambda data, _: run.run(data),
    "stop": lambda data, _: run.stop_other(data),
    "clean": lambda data, _: services.clean(data),
    "test": lambda _, rest: quality.test(rest),
    "test-fast": lambda _, rest: quality.test_fast(rest),
    "coverage": lambda _, rest: quality.coverage(rest),
    "audit": lambda _, __: quality.audit(),
    "faults": lambda _, rest: quality.faults(rest),
    "scale": lambda _, rest: quality.scale(rest),
    "lint": lambda _, __: quality.lint(),
    "fix": lambda _, __: quality.fix(),
    "api-docs": lambda _, __: quality.api_docs(),
    "bench": lambda _, rest: quality.bench(rest),
    "bench-tables": lambda _, rest: quality.bench_tables(rest),
    "manage": run_manage,
    "proxy": lambda _, rest: quality.proxy(rest),
}
"""Each command with the data folder and the arguments after it; gives its exit status, or None."""


def main(arguments: list[str]) -> int:
    """Run one command; report a known failure in plain words, with what to do."""
    parser = argparse.ArgumentParser(prog="python -m tools.launcher", description=__doc__)
    parser.add_argument("--data-dir", type=Path, default=CHECKOUT / ".data")
    parser.add_argument("command", choices=COMMANDS)
    parser.add_argument("rest", nargs=argparse.REMAINDER)
    options = parser.parse_args(arguments)
    try:
        return COMMANDS[options.command](options.data_dir.resolve(), options.rest) or 0
    except KeyboardInterrupt:
        return 130
    except LauncherError as error:
        problem = str(error)
    except OSError as error:
        if error.errno not in ADVICE:
            raise
        problem = f"{error}\n{ADVICE[error.errno]}"
    console.print(f"\n[bold red]{options.command} failed.[/]", end=" ")
    console.print(problem, markup=False, soft_wrap=True)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
