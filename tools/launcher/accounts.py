"""The system user that PostgreSQL runs as when we are root (it refuses to run as root)."""

import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass

from tools.launcher.errors import LauncherError

USER_NAME = "watchdog-pg"


@dataclass(frozen=True)
class Account:
    """A system user that owns the database's files."""

    name: str
    uid: int
    gid: int


def postgres_account() -> Account | None:
    """Return the user for PostgreSQL, made when missing; None (ourselves) unless we are root."""
    if os.geteuid() != 0:
        return None
    try:
        entry = pwd.getpwnam(USER_NAME)
    except KeyError:
        _add_user()
        entry = pwd.getpwnam(USER_NAME)
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)


def _add_user() -> None:
    useradd = shutil.which("useradd") or shutil.which("useradd", path="/usr/sbin:/sbin")
    if useradd is None:
        raise LauncherError(
            "PostgreSQL does not run as root, and the command useradd is missing.",
            f"Add a system user named {USER_NAME}, or run this as an ordinary user.",
        )
    command = [useradd, "--system", "--user-group", "--no-create-home"]
    command += ["--home-dir", "/nonexistent", "--shell", "/usr/sbin/nologin", USER_NAME]
    process = subprocess.run(  # noqa: S603 - a list of our own making, never a shell
        command, capture_output=True, text=True, timeout=30, check=False
    )
    if process.returncode != 0:
        raise LauncherError(
            f"The system user {USER_NAME} could not be added: {process.stderr.strip()}",
            "Run this as an ordinary user, or add that user yourself.",
        )
