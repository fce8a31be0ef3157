"""Reads untrusted data in a process that can reach nothing. Pure Python, no Django.

`available` finds the tier of this machine and proves it by canaries; `run` runs a small script in
it, `isolated_command` is the command line for a program of one's own, which calls
`lib.sandbox.child.restrict`.
"""

from lib.sandbox.choosing import Sandbox, TierReport, available, inspect, report
from lib.sandbox.running import Program, isolated_command, restrictions, run
from lib.sandbox.types import (
    DEFAULT_LIMITS,
    SandboxFailed,
    SandboxLimits,
    SandboxResult,
    SandboxUnavailable,
    Tier,
)
