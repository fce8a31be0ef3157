"""Runs other programs to their end, and keeps what they print."""

import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.launcher.errors import LauncherError


@dataclass(frozen=True)
class Account:
    """A system user that a program runs as, and that owns its files."""

    name: str
    uid: int
    gid: int


@dataclass(frozen=True)
class CommandResult:
    code: int
    output: str

    def tail(self, lines: int = 12) -> str:
        return "\n".join(self.output.strip().splitlines()[-lines:])


def run(
    command: Sequence[str],
    *,
    timeout_s: float,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    account: Account | None = None,
) -> CommandResult:
    """Run a program to its end, without input, as ourselves or as the account."""
    # The output goes to a file: a program that leaves a server behind gives it a pipe for ever.
    with tempfile.TemporaryFile("w+", errors="replace") as output:
        try:
            process = subprocess.run(  # noqa: S603 - a list of our own making, never a shell
                list(command),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=cwd,
                env=env,
                timeout=timeout_s,
                check=False,
                user=account.uid if account else None,
                group=account.gid if account else None,
                extra_groups=[] if account else None,
            )
        except subprocess.TimeoutExpired as error:
            raise LauncherError(f"{command[0]} did not end within {timeout_s:.0f} s.") from error
        output.seek(0)
        return CommandResult(process.returncode, output.read())
