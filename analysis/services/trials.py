"""Trials of a second policy version: started, ended, and consulted for each check."""

import json
from dataclasses import dataclass
from typing import Any

import structlog
from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.models import Application
from analysis.engine.policy import PolicyRules
from analysis.engine.replay import Arm, Running, TrialMode, arm_of, shadow_outcome
from analysis.engine.signal_types import Measurement
from analysis.models import Check, Policy, Trial
from audit.models import Event
from audit.services import append

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


@transaction.atomic
def start_trial(*, policy: Policy, mode: TrialMode, share: float, by: str) -> Trial:
    """Start a trial beside the version in force; a running one is ended.

    Raises TrialRefused.
    """
    # As `services.policies` does, so that no other version comes into force meanwhile.
    Application.objects.select_for_update(no_key=True).only("pk").get(pk=policy.application_id)
    versions = Policy.objects.filter(application_id=policy.application_id)
    control = versions.filter(is_active=True).first()
    if control is None:
        raise TrialRefused(_("There is no version in force to compare it with."))
    if control.pk == policy.pk:
        raise TrialRefused(_("This version is already in force. Try a different one."))
    if not 0 < share <= 1:
        raise TrialRefused(_("The share must be above 0 and at most 1."))
    end_trial(application_id=policy.application_id, by=by)
    trial = Trial.objects.create(
        application_id=policy.application_id, control=control, policy=policy, mode=mode,
        share=1.0 if mode is TrialMode.SHADOW else share, started_by=by,
    )  # fmt: skip
    _tell(Event.POLICY_TRIAL_STARTED, trial, by)
    return trial


@transaction.atomic
def end_trial(*, application_id: Any, by: str) -> Trial | None:
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
    trial = Running(
        payload["id"], payload["policy_id"], TrialMode(payload["mode"]), payload["share"]
    )
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
    """Return the columns about the trial that are stored with a check's result."""
    if assignment is None:
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


def _tell(event: Event, trial: Trial, by: str) -> None:
    append(
        event, subject=trial, by=by, mode=trial.mode, share=trial.share,
        policy_id=trial.policy_id, control_id=trial.control_id,
    )  # fmt: skip
