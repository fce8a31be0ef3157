"""Policies: created as new versions, one active per application."""

from functools import lru_cache
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from analysis.engine.policy import DEFAULT_RULES, PRESETS, PolicyRules, overlaid
from analysis.models import Policy
from analysis.selectors.cases import case_outcomes
from analysis.services.trials import end_trial, lock_policies
from audit.models import Event, TrailEntry
from audit.services import append


class NeedsSecondApprover(Exception):
    """Raised if the author of a version activates it where a second person has to."""


class CasesFailed(Exception):
    """Raised if regression cases do not pass under a version, and the application wants them to."""


@lru_cache(maxsize=512)
def rules_of(policy_id: int) -> PolicyRules:
    """Return the parsed rules of a policy version, cached since a version never changes."""
    return PolicyRules.from_json(Policy.objects.values_list("rules", flat=True).get(pk=policy_id))


def active_policy(application_id: UUID) -> Policy:
    """Return the application's active policy; create the first version if none is active."""
    in_force = Policy.objects.filter(application_id=application_id, is_active=True)
    if policy := in_force.first():
        return policy
    with transaction.atomic():
        lock_policies(application_id)
        return in_force.first() or create_policy(
            application_id=application_id,
            rules=DEFAULT_RULES.to_json(),
            note="The default policy.",
            activate=True,
            by="watchdog",
        )


def merged(application_id: UUID, based_on: str, changes: dict[str, Any]) -> dict[str, Any]:
    """Return the rules of `based_on` ("active", a preset, "" for the defaults) with the changes.

    They are not yet validated. Raises KeyError for an unknown preset.
    """
    if based_on == "active":
        return overlaid(active_policy(application_id).rules, changes)
    base = PRESETS[based_on] if based_on else DEFAULT_RULES
    return overlaid(base.to_json(), changes)


@transaction.atomic
def create_policy(
    *,
    application_id: UUID,
    rules: dict[str, Any],
    by: str,
    note: str = "",
    activate: bool = False,
    despite_cases: str = "",
) -> Policy:
    """Add a version. Raises PolicyError if the rules are invalid, or as `activate_policy` does."""
    valid = PolicyRules.from_json(rules).to_json()
    lock_policies(application_id)
    versions = Policy.objects.filter(application_id=application_id)
    newest: int = versions.aggregate(newest=Max("version"))["newest"] or 0
    policy = Policy.objects.create(
        application_id=application_id, version=newest + 1, rules=valid, note=note, created_by=by
    )
    append(Event.POLICY_CREATED, subject=policy, by=by, version=policy.version)
    if activate:
        activate_policy(policy=policy, by=by, despite_cases=despite_cases)
    return policy


@transaction.atomic
def activate_policy(*, policy: Policy, by: str, reason: str = "", despite_cases: str = "") -> None:
    """Activate this version. A running trial ends, since it compares two fixed versions.

    The trail notes which of the application's regression cases it gets wrong, and why it was
    activated nevertheless: `despite_cases`, which only superusers and operators may give.

    Raises NeedsSecondApprover, and CasesFailed.
    """
    why: dict[str, Any] = {"reason": reason} if reason else {}
    lock_policies(policy.application_id)
    if needs_second_approver(policy, by):
        raise NeedsSecondApprover(
            _("Version %d is activated by someone other than its author.") % policy.version
        )
    in_force = Policy.objects.filter(application_id=policy.application_id, is_active=True)
    if outcomes := case_outcomes(policy.application_id, PolicyRules.from_json(policy.rules)):
        failed = [str(outcome.case.pk) for outcome in outcomes if not outcome.passed]
        why["cases"] = {"passed": len(outcomes) - len(failed), "failed": failed}
        # The first version decides the cases themselves, so it cannot wait for them.
        if failed and policy.application.cases_must_pass and in_force.exists():
            if not despite_cases:
                words = _("%(failed)d of %(cases)d regression cases do not pass.")
                raise CasesFailed(words % {"failed": len(failed), "cases": len(outcomes)})
            why["cases"]["overridden"] = despite_cases
    end_trial(application_id=policy.application_id, by=by)
    in_force.update(is_active=False)
    Policy.objects.filter(pk=policy.pk).update(is_active=True)
    policy.is_active = True
    append(Event.POLICY_ACTIVATED, subject=policy, by=by, version=policy.version, **why)


def needs_second_approver(policy: Policy, by: str) -> bool:
    """Return whether somebody else has to activate this version.

    An application's first version needs nobody else, nor does the way back to an earlier one.
    """
    if policy.created_by != by or not policy.application.second_approver:
        return False
    activated = TrailEntry.objects.filter(
        event=Event.POLICY_ACTIVATED, subject_type="policy", application_id=policy.application_id
    )
    return activated.exists() and not activated.filter(subject_id=str(policy.pk)).exists()
