"""Tiers, limits, results and the two exceptions of the sandbox."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

_MIB = 1024 * 1024


class Tier(StrEnum):
    """Kinds of isolation, best first. Both come with resource limits and a seccomp filter."""

    BUBBLEWRAP = "bubblewrap"
    """Namespaces of its own: no network, no host files but a Python, no other processes."""
    LANDLOCK = "landlock"
    """The kernel refuses every file, where user namespaces are not allowed."""


@dataclass(frozen=True, slots=True)
class SandboxLimits:
    """Limits of one run.

    `memory_bytes` bounds the address space, of which Python takes about 40 MiB.

    `file_bytes` bounds every file, so also the answer; in a tier, `processes` 1 leaves no room for
    a fork.
    """

    wall_seconds: float = 15.0
    cpu_seconds: int = 10
    memory_bytes: int = 256 * _MIB
    file_bytes: int = 1 * _MIB
    processes: int = 1
    open_files: int = 32


DEFAULT_LIMITS = SandboxLimits()


@dataclass(frozen=True, slots=True)
class SandboxResult:
    """The script's return value as read from JSON, the tier it ran in and its wall seconds.

    The script may have been taken over by its data: check every value before use.
    """

    output: Any
    tier: Tier
    seconds: float


class SandboxUnavailable(Exception):
    """Raised where no tier works on this machine; the message says why. Never run without one."""


class Failure(StrEnum):
    """The reasons why a child gave no answer."""

    BROKEN = "broken"
    TOO_SLOW = "too_slow"
    TOO_MUCH_MEMORY = "too_much_memory"
    TOO_LONG = "too_long"


class SandboxFailed(Exception):
    """Raised where a child broke off, took too long or too much, or answered with no result."""

    def __init__(self, message: str, failure: Failure = Failure.BROKEN) -> None:
        super().__init__(message)
        self.failure = failure
