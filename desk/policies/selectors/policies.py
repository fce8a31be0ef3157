"""Policy versions of an application and replays under them, as documents."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from analysis.engine.policy import PolicyRules
from analysis.engine.replay import Tally, report
from analysis.models import Policy
from desk.policies.selectors.replaying import ReplaySelection, newest, replay, select

EFFECT_ON = 1_000
"""Checks on which the form of a policy shows its effect: about a second of one core."""


def policies_of(application_id: UUID) -> QuerySet[Policy]:
    return Policy.objects.filter(application_id=application_id)


def replay_document(policy: Policy, selection: ReplaySelection) -> dict[str, Any]:
    """Return what this version would change on its application's stored checks."""
    selected_checks = select(policy.application_id, selection)
    tally = replay(selected_checks.ids, PolicyRules.from_json(policy.rules))
    return replayed_document(
        policy, selection, selected_checks.total, len(selected_checks.ids), tally
    )


def effect_document(application_id: UUID, rules: PolicyRules) -> dict[str, Any]:
    """Return what these rules would change on the last EFFECT_ON checks, shaped as `report`."""
    return report(replay(newest(application_id, EFFECT_ON), rules))


def replayed_document(
    policy: Policy, selection: ReplaySelection, total: int, replayed: int, tally: Tally
) -> dict[str, Any]:
    """Return a replay of `replayed` out of `total` checks as a document."""
    return {
        "policy_id": policy.pk,
        "version": policy.version,
        "since": _iso_time(selection.since),
        "until": _iso_time(selection.until),
        "checks_in_period": total,
        "checks_chosen": replayed,
        **report(tally),
    }


def _iso_time(at: datetime | None) -> str | None:
    return at.isoformat() if at else None
