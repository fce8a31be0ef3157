"""A small script over untrusted data, in a process that can reach nothing. Pure Python, no Django.

`available` finds the tier of this machine and proves it by canaries; `run` runs a script in it.
"""

from assistant.sandbox.choosing import Sandbox, TierReport, available, inspect, report
from assistant.sandbox.running import run
from assistant.sandbox.types import (
    DEFAULT_LIMITS,
    SandboxFailed,
    SandboxLimits,
    SandboxResult,
    SandboxUnavailable,
    Tier,
)

__all__ = [
    "DEFAULT_LIMITS",
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
]
