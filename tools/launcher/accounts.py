"""The system user that PostgreSQL runs as when we are root (it refuses to run as root)."""

import os
import pwd
import shutil

from tools.launcher import commands
from tools.launcher.commands import Account
from tools.launcher.errors import LauncherError

USER_NAME = "watchdog-pg"
ADD_S = 30.0


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
    result = commands.run(command, timeout_s=ADD_S)
    if result.code != 0:
        raise LauncherError(
            f"The system user {USER_NAME} could not be added: {result.output.strip()}",
            "Run this as an ordinary user, or add that user yourself.",
        )
