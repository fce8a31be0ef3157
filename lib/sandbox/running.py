"""Runs a script: starts the child in its tier, waits no longer than allowed, reads its answer.

The command line of a tier: limits by prlimit, the isolation, a bare Python. The seccomp filter
names the system calls that the script may make; all others fail with EPERM. It is compiled here by
libseccomp, which knows the call numbers of every architecture, and handed to the child as a
program. Opening files stays allowed, so that it is the tier's own isolation that refuses them and
the canaries test that.
"""

import base64
import errno
import json
import logging
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import IO, Any

from lib.sandbox.types import (
    DEFAULT_LIMITS,
    SandboxFailed,
    SandboxLimits,
    SandboxResult,
    SandboxUnavailable,
    Tier,
)

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


ALLOWED = (
    *("read", "write", "pread64", "lseek", "close", "fstat", "newfstatat", "statx"),
    *("open", "openat", "readlink", "readlinkat", "getdents64", "getcwd"),
    *("mmap", "munmap", "mprotect", "mremap", "madvise", "brk"),
    *("rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "restart_syscall"),
    *("futex", "sched_yield", "getpid", "gettid", "getuid", "geteuid", "getgid", "getegid"),
    *("clock_gettime", "clock_nanosleep", "nanosleep", "gettimeofday", "time", "getrandom"),
    *("exit", "exit_group"),
)
"""No socket, no fork or thread, no exec, no ioctl, no signal to others, no way to change limits."""


@cache
def program() -> bytes:
    """Return the filter as classic BPF, 8 bytes an instruction. Raises SandboxUnavailable."""
    try:
        import pyseccomp  # noqa: PLC0415 - it raises where the library is missing
    except (ImportError, OSError, RuntimeError) as error:
        raise SandboxUnavailable(f"libseccomp is missing ({error})") from error
    rules = pyseccomp.SyscallFilter(pyseccomp.ERRNO(errno.EPERM))
    for name in ALLOWED:
        if _has_syscall(pyseccomp, name):
            rules.add_rule(pyseccomp.ALLOW, name)
    with tempfile.TemporaryFile() as out:
        rules.export_bpf(out)
        out.seek(0)
        return out.read()


def _has_syscall(library: object, name: str) -> bool:
    """Return whether this architecture has the system call: arm64, for one, has no `open`."""
    number = library.resolve_syscall(library.system_arch(), name)  # type: ignore[attr-defined]
    return bool(number >= 0)


_SAID = 400

logger = logging.getLogger(__name__)


def run(
    script: str,
    data: Any,
    *,
    tier: Tier,
    modules: Sequence[str] = (),
    limits: SandboxLimits = DEFAULT_LIMITS,
) -> SandboxResult:
    """Call `main(data)` of this source text inside the tier; JSON goes in and comes out.

    `modules` of the standard library are loaded before the restrictions apply: afterwards no file
    can be read. Raises SandboxFailed, or SandboxUnavailable where a program of the tier is missing.
    Files carry the bytes both ways: unlike pipes they cannot block, and prlimit bounds them.
    """
    started = perf_counter()
    arguments = command(tier, limits)
    with (
        tempfile.TemporaryFile() as file,
        tempfile.TemporaryFile() as answer,
        tempfile.TemporaryFile() as errors,
    ):
        setting = {"modules": list(modules), **restrictions(tier, limits.processes)}
        for line in (setting, {"script": script, "input": data}):
            file.write(json.dumps(line).encode() + b"\n")
        file.seek(0)
        code = _wait(arguments, file, answer, errors, limits.wall_seconds)
        if code != 0:
            raise SandboxFailed(_broken_off(code, errors))
        return SandboxResult(_output(answer, limits), tier, perf_counter() - started)


def restrictions(tier: Tier, processes: int, readable: Sequence[str] = ()) -> dict[str, Any]:
    """Return the argument of `lib.sandbox.child.restrict` as JSON.

    `readable`: folders that Landlock leaves to the child; the first tier has them as mounts.
    Raises SandboxUnavailable where the filter cannot be made.
    """
    return {
        "processes": processes,
        "user": user(tier),
        "landlock": tier is Tier.LANDLOCK,
        "readable": list(readable),
        "filter": base64.b64encode(program()).decode(),
    }


def _wait(
    arguments: list[str], stdin: IO[bytes], stdout: IO[bytes], stderr: IO[bytes], seconds: float
) -> int:
    child = subprocess.Popen(  # noqa: S603 - a list of our own making, never a shell
        arguments,
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        env={},
        cwd="/",
        start_new_session=True,
    )
    try:
        return child.wait(timeout=seconds)
    except subprocess.TimeoutExpired as error:
        raise SandboxFailed(f"it took longer than {seconds:g} seconds") from error
    finally:
        # Bubblewrap's child dies with it; so does its whole process namespace.
        kill_group(child)


def kill_group(child: subprocess.Popen[bytes]) -> None:
    """End the child and whatever it has started; does nothing where all have ended.

    The child leads its group, so the group bears its number as long as it is not reaped.
    """
    if child.returncode is None:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def _broken_off(code: int, stderr: IO[bytes]) -> str:
    """Say why the child broke off, for an operator: the last line that it wrote."""
    size = stderr.seek(0, os.SEEK_END)
    stderr.seek(max(0, size - _SAID))
    last = stderr.read(_SAID).decode("utf-8", errors="replace").strip().rpartition("\n")[2]
    logger.warning("sandbox ended with code %s: %s", code, last)
    if "MemoryError" in last:
        return "it needed more memory than is allowed"
    return f"it ended with code {code}: {last}" if last else f"it ended with code {code}"


def _output(answer: IO[bytes], limits: SandboxLimits) -> Any:
    answer.seek(0)
    try:
        return json.loads(answer.read(limits.file_bytes))["output"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise SandboxFailed("it answered with something that is no result") from error
