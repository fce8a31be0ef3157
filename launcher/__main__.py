"""`python -m launcher COMMAND`: what the Makefile calls once the virtual environment stands."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from launcher import postgres, redis
from launcher.errors import LauncherError

CHECKOUT = Path(__file__).resolve().parent.parent


def services(data_dir: Path) -> None:
    """Start PostgreSQL and Redis alone and print their URLs as shell variables."""
    print(f"DATABASE_URL={postgres.start(data_dir)}")
    print(f"REDIS_URL={redis.start(data_dir)}")


def stop_services(data_dir: Path) -> None:
    """Stop PostgreSQL and Redis."""
    redis.stop(data_dir)
    postgres.stop(data_dir)


COMMANDS: dict[str, Callable[[Path], None]] = {
    "services": services,
    "stop-services": stop_services,
}


def main(arguments: list[str]) -> int:
    """Run one command; a known failure is told in plain words."""
    parser = argparse.ArgumentParser(prog="python -m launcher", description=__doc__)
    parser.add_argument("command", choices=COMMANDS)
    parser.add_argument("--data-dir", type=Path, default=CHECKOUT / ".data")
    options = parser.parse_args(arguments)
    try:
        COMMANDS[options.command](options.data_dir)
    except LauncherError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
