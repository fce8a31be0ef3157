"""Untrusted data read in a process that can reach nothing. Pure Python, no Django.

`available` finds the tier of this machine and proves it by canaries; `run` runs a small script in
it, `walled` is the command line for a program of one's own, which calls `sandbox.child.build`.
"""

from sandbox.choosing import Sandbox, TierReport, available, inspect, report
from sandbox.commands import Program, walled
from sandbox.running import run, walls
from sandbox.types import (
    DEFAULT_LIMITS,
    SandboxFailed,
    SandboxLimits,
    SandboxResult,
    SandboxUnavailable,
    Tier,
)

__all__ = [
    "DEFAULT_LIMITS",
    "Program",
    "Sandbox",
    "SandboxFailed",
    "SandboxLimits",
    "SandboxResult",
    "SandboxUnavailable",
    "Tier",
    "TierReport",
    "available",
    "inspect",
    "report",
    "run",
    "walled",
    "walls",
]
