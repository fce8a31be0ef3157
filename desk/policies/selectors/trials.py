"""Compares two policy versions: the counts of both arms, with 95% Wilson intervals."""

from collections import Counter
from typing import Any
from uuid import UUID

from django.db.models import Count, F, Max, Q, QuerySet
from django.db.models.fields.json import KT

from analysis.engine.replay import Arm, TrialMode
from analysis.engine.types import Action
from analysis.models import Review, ReviewDecision, Trial, TrialCheck
from desk.reviews.selectors.decision_counts import SETTLED
from desk.scoring.calibration.policy_fit import Rates
from desk.scoring.calibration.reviews_fit import ReviewsFit
from lib.stats.bootstrap import wilson

ActionPairs = Counter[tuple[str, str | None]]
"""Checks by the action of the version in force and by the other's, None if it had none."""


def trials_of(application_id: UUID) -> QuerySet[Trial]:
    """Return an application's trials with their versions, newest first."""
    trials = Trial.objects.filter(application_id=application_id).select_related("control", "policy")
    return trials.order_by("-id")


def comparison(trial: Trial) -> dict[str, Any]:
    """Return both arms of a trial with counts, shares (0-1) and intervals.

    In shadow mode each check is in both arms: with the returned action, and with the other
    version's.
    """
    pairs: ActionPairs = Counter()
    if trial.mode == TrialMode.SHADOW:
        pairs = _action_pairs(trial)
        actions, decisions = _actions_of_both(pairs), _by_arm()
    else:
        actions, decisions = _actions_by_arm(trial), _decisions_by_arm(trial)
    return {
        "trial_id": trial.pk,
        "mode": trial.mode,
        "share": trial.share,
        "started_at": trial.started_at,
        "ended_at": trial.ended_at,
        "control_version": trial.control.version,
        "trial_version": trial.policy.version,
        "judge": trial.judge,
        "arms": [
            _arm(Arm.CONTROL, trial.control_id, actions[Arm.CONTROL], decisions[Arm.CONTROL]),
            _arm(Arm.TRIAL, trial.policy_id, actions[Arm.TRIAL], decisions[Arm.TRIAL]),
        ],
        "transitions": [
            {"before": was, "after": now, "count": count}
            for (was, now), count in pairs.most_common()
            if now is not None
        ],
        "cannot_be_replayed": sum(count for (_, now), count in pairs.items() if now is None),
    }


def _by_arm() -> dict[str, Counter[str]]:
    return {arm: Counter() for arm in Arm}


def _action_pairs(trial: Trial) -> ActionPairs:
    actions = trial.checks.values(was=F("check_record__action"), now=KT("outcome__action"))
    return Counter({(row["was"], row["now"]): row["n"] for row in actions.annotate(n=Count("pk"))})


def _actions_of_both(pairs: ActionPairs) -> dict[str, Counter[str]]:
    """Return the actions of both versions on the checks that both could decide."""
    actions = _by_arm()
    for (was, now), count in pairs.items():
        if now is not None:
            actions[Arm.CONTROL][was] += count
            actions[Arm.TRIAL][now] += count
    return actions


def _actions_by_arm(trial: Trial) -> dict[str, Counter[str]]:
    actions = _by_arm()
    rows = trial.checks.values("arm", action=F("check_record__action"))
    for row in rows.annotate(n=Count("pk")):
        actions[row["arm"]][row["action"]] += row["n"]
    return actions


def _arm(
    arm: Arm, policy_id: int, actions: Counter[str], decisions: Counter[str]
) -> dict[str, Any]:
    checks = actions.total()
    return {
        "arm": str(arm),
        "policy_id": policy_id,
        "checks": checks,
        "actions": [rate(str(action), actions[action], checks) for action in Action],
        "flagged": rate("flagged", checks - actions[Action.ALLOW], checks),
        "confirmed": rate("confirmed", decisions[ReviewDecision.CONFIRMED], decisions.total()),
    }


def fit_rates(fit: ReviewsFit, kind: str = "") -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return what a policy does to the held-back answers of a kind, before and after the fit."""
    before, after = map(_answer_rates, fit.compared[kind])
    return list(zip(before, after, strict=True))


def _answer_rates(rates: Rates) -> list[dict[str, Any]]:
    flagged, blocked = rates.flagged, rates.blocked
    return [
        rate("right_flagged", flagged.fp, flagged.fp + flagged.tn),
        rate("wrong_flagged", flagged.tp, flagged.tp + flagged.fn),
        rate("right_blocked", blocked.fp, blocked.fp + blocked.tn),
        rate("wrong_blocked", blocked.tp, blocked.tp + blocked.fn),
    ]


def rate(name: str, count: int, of: int) -> dict[str, Any]:
    """Return a count as a share with its interval; None if `of` is 0."""
    low, high = wilson(count, of) if of else (None, None)
    return {
        "name": name,
        "count": count,
        "of": of,
        "share": round(count / of, 4) if of else None,
        "low": None if low is None else round(low, 4),
        "high": None if high is None else round(high, 4),
    }


def _decisions_by_arm(trial: Trial) -> dict[str, Counter[str]]:
    """Return the reviewers' last decisions on the flagged checks of each arm."""
    flagged = TrialCheck.objects.filter(
        trial=trial, check_record__action__in=[Action.WARN, Action.BLOCK]
    )
    last = flagged.annotate(
        last=Max("check_record__reviews", filter=Q(check_record__reviews__decision__in=SETTLED))
    ).values_list("arm", "last")
    arms = {review: arm for arm, review in last if review is not None}
    decisions = _by_arm()
    for pk, decision in Review.objects.filter(pk__in=arms).values_list("pk", "decision"):
        decisions[arms[pk]][decision or ""] += 1
    return decisions
