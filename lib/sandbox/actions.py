"""Actions of the canaries: each returns how it succeeded, or "" if it was refused.

Runs as a script inside of the sandbox and, in the tests, outside of it, where each succeeds.
The standard library alone; the restrictions already hold, so nothing can be imported any more.
"""

import os
import socket

_FAMILIES = ("AF_INET", "AF_INET6", "AF_UNIX", "AF_NETLINK", "AF_PACKET", "AF_VSOCK")
_GREETING = b"canary"


def main(bait: dict) -> dict[str, str]:  # type: ignore[type-arg]
    """Try every action on this bait and return by name how it succeeded.

    The bait is a port, a file, a folder, names of variables and a number of bytes.
    """
    return {
        "socket": reach(bait["port"]),
        "families": open_sockets(),
        "host_file": read_file(bait["file"]),
        "host_folder": write_file(bait["folder"]),
        "processes": read_processes(bait["process"]),
        "environment": read_environment(bait["allowed"]),
        "memory": allocate(bait["memory"]),
        "fork": fork(),
        "program": start_program(bait["program"]),
    }


def reach(port: int) -> str:
    """Speak to a port that listens on this machine."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as line:
            line.sendall(_GREETING)
    except OSError:
        return ""
    return f"spoke to port {port}"


def open_sockets() -> str:
    """Open a socket of any family at all; some are not bound to a network namespace."""
    families = []
    for name in _FAMILIES:
        try:
            socket.socket(getattr(socket, name), socket.SOCK_DGRAM).close()
        except (OSError, AttributeError):
            continue
        families.append(name)
    return f"opened {', '.join(families)}" if families else ""


def read_file(path: str) -> str:
    """Read a file of the host that everybody may read, and the list of its users."""
    for name in (path, "/etc/passwd"):
        try:
            with open(name, "rb") as file:
                return f"read {len(file.read())} bytes of {name}"
        except OSError:
            continue
    return ""


def write_file(folder: str) -> str:
    """Leave a file in a folder of the host that everybody may write to."""
    path = os.path.join(folder, "canary")
    try:
        with open(path, "wb") as file:
            file.write(_GREETING)
    except OSError:
        return ""
    return f"wrote {path}"


def read_processes(process: int) -> str:
    """Read what another process was started with."""
    try:
        with open(f"/proc/{process}/cmdline", "rb") as file:
            return f"read {len(file.read())} bytes of process {process}"
    except OSError:
        return ""


def read_environment(harmless: list[str]) -> str:
    """Name the variables beyond the harmless ones."""
    unexpected = sorted(set(os.environ) - set(harmless))
    return f"sees {', '.join(unexpected)}"[:200] if unexpected else ""


def allocate(size: int) -> str:
    """Take more memory than is allowed."""
    try:
        return f"took {len(bytearray(size))} bytes"
    except MemoryError:
        return ""


def fork() -> str:
    try:
        child = os.fork()
    except OSError:
        return ""
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return "forked"


def start_program(path: str) -> str:
    try:
        child = os.posix_spawn(path, [path], {})
    except OSError:
        return ""
    os.waitpid(child, 0)
    return f"started {path}"
