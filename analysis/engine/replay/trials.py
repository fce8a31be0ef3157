"""Trials of a second policy version: the arm of each check, and the other version's outcome."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from analysis.engine.codec import encode
from analysis.engine.decision import judge_among
from analysis.engine.policy.rules import PolicyRules
from analysis.engine.replay.rerun import outcome_of, why_not
from analysis.engine.signal_types import Measurement

_WHOLE = 2**64


class TrialMode(StrEnum):
    """The mode: `shadow` only stores decisions, `split` decides a share of the checks."""

    SHADOW = "shadow"
    SPLIT = "split"


class Arm(StrEnum):
    """The version that decided a check: the one in force at the trial's start, or the other."""

    CONTROL = "control"
    TRIAL = "trial"


@dataclass(frozen=True, slots=True)
class Running:
    """A trial as a worker needs it. `policy_id` decides a share (0-1) of the checks."""

    id: int
    policy_id: int
    mode: TrialMode
    share: float


def arm_of(trial: Running, key: str) -> Arm:
    """Return the arm of a key: always the same, and drawn independently for each trial."""
    if trial.mode is TrialMode.SHADOW:
        return Arm.CONTROL
    digest = hashlib.sha256(f"{trial.id}:{key}".encode()).digest()
    share_drawn = int.from_bytes(digest[:8], "big") / _WHOLE
    return Arm.TRIAL if share_drawn < trial.share else Arm.CONTROL


def shadow_outcome(
    measurement: Measurement,
    in_force: PolicyRules,
    other: PolicyRules,
    collections: Sequence[str],
) -> dict[str, Any]:
    """Return the other version's outcome as plain JSON; `cannot` says why there is none."""
    cannot = why_not(measurement, in_force, other, collections)
    if cannot:
        return {"cannot": cannot}
    outcome: dict[str, Any] = encode(outcome_of(judge_among(measurement, other, collections)[2]))
    return outcome
