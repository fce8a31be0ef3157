"""Finds, once, the tier that this machine allows: the first whose canaries are all refused."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

from lib.sandbox.canaries import Canary, try_all
from lib.sandbox.types import (
    DEFAULT_LIMITS,
    SandboxFailed,
    SandboxLimits,
    SandboxUnavailable,
    Tier,
)

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
    with _one_at_a_time:
        return _remembered(tuple(tiers))


def _remembered(tiers: tuple[Tier, ...]) -> Sandbox:
    """Return the sandbox found before, or try again where no tier was usable."""
    if tiers not in _sandboxes or _sandboxes[tiers].tier is None:
        _sandboxes[tiers] = inspect(tiers)
    return _sandboxes[tiers]


def inspect(tiers: Sequence[Tier] = tuple(Tier), limits: SandboxLimits = DEFAULT_LIMITS) -> Sandbox:
    """Try the tiers in this order until one holds."""
    reports: list[TierReport] = []
    for tier in tiers:
        reports.append(report(tier, limits))
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
