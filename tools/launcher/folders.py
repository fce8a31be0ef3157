"""Folders of the servers' files, and whether another system user can reach them."""

import hashlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from tools.launcher.commands import Account
from tools.launcher.errors import LauncherError

VAR_LIB = Path("/var/lib")


@dataclass(frozen=True)
class ServerFolder:
    """A folder for a server's files; the reason is given where it is not the usual one."""

    folder: Path
    moved_because: str = ""


def closed_ancestor(path: Path) -> Path | None:
    """Return the topmost existing folder above `path` that other users may not enter, or None."""
    for parent in reversed(path.resolve().parents):
        if parent.exists() and not parent.stat().st_mode & stat.S_IXOTH:
            return parent
    return None


def folder_of_its_own(data_dir: Path, var_lib: Path = VAR_LIB) -> Path:
    """Return the folder under /var/lib that belongs to this data folder and to no other."""
    digest = hashlib.sha256(str(data_dir.resolve()).encode()).hexdigest()[:12]
    return var_lib / f"watchdog-{digest}"


def place_for(
    data_dir: Path, name: str, *, other_user: bool, var_lib: Path = VAR_LIB
) -> ServerFolder:
    """Choose the folder for a server that runs as another system user or as ourselves.

    The permissions of folders that we did not make are never changed: where the other user cannot
    pass, the files go to a folder of their own instead. Files that exist already stay where they
    are, so that a permission changed later never makes a database look empty.
    """
    usual = data_dir.resolve() / name
    if not other_user:
        return ServerFolder(usual)
    own = folder_of_its_own(data_dir, var_lib) / name
    if own.exists():
        return ServerFolder(own, f"{name} keeps its files in {own}, as before")
    closed = closed_ancestor(usual)
    if closed is None:
        return ServerFolder(usual)
    if usual.exists():
        raise LauncherError(
            f"The files of {name} are in {usual}, but only their owner may enter {closed} now.",
            f"Either open it again (chmod o+x {closed}) or move the files to {own}.",
        )
    return ServerFolder(
        own, f"only its owner may enter {closed}, so {name} keeps its files in {own}"
    )


def make_data_folder(folder: Path) -> None:
    """Make the folder for our state; others may pass through a new one but not list it."""
    if not folder.exists():
        folder.mkdir(parents=True)
        folder.chmod(0o711)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise LauncherError(
            f"{folder} belongs to another user, so nothing can be written there.",
            "Run this as the user who ran it first, or let that user run `make clean`.",
        )


def make_private_folder(folder: Path, account: Account | None = None) -> None:
    """Make a folder that only the account, or we, may enter; refuse one that another user made."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    makers = (os.geteuid(), account.uid if account else os.geteuid())
    if folder.is_symlink() or folder.stat().st_uid not in makers:
        raise LauncherError(
            f"{folder} was made by somebody else.", "Remove it, then run the same command again."
        )
    if account is not None:
        os.chown(folder, account.uid, account.gid)
    folder.chmod(0o700)


def write_private(file: Path, text: str) -> None:
    """Replace a file by one that only we can read; never half-written, never readable before."""
    new = file.with_name(file.name + ".new")
    new.unlink(missing_ok=True)
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as stream:
        stream.write(text)
    new.replace(file)
