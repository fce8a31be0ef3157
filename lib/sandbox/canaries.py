"""Canaries: attempts of the child inside a tier to touch real bait on this machine."""

import os
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lib.sandbox.running import run
from lib.sandbox.types import DEFAULT_LIMITS, SandboxFailed, SandboxLimits, Tier

NAMES = (
    *("socket", "families", "host_file", "host_folder", "processes", "environment"),
    *("memory", "fork", "program"),
)
_ACTIONS = Path(__file__).with_name("actions.py")
_HARMLESS = ("PWD", "LC_CTYPE")
"""Set by bubblewrap and by Python itself."""


@dataclass(frozen=True, slots=True)
class Canary:
    """The result of one action inside a tier.

    `detail` says how it succeeded if it was not refused.
    """

    name: str
    refused: bool
    detail: str


def try_all(tier: Tier, limits: SandboxLimits = DEFAULT_LIMITS) -> tuple[Canary, ...]:
    """Try every action inside this tier. Raises SandboxFailed if it does not even start."""
    with bait(limits) as offered:
        script = _ACTIONS.read_text(encoding="utf-8")
        findings = run(
            script, offered, tier=tier, modules=("socket", "encodings.idna"), limits=limits
        ).output
    if not isinstance(findings, dict) or set(findings) != set(NAMES):
        raise SandboxFailed("the canaries did not answer")
    return tuple(Canary(name, findings[name] == "", str(findings[name])) for name in NAMES)


@contextmanager
def bait(limits: SandboxLimits = DEFAULT_LIMITS) -> Iterator[dict[str, Any]]:
    """Open a port, a readable file and a writable folder, and yield them with the other bait."""
    with (
        socket.create_server(("127.0.0.1", 0)) as listening,
        tempfile.TemporaryDirectory() as folder,
    ):
        os.chmod(folder, 0o777)  # noqa: S103 - bait: open to everybody, gone in a moment
        file = Path(folder, "secret")
        file.write_bytes(b"canary")
        yield {
            "port": listening.getsockname()[1],
            "file": str(file),
            "folder": folder,
            "process": os.getpid(),
            "allowed": list(_HARMLESS),
            "memory": 2 * limits.memory_bytes,
            "program": "/bin/true",
        }
