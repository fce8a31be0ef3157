"""The child process: limits and restricts itself, then calls its function and answers.

Run by its path with `python -I -S`, it loads the standard library alone, and what the first line
of its input names. It stands inside of bubblewrap already (tier 1) or builds Landlock itself
(tier 2); the filter comes in both.
"""

import base64
import ctypes
import importlib
import json
import os
import resource
import sys
from typing import IO, Any

_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _SECCOMP_FILTER = 38, 22, 2
_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT, _VERSION = 444, 445, 446, 1
_BENEATH, _READ = 1, 1 << 2 | 1 << 3
"""Rules by path; the rights to read a file and to list a folder."""
_ACCESS_FS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
"""The number of file rights of each version of Landlock, as low bits; later ones as 5."""
_NET_SINCE, _SCOPES_SINCE = 4, 6
_INSTRUCTION = 8


class _Ruleset(ctypes.Structure):
    """struct landlock_ruleset_attr: the kinds of access refused where no rule allows them."""

    _fields_ = [("files", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


class _PathBeneath(ctypes.Structure):
    """struct landlock_path_beneath_attr: the kinds of access that are allowed below a folder."""

    _pack_ = 1
    _fields_ = [("access", ctypes.c_uint64), ("folder", ctypes.c_int32)]


class _Program(ctypes.Structure):
    """struct sock_fprog: a filter as an array of BPF instructions."""

    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


def main() -> None:
    """Answer one request. Whatever is printed goes to standard error."""
    answers = os.dup(1)
    os.dup2(2, 1)
    with open(0, "rb", closefd=False) as requests:
        setting = json.loads(requests.readline())
        sys.path[:0] = setting["paths"]
        limit(setting["limits"])
        module, _, name = setting["function"].partition(":")
        function = getattr(importlib.import_module(module), name)
        for module in setting["modules"]:
            importlib.import_module(module)
        if setting["restrictions"]:
            restrict(setting["restrictions"], setting["limits"]["processes"])
        raw = function(requests)
    while raw:
        raw = raw[os.write(answers, raw) :]


def run_script(requests: IO[bytes]) -> bytes:
    """Call `main` of a script with its input and return the output, as JSON."""
    job = json.loads(requests.read())
    scope: dict[str, Any] = {"__name__": "script"}
    exec(compile(job["script"], "script", "exec"), scope)  # noqa: S102 - what the sandbox is for
    return json.dumps({"output": scope["main"](job["input"])}, allow_nan=False).encode()


def limit(limits: dict[str, int]) -> None:
    """Set limits that this process cannot lift: memory, time, files, core dumps."""
    bounds = {
        resource.RLIMIT_CPU: limits["cpu_seconds"],
        resource.RLIMIT_FSIZE: limits["file_bytes"],
        resource.RLIMIT_NOFILE: limits["open_files"],
        resource.RLIMIT_CORE: 0,
    }
    if sys.platform == "linux":  # macOS knows RLIMIT_AS but refuses to set it
        bounds[resource.RLIMIT_AS] = limits["memory_bytes"]
        bounds[resource.RLIMIT_MEMLOCK] = bounds[resource.RLIMIT_MSGQUEUE] = 0
    for kind, bound in bounds.items():
        _, hard = resource.getrlimit(kind)
        bound = bound if hard == resource.RLIM_INFINITY else min(bound, hard)
        resource.setrlimit(kind, (bound, bound))


def restrict(restrictions: dict[str, Any], processes: int) -> None:
    """Apply the restrictions in the only order that works.

    Raises OSError where one cannot be applied.
    """
    resource.setrlimit(resource.RLIMIT_NPROC, (processes, processes))
    libc = ctypes.CDLL(None, use_errno=True)
    if restrictions["user"] is not None:
        _become(restrictions["user"])
    _demand(libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    if restrictions["landlock"]:
        _landlock(libc, restrictions["readable"])
    _seccomp(libc, base64.b64decode(restrictions["filter"]))


def _become(user: int) -> None:
    """Give up root for good: the kernel drops all capabilities with it."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def _landlock(libc: ctypes.CDLL, readable: list[str]) -> None:
    """Refuse every file but `readable`, every TCP port and, where it can, signals to others."""
    version = _demand(libc.syscall(_LANDLOCK_CREATE, None, ctypes.c_size_t(0), _VERSION))
    rules = _Ruleset((1 << _ACCESS_FS.get(version, _ACCESS_FS[5])) - 1, 3, 3)
    words = 1 + (version >= _NET_SINCE) + (version >= _SCOPES_SINCE)
    size = ctypes.c_size_t(words * ctypes.sizeof(ctypes.c_uint64))
    ruleset = _demand(libc.syscall(_LANDLOCK_CREATE, ctypes.byref(rules), size, 0))
    for path in readable:
        try:
            folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except PermissionError:  # closed to nobody anyhow; what is needed of it is loaded by now
            continue
        path_rule = ctypes.byref(_PathBeneath(_READ, folder))
        _demand(libc.syscall(_LANDLOCK_ADD, ruleset, _BENEATH, path_rule, 0))
        os.close(folder)
    _demand(libc.syscall(_LANDLOCK_RESTRICT, ruleset, 0))
    os.close(ruleset)


def _seccomp(libc: ctypes.CDLL, code: bytes) -> None:
    buffer = ctypes.create_string_buffer(code, len(code))
    program = _Program(len(code) // _INSTRUCTION, ctypes.addressof(buffer))
    filtering = ctypes.c_ulong(_SECCOMP_FILTER)
    _demand(libc.prctl(_PR_SET_SECCOMP, filtering, ctypes.byref(program), 0, 0))


def _demand(result: int) -> int:
    """Return the result of a system call. Raises OSError with the reason where it is negative."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


if __name__ == "__main__":
    main()
    sys.stderr.flush()
    os._exit(0)
