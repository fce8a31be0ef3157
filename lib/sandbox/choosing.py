"""Finds, once, the tier that this machine allows: the first whose canaries are all refused.

A canary is an attempt of the child inside a tier to touch real bait on this machine.
"""

import os
import socket
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from lib.sandbox.running import ENVIRONMENT, run
from lib.sandbox.types import DEFAULT_LIMITS, SandboxFailed, SandboxLimits, SandboxUnavailable, Tier

NAMES = (
    *("socket", "families", "host_file", "host_folder", "processes", "environment"),
    *("memory", "fork", "program"),
)
_ACTIONS = Path(__file__).with_name("actions.py")
_HARMLESS = (*ENVIRONMENT, "PWD", "LC_CTYPE")
"""Given to the child, and set by bubblewrap and by Python itself."""


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


_one_at_a_time = Lock()
_sandboxes: dict[tuple[Tier, ...], "Sandbox"] = {}


@dataclass(frozen=True, slots=True)
class TierReport:
    """A tier with what its canaries did; `reason` says why it is not usable."""

    tier: Tier
    reason: str
    canaries: tuple[Canary, ...] = ()

    @property
    def usable(self) -> bool:
        """True if scripts may run in it: every canary was sent and refused."""
        return bool(self.canaries) and all(canary.refused for canary in self.canaries)


@dataclass(frozen=True, slots=True)
class Sandbox:
    """The tier to use, None where none is usable, and a report on each tier that was tried."""

    tier: Tier | None
    reports: tuple[TierReport, ...]

    @property
    def reason(self) -> str:
        """The reason why there is no tier, "" where there is one."""
        if self.tier:
            return ""
        return "; ".join(f"{report.tier}: {report.reason}" for report in self.reports)


def available(tiers: Sequence[Tier] = tuple(Tier)) -> Sandbox:
    """Return the sandbox of this machine, which is looked for until a usable tier is found."""
    key = tuple(tiers)
    with _one_at_a_time:
        if key not in _sandboxes or _sandboxes[key].tier is None:
            _sandboxes[key] = inspect(key)
        return _sandboxes[key]


def inspect(tiers: Sequence[Tier] = tuple(Tier)) -> Sandbox:
    """Try the tiers in this order until one holds."""
    reports: list[TierReport] = []
    for tier in tiers:
        reports.append(report(tier))
        if reports[-1].usable:
            return Sandbox(tier, tuple(reports))
    return Sandbox(None, tuple(reports))


def report(tier: Tier, limits: SandboxLimits = DEFAULT_LIMITS) -> TierReport:
    """Try one tier with every canary."""
    if sys.platform != "linux":
        return TierReport(tier, "only Linux has it")
    try:
        canaries = try_all(tier, limits)
    except (SandboxFailed, SandboxUnavailable, OSError) as error:
        return TierReport(tier, str(error) or type(error).__name__)
    free = [canary.name for canary in canaries if not canary.refused]
    return TierReport(tier, f"not refused: {', '.join(free)}" if free else "", canaries)
