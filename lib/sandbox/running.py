"""Runs a program in a process of its own: with limits, in a tier, and waits for its answer.

The command line of a tier is its isolation and a bare Python. The seccomp filter names the system
calls that the program may make; all others fail with EPERM. It is compiled here by libseccomp,
which knows the call numbers of every architecture, and handed to the child as a program. Opening
files stays allowed, so that it is the tier's own isolation that refuses them and the canaries test
that.
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
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import IO, Any

from lib.sandbox.types import (
    DEFAULT_LIMITS,
    Failure,
    SandboxFailed,
    SandboxLimits,
    SandboxResult,
    SandboxUnavailable,
    Tier,
)

ENVIRONMENT = {"PATH": "/nonexistent", "LANG": "C.UTF-8", "MALLOC_ARENA_MAX": "2"}
"""All that a child inherits: no database, no keys, and no helper program is found."""
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
    """A function to run in a child, as "module:name": it reads a stream and returns the answer.

    `paths` are where its modules are found, `readable` the folders that it may read beside Python
    and its library. `modules` are loaded before the restrictions apply; under Landlock no file can
    be read afterwards except those in `readable`, and the library if `readable` names any.
    """

    function: str
    modules: tuple[str, ...] = ()
    paths: tuple[Path, ...] = ()
    readable: tuple[Path, ...] = ()


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
    can be read. Raises as `run_program`.
    """
    started = perf_counter()
    program = Program("__main__:run_script", tuple(modules))
    job = json.dumps({"script": script, "input": data}).encode()
    answer = run_program(program, job, tier=tier, limits=limits)
    try:
        output = json.loads(answer)["output"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise SandboxFailed("it answered with something that is no result") from error
    return SandboxResult(output, tier, perf_counter() - started)


def run_program(
    program: Program, *data: bytes, tier: Tier | None, limits: SandboxLimits = DEFAULT_LIMITS
) -> bytes:
    """Run a program that reads these bytes, and return its answer.

    `tier` None: with limits but without a sandbox, for trusted data. Raises SandboxFailed, or
    SandboxUnavailable where a program of the tier is missing. Files carry the bytes both ways:
    unlike pipes they cannot fill up and block, and the answer's size is known before it is read.
    """
    arguments, setting = command(tier, program.readable), _setting(program, tier, limits)
    with (
        tempfile.TemporaryFile() as request,
        tempfile.TemporaryFile() as answer,
        tempfile.TemporaryFile() as errors,
    ):
        request.writelines((setting, *data))
        request.seek(0)
        code = _wait(arguments, request, answer, errors, limits.wall_seconds)
        if code != 0:
            raise _broken_off(code, errors)
        if answer.seek(0, os.SEEK_END) > limits.file_bytes:
            raise SandboxFailed("its answer is longer than is allowed", Failure.TOO_LONG)
        answer.seek(0)
        return answer.read()


def command(tier: Tier | None, readable: Sequence[Path] = ()) -> list[str]:
    """Return the command line of the child.

    The first tier starts it in namespaces of its own; the second restricts itself later. Raises
    SandboxUnavailable where a program is missing.
    """
    python = [str(_python()), *_OPTIONS, str(_CHILD)]
    if tier is not Tier.BUBBLEWRAP:
        return python
    bwrap = shutil.which("bwrap", path="/usr/bin:/bin:/usr/local/bin")
    if bwrap is None:
        raise SandboxUnavailable("bwrap is missing (package bubblewrap)")
    return [bwrap, *_WALLS, *_mounts(readable), "--chdir", "/", "--", *python]


def _setting(program: Program, tier: Tier | None, limits: SandboxLimits) -> bytes:
    """Return the first line of the child's input. Raises as `compiled_filter`."""
    setting = {
        "function": program.function,
        "modules": program.modules,
        "paths": [str(path) for path in program.paths],
        "limits": asdict(limits),
        "restrictions": tier and _restrictions(tier, program.readable),
    }
    return json.dumps(setting).encode() + b"\n"


def _restrictions(tier: Tier, readable: Sequence[Path]) -> dict[str, Any]:
    """Return the argument of `lib.sandbox.child.restrict`.

    Landlock leaves the readable folders to the child; the first tier has them as mounts.
    """
    library = [Path(sysconfig.get_path("stdlib"))] if readable else []
    return {
        # Root without user namespaces must become nobody.
        "user": NOBODY if tier is Tier.LANDLOCK and os.geteuid() == 0 else None,
        "landlock": tier is Tier.LANDLOCK,
        "readable": [str(path) for path in (*readable, *library)],
        "filter": base64.b64encode(compiled_filter()).decode(),
    }


def _python() -> Path:
    """Return the path of the interpreter itself, not of the link in a virtual environment."""
    return Path(getattr(sys, "_base_executable", sys.executable)).resolve()


def _mounts(readable: Sequence[Path]) -> Iterator[str]:
    """Yield the options that mount what the child sees, all of it read-only.

    That is Python, its library, the system's libraries, its own file and the readable folders.
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
    for path in (_CHILD, *readable):
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
def compiled_filter() -> bytes:
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
_SHELL = 128
"""The number that bubblewrap, like shells, adds to the signal that ended its child."""
_BY_SIGNAL: dict[int, Failure] = {
    # The kernel kills with SIGKILL when memory runs out, and nobody else does; PDFium aborts.
    signal.SIGKILL: Failure.TOO_MUCH_MEMORY,
    signal.SIGABRT: Failure.TOO_MUCH_MEMORY,
    signal.SIGXCPU: Failure.TOO_SLOW,
}

logger = logging.getLogger(__name__)


def _wait(
    arguments: list[str], stdin: IO[bytes], stdout: IO[bytes], stderr: IO[bytes], seconds: float
) -> int:
    """Run the child to its end or time limit; return its exit code."""
    child = subprocess.Popen(  # noqa: S603 - a list of our own making, never a shell
        arguments,
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        env=ENVIRONMENT,
        cwd="/",
        start_new_session=True,
    )
    try:
        return child.wait(timeout=seconds)
    except subprocess.TimeoutExpired as error:
        message = f"it took longer than {seconds:g} seconds"
        raise SandboxFailed(message, Failure.TOO_SLOW) from error
    finally:
        # Bubblewrap's child dies with it; so does its whole process namespace.
        _kill_group(child)


def _kill_group(child: subprocess.Popen[bytes]) -> None:
    """End the child and whatever it has started; does nothing where all have ended.

    The child leads its group, so the group bears its number as long as it is not reaped.
    """
    if child.returncode is None:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def _broken_off(code: int, stderr: IO[bytes]) -> SandboxFailed:
    """Return the error of a child that broke off, with the last line that it wrote."""
    size = stderr.seek(0, os.SEEK_END)
    stderr.seek(max(0, size - _SAID))
    words = stderr.read(_SAID).decode("utf-8", errors="replace")
    last = words.strip().rpartition("\n")[2]
    logger.warning("sandbox ended with code %s: %s", code, last)
    if last.startswith("MemoryError"):
        return SandboxFailed("it needed more memory than is allowed", Failure.TOO_MUCH_MEMORY)
    failure = _BY_SIGNAL.get(code - _SHELL if code > _SHELL else -code, Failure.BROKEN)
    ending = f"it ended with code {code}"
    return SandboxFailed(f"{ending}: {last}" if last else ending, failure)
