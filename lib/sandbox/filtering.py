"""The seccomp filter: the system calls that the script may make; all others fail with EPERM.

Compiled here by libseccomp, which knows the call numbers of every architecture, and handed to the
child as a program. Opening files stays allowed, so that it is the tier's own isolation that refuses
them and the canaries test that.
"""

import errno
import tempfile
from functools import cache

from lib.sandbox.types import SandboxUnavailable

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
