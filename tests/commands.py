"""Management commands and programs, called as a user calls them."""

import subprocess
import sys
from collections.abc import Mapping
from io import StringIO
from pathlib import Path

from django.core.management import call_command

from tools.launcher.environment import CHECKOUT


def run(command: str, *arguments: object, **options: object) -> str:
    """Run a management command; return what it printed."""
    out = StringIO()
    call_command(command, *arguments, stdout=out, **options)
    return out.getvalue()


def tried(
    *command: object,
    environment: Mapping[str, str] | None = None,
    folder: Path = CHECKOUT,
    timeout: float = 300,
) -> subprocess.CompletedProcess[str]:
    """Run a program in the checkout or another folder; return its status and what it printed."""
    return subprocess.run(
        list(map(str, command)),
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def program(*command: object, **options: object) -> str:
    """Run a program as `tried` does; return what it printed, or fail with all of it."""
    done = tried(*command, **options)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def python(*arguments: object, **options: object) -> str:
    """Run Python as `program` does."""
    return program(sys.executable, *arguments, **options)
