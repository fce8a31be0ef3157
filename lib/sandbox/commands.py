"""Builds the command line of each tier: limits by prlimit, the isolation, a bare Python."""

import os
import shutil
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lib.sandbox.types import SandboxLimits, SandboxUnavailable, Tier

NOBODY = 65534
_CHILD = Path(__file__).with_name("child.py")
_WALLS = (
    *("--unshare-all", "--unshare-user", "--uid", str(NOBODY), "--gid", str(NOBODY)),
    *("--disable-userns", "--cap-drop", "ALL", "--die-with-parent", "--new-session"),
    *("--clearenv", "--hostname", "sandbox"),
)
"""--unshare-user besides --unshare-all, which only tries; as root bubblewrap would otherwise keep
uid 0 and all capabilities."""
_LOADER = ("/lib", "/lib32", "/lib64", "/usr/lib64")
_OPTIONS = ("-I", "-S", "-X", "utf8")


@dataclass(frozen=True, slots=True)
class Program:
    """A Python file to run, and the folders it may read beside Python and its library."""

    file: Path
    readable: tuple[Path, ...] = ()


def command(tier: Tier, limits: SandboxLimits) -> list[str]:
    """Return the whole command of a script.

    Raises SandboxUnavailable where a program is missing.
    """
    limited = [_program("prlimit", "util-linux"), *_limits(limits), "--"]
    return [*limited, *isolated_command(tier, Program(_CHILD))]


def isolated_command(tier: Tier, program: Program) -> list[str]:
    """Return the command without limits.

    The first tier starts the program in namespaces of its own; the second restricts itself later.
    """
    python = [str(_python()), *_OPTIONS, str(program.file)]
    if tier is Tier.LANDLOCK:
        return python
    bwrap = [_program("bwrap", "bubblewrap"), *_WALLS, *_mounts(program), "--chdir", "/", "--"]
    return [*bwrap, *python]


def user(tier: Tier) -> int | None:
    """Return the user that the child must become: nobody for root without user namespaces."""
    return NOBODY if tier is Tier.LANDLOCK and os.geteuid() == 0 else None


def _limits(limits: SandboxLimits) -> Iterator[str]:
    for name, value in (
        ("as", limits.memory_bytes),
        ("cpu", limits.cpu_seconds),
        ("fsize", limits.file_bytes),
        ("nofile", limits.open_files),
        ("core", 0),
        ("memlock", 0),
        ("msgqueue", 0),
    ):
        yield f"--{name}={value}:{value}"


def _program(name: str, package: str) -> str:
    path = shutil.which(name, path="/usr/bin:/bin:/usr/local/bin")
    if path is None:
        raise SandboxUnavailable(f"{name} is missing (package {package})")
    return path


def _python() -> Path:
    """Return the path of the interpreter itself, not of the link in a virtual environment."""
    return Path(getattr(sys, "_base_executable", sys.executable)).resolve()


def _mounts(program: Program) -> Iterator[str]:
    """Yield the options that mount what the child sees, all of it read-only.

    That is Python, its library, the system's libraries, and the program.
    """
    standard = Path(sysconfig.get_path("stdlib"))
    shared = sorted(Path(sys.base_prefix, "lib").glob("libpython3*.so*"))
    for path in (_python(), standard, *shared, _libraries()):
        yield from ("--ro-bind", str(path), str(path))
    for packages in ("site-packages", "dist-packages"):
        if (standard / packages).is_dir():
            yield from ("--tmpfs", str(standard / packages))
    for link in map(Path, _LOADER):
        if link.is_symlink():
            yield from ("--symlink", os.readlink(link), str(link))
        elif link.is_dir() and link != Path("/lib"):
            yield from ("--ro-bind", str(link), str(link))
    yield from ("--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache")
    for path in (program.file, *program.readable):
        yield from ("--ro-bind", str(path), str(path))


def _libraries() -> Path:
    """Return the system's folder of shared libraries: on Debian one for each architecture."""
    multiarch = sysconfig.get_config_var("MULTIARCH") or "-"
    folders = (Path("/usr/lib", multiarch), Path("/usr/lib64"), Path("/usr/lib"))
    return next(path for path in folders if path.is_dir())
