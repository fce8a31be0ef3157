"""The command line of each tier: limits by prlimit, then the walls, then a bare Python."""

import os
import shutil
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from assistant.sandbox.types import SandboxLimits, SandboxUnavailable, Tier

NOBODY = 65534
_CHILD = Path(__file__).with_name("child.py")
_INSIDE = "/sandbox/child.py"
_WALLS = (
    *("--unshare-all", "--unshare-user", "--uid", str(NOBODY), "--gid", str(NOBODY)),
    *("--disable-userns", "--cap-drop", "ALL", "--die-with-parent", "--new-session"),
    *("--clearenv", "--hostname", "sandbox"),
)
"""--unshare-user besides --unshare-all, which only tries; as root bubblewrap would otherwise keep
uid 0 and all capabilities."""
_LOADER = ("/lib", "/lib32", "/lib64", "/usr/lib64")
_OPTIONS = ("-I", "-S", "-X", "utf8")


def command(tier: Tier, limits: SandboxLimits) -> list[str]:
    """The whole command; SandboxUnavailable names the program that is missing."""
    limited = [_program("prlimit", "util-linux"), *_limits(limits), "--"]
    if tier is Tier.LANDLOCK:
        return [*limited, str(_python()), *_OPTIONS, str(_CHILD)]
    bwrap = [_program("bwrap", "bubblewrap"), *_WALLS, *_mounts(), "--chdir", "/", "--"]
    return [*limited, *bwrap, str(_python()), *_OPTIONS, _INSIDE]


def user(tier: Tier) -> int | None:
    """Whom the child must become: nobody, where it is root and has no user namespace."""
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
    """The interpreter itself, not the link to it in a virtual environment."""
    return Path(getattr(sys, "_base_executable", sys.executable)).resolve()


def _mounts() -> Iterator[str]:
    """All that the child sees, read-only: this Python, its library, the system's, and itself."""
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
    yield from ("--ro-bind", str(_CHILD), _INSIDE)


def _libraries() -> Path:
    """Where the system keeps its shared libraries: one folder an architecture on Debian."""
    multiarch = sysconfig.get_config_var("MULTIARCH") or "-"
    found = (Path("/usr/lib", multiarch), Path("/usr/lib64"), Path("/usr/lib"))
    return next(path for path in found if path.is_dir())
