"""Trials of a second policy version: started, ended, and consulted for each check."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.models import Application
from analysis.engine.policy import PolicyRules
from analysis.engine.replay import Arm, Running, TrialMode, arm_of, shadow_outcome
from analysis.engine.signal_types import Measurement, SignalName
from analysis.engine.types import SignalStatus
from analysis.judge import trial_judge, trial_judge_name
from analysis.models import Check, Policy, Trial, TrialCheck
from audit.models import Event
from audit.services import append
from inference.judge.types import Judge

log = structlog.get_logger(__name__)
SPLIT_KEY = "split_key"
"""A client's metadata of this name keeps what belongs together (a user, a session) in one arm."""
NO_TRIAL: dict[str, Any] = {"trial_id": None, "trial_arm": None, "trial_outcome": None}


class TrialRefused(ValueError):
    """Raised if a trial is not possible; the message says why."""


@dataclass(frozen=True, slots=True)
class TrialAssignment:
    """A check's trial, its arm, and the policy version that decides it."""

    trial: Running
    arm: Arm
    policy_id: int


def lock_policies(application_id: UUID) -> None:
    """Wait for others who are changing the application's policies, and keep them waiting."""
    Application.objects.select_for_update(no_key=True).only("pk").get(pk=application_id)


@transaction.atomic
def start_trial(
    *, policy: Policy, mode: TrialMode, share: float, by: str, other_judge: bool = False
) -> Trial:
    """Start a trial beside the version in force; a running one is ended.

    With `other_judge` the version decides in shadow what the judge of TRIAL_JUDGE measures. Raises
    TrialRefused.
    """
    lock_policies(policy.application_id)
    versions = Policy.objects.filter(application_id=policy.application_id)
    control = versions.filter(is_active=True).first()
    if control is None:
        raise TrialRefused(_("There is no version in force to compare it with."))
    claim_judge = trial_judge_name() if other_judge else ""
    if other_judge and not claim_judge:
        raise TrialRefused(_("No judge is set up to run in shadow (TRIAL_JUDGE)."))
    if other_judge and mode is not TrialMode.SHADOW:
        raise TrialRefused(_("Another judge can run in shadow only."))
    if control.pk == policy.pk and not other_judge:
        raise TrialRefused(_("This version is already in force. Try a different one."))
    if not 0 < share <= 1:
        raise TrialRefused(_("The share must be above 0 and at most 1."))
    end_trial(application_id=policy.application_id, by=by)
    trial = Trial.objects.create(
        application_id=policy.application_id, control=control, policy=policy, mode=mode,
        share=1.0 if mode is TrialMode.SHADOW else share, judge=claim_judge, started_by=by,
    )  # fmt: skip
    _tell(Event.POLICY_TRIAL_STARTED, trial, by)
    return trial


@transaction.atomic
def end_trial(*, application_id: UUID, by: str) -> Trial | None:
    """End the running trial, if there is one."""
    trial = (
        Trial.objects.select_for_update()
        .filter(application_id=application_id, ended_at=None)
        .first()
    )
    if trial is None:
        return None
    Trial.objects.filter(pk=trial.pk).update(ended_at=Now(), ended_by=by)
    _tell(Event.POLICY_TRIAL_ENDED, trial, by)
    return trial


def assignment_of(
    check: Check, open_trial: str | None, active_policy_id: int
) -> TrialAssignment | None:
    """Return a claimed check's trial and arm, or None if no trial runs."""
    if not open_trial:
        return None
    payload = json.loads(open_trial)
    trial = Running(**payload | {"mode": TrialMode(payload["mode"])})
    split_key = check.metadata.get(SPLIT_KEY)
    arm = arm_of(trial, split_key if isinstance(split_key, str) and split_key else str(check.pk))
    return TrialAssignment(trial, arm, trial.policy_id if arm is Arm.TRIAL else active_policy_id)


def row_of(
    assignment: TrialAssignment | None,
    measurement: Measurement,
    in_force: PolicyRules,
    other: PolicyRules,
    collections: list[str],
) -> dict[str, Any]:
    """Return the columns about the trial that are stored with a check's result.

    Of a trial of another judge there are none yet: `judge_in_shadow` adds them.
    """
    if assignment is None or assignment.trial.judge:
        return NO_TRIAL
    outcome = None
    if assignment.trial.mode is TrialMode.SHADOW:
        outcome = json.dumps(_shadow(measurement, in_force, other, collections))
    return {
        "trial_id": assignment.trial.id,
        "trial_arm": str(assignment.arm),
        "trial_outcome": outcome,
    }


def _shadow(
    measurement: Measurement, in_force: PolicyRules, other: PolicyRules, collections: list[str]
) -> dict[str, Any]:
    """Return the shadow outcome, or the failure, which never affects the returned decision."""
    try:
        return shadow_outcome(measurement, in_force, other, collections)
    except Exception as error:
        log.error("shadow_failed", exc_info=error)
        return {"cannot": f"it failed: {type(error).__name__}"}


def judge_in_shadow(
    check: Check,
    trial: Running,
    measure: Callable[[Judge], Measurement],
    in_force: PolicyRules,
    other: PolicyRules,
) -> None:
    """Measure a finished check again by the trial's judge, and store what would have been decided.

    A judge that is missing or did not finish in the check's time is the outcome's `cannot`.
    """
    claim_judge = trial_judge() if trial_judge_name() == trial.judge else None
    if claim_judge is None:
        outcome: dict[str, Any] = {"cannot": "the judge is not set up on the workers"}
    else:
        measurement = measure(claim_judge)
        state = measurement.states[SignalName.JUDGE]
        if state.status in (SignalStatus.OK, SignalStatus.NOT_APPLICABLE):
            outcome = _shadow(measurement, in_force, other, check.collections)
        else:
            outcome = {"cannot": f"the judge did not finish: {state.reason}"}
    TrialCheck.objects.create(
        check_record_id=check.pk, trial_id=trial.id, arm=Arm.CONTROL, outcome=outcome
    )


def _tell(event: Event, trial: Trial, by: str) -> None:
    append(
        event, subject=trial, by=by, mode=trial.mode, share=trial.share,
        policy_id=trial.policy_id, control_id=trial.control_id,
        **({"judge": trial.judge} if trial.judge else {}),
    )  # fmt: skip
