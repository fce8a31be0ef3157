"""Reads untrusted data in a process that can reach nothing. Pure Python, no Django.

`available` finds the tier of this machine and proves it by canaries; `run` runs a small script in
it, `run_program` a function of one's own.
"""

from lib.sandbox.choosing import Sandbox, TierReport, available, inspect, report
from lib.sandbox.running import Program, run, run_program
from lib.sandbox.types import (
    DEFAULT_LIMITS,
    Failure,
    SandboxFailed,
    SandboxLimits,
    SandboxResult,
    SandboxUnavailable,
    Tier,
)
