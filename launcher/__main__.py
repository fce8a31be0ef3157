"""`python -m launcher COMMAND`: what the Makefile calls once the virtual environment stands."""

import argparse
import errno
import sys
from collections.abc import Sequence
from pathlib import Path

from launcher import quality, run, services
from launcher.console import console
from launcher.environment import CHECKOUT, manage
from launcher.errors import LauncherError

COMMANDS = (
    "run",
    "stop",
    "clean",
    "test",
    "test-fast",
    "faults",
    "scale",
    "lint",
    "fix",
    "api-docs",
    "bench",
    "bench-desk",
    "bench-tables",
    "bench-retrieval",
    "manage",
    "proxy",
    "services",
    "stop-services",
)

DISK_FULL = "The disk is full: free some space, then run the same command again."
NOT_OURS = "Run this as the owner of that file, or let the owner run `make clean`."
ADVICE = {
    errno.ENOSPC: DISK_FULL,
    errno.EDQUOT: DISK_FULL,
    errno.EACCES: NOT_OURS,
    errno.EPERM: NOT_OURS,
}


def perform(command: str, data_dir: Path, rest: Sequence[str]) -> int:
    """Run one command and return its exit status."""
    match command:
        case "run":
            run.run(data_dir)
        case "stop":
            run.stop_other(data_dir)
        case "clean":
            services.clean(data_dir)
        case "test":
            return quality.test(rest)
        case "test-fast":
            return quality.test_fast(rest)
        case "faults":
            return quality.faults(rest)
        case "scale":
            return quality.scale(rest)
        case "lint":
            quality.lint()
        case "fix":
            quality.fix()
        case "api-docs":
            return quality.api_docs()
        case "bench":
            return quality.bench(rest)
        case "bench-desk":
            return quality.bench_desk(rest)
        case "bench-tables":
            return quality.bench_tables(rest)
        case "bench-retrieval":
            return quality.bench_retrieval(rest)
        case "manage":
            with services.django_variables(data_dir) as variables:
                return quality.call(manage(*rest), env=variables)
        case "proxy":
            return quality.proxy(rest)
        case "services":
            services.start(data_dir)
        case "stop-services":
            services.stop(data_dir)
    return 0


def main(arguments: list[str]) -> int:
    """Run one command; a known failure is told in plain words, with what to do."""
    parser = argparse.ArgumentParser(prog="python -m launcher", description=__doc__)
    parser.add_argument("--data-dir", type=Path, default=CHECKOUT / ".data")
    parser.add_argument("command", choices=COMMANDS)
    parser.add_argument("rest", nargs=argparse.REMAINDER)
    options = parser.parse_args(arguments)
    try:
        return perform(options.command, options.data_dir.resolve(), options.rest)
    except LauncherError as error:
        console.print(f"\n[bold red]{options.command} failed.[/]", end=" ")
        console.print(str(error), markup=False, soft_wrap=True)
        return 1
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        if error.errno not in ADVICE:
            raise
        console.print(f"\n[bold red]{options.command} failed.[/]", end=" ")
        console.print(f"{error}\n{ADVICE[error.errno]}", markup=False, soft_wrap=True)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
