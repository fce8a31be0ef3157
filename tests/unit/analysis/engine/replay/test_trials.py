"""The arm of a check is drawn once and for all by its key."""

import pytest

from analysis.engine.replay.trials import Arm, Running, TrialMode, arm_of


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_about_the_share_of_the_keys_is_in_the_trial(share: float) -> None:
    trial = Running(7, 2, TrialMode.SPLIT, share)
    arms = [arm_of(trial, f"key {number}") for number in range(2_000)]
    assert abs(arms.count(Arm.TRIAL) / len(arms) - share) < 0.04  # keys are fixed: no chance
    assert arms == [arm_of(trial, f"key {number}") for number in range(2_000)]


def test_a_larger_share_keeps_whom_the_smaller_one_had_and_each_trial_draws_anew() -> None:
    small, large = (Running(7, 2, TrialMode.SPLIT, share) for share in (0.2, 0.6))
    other = Running(8, 2, TrialMode.SPLIT, 0.2)
    keys = [f"key {number}" for number in range(500)]
    first = {key for key in keys if arm_of(small, key) is Arm.TRIAL}
    assert first <= {key for key in keys if arm_of(large, key) is Arm.TRIAL}
    assert first != {key for key in keys if arm_of(other, key) is Arm.TRIAL}


def test_all_or_in_shadow_none() -> None:
    assert arm_of(Running(1, 2, TrialMode.SPLIT, 1.0), "x") is Arm.TRIAL
    assert arm_of(Running(1, 2, TrialMode.SHADOW, 1.0), "x") is Arm.CONTROL
