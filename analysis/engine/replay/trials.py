"""A second policy version beside the one in force: who is in which arm, and what it would say."""

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
    """`shadow`: decisions are stored, not returned; `split`: it decides a share of the checks."""

    SHADOW = "shadow"
    SPLIT = "split"


class Arm(StrEnum):
    """Which version decided a check: the one in force when the trial began, or the other."""

    CONTROL = "control"
    TRIAL = "trial"


@dataclass(frozen=True, slots=True)
class Running:
    """A trial as a worker needs it. `share` (0-1) of the checks is decided by `policy_id`."""

    id: int
    policy_id: int
    mode: TrialMode
    share: float


def arm_of(trial: Running, key: str) -> Arm:
    """The arm of a key: the same one each time, and drawn independently for each trial."""
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
    """What the other version says of a check, as plain JSON; `cannot` says why it says nothing."""
    cannot = why_not(measurement, in_force, other, collections)
    if cannot:
        return {"cannot": cannot}
    outcome: dict[str, Any] = encode(outcome_of(judge_among(measurement, other, collections)[2]))
    return outcome
