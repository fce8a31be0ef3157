"""Management commands and programs, called as a user calls them."""

import subprocess
import sys
from collections.abc import Mapping
from io import StringIO

from django.core.management import call_command

from tools.launcher.environment import CHECKOUT


def run(command: str, *arguments: object, **options: object) -> str:
    """Run a management command; return what it printed."""
    out = StringIO()
    call_command(command, *arguments, stdout=out, **options)
    return out.getvalue()


def program(
    *command: object, environment: Mapping[str, str] | None = None, timeout: float = 300
) -> str:
    """Run a program in the checkout; return what it printed, or fail with all of it."""
    done = subprocess.run(
        list(map(str, command)),
        cwd=CHECKOUT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def python(*arguments: object, **options: object) -> str:
    """Run Python as `program` does."""
    return program(sys.executable, *arguments, **options)
