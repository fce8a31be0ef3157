"""Which tier this machine allows: the first whose canaries are all refused, found once."""

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
    """One tier as it was tried. `reason` says why it is not usable."""

    tier: Tier
    reason: str
    canaries: tuple[Canary, ...] = ()

    @property
    def usable(self) -> bool:
        """Whether scripts may run in it: every canary was sent and refused."""
        return bool(self.canaries) and all(canary.refused for canary in self.canaries)


@dataclass(frozen=True, slots=True)
class Sandbox:
    """The tier to use, None where no tier is usable, and how each that was tried did."""

    tier: Tier | None
    reports: tuple[TierReport, ...]

    @property
    def reason(self) -> str:
        """Why there is no tier, "" where there is one."""
        if self.tier:
            return ""
        return "; ".join(f"{report.tier}: {report.reason}" for report in self.reports)


def available(tiers: Sequence[Tier] = tuple(Tier)) -> Sandbox:
    """The sandbox of this machine, found with the first call that finds one, and kept."""
    with _one_at_a_time:
        return _remembered(tuple(tiers))


def _remembered(tiers: tuple[Tier, ...]) -> Sandbox:
    """A tier that was found; without one, all are tried again: they may have been too slow."""
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
