"""Compares two policy versions: the counts of both arms, with 95% Wilson intervals."""

from collections import Counter
from collections.abc import Mapping
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


def trials_of(application_id: UUID) -> QuerySet[Trial]:
    """Return an application's trials with their versions, newest first."""
    trials = Trial.objects.filter(application_id=application_id).select_related("control", "policy")
    return trials.order_by("-id")


def comparison(trial: Trial) -> dict[str, Any]:
    """Return both arms of a trial with counts, shares (0-1) and intervals.

    In shadow mode each check is in both arms: with the returned action, and with the other
    version's.
    """
    shadow = trial.mode == TrialMode.SHADOW
    rows = _shadow_rows(trial) if shadow else _split_rows(trial)
    reviews = {} if shadow else _reviews(trial)
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
            _arm(Arm.CONTROL, trial.control_id, rows, reviews),
            _arm(Arm.TRIAL, trial.policy_id, rows, reviews),
        ],
        "transitions": _transitions(rows) if shadow else [],
        "cannot_be_replayed": sum(n for row, n in rows.items() if row[1] is None) if shadow else 0,
    }


Row = tuple[str, str | None]
"""In shadow the action of either version; in a split the arm and its action."""


def _shadow_rows(trial: Trial) -> Counter[Row]:
    actions = trial.checks.values(was=F("check_record__action"), now=KT("outcome__action"))
    return Counter({(row["was"], row["now"]): row["n"] for row in actions.annotate(n=Count("pk"))})


def _split_rows(trial: Trial) -> Counter[Row]:
    arms = trial.checks.values("arm", action=F("check_record__action"))
    rows = arms.annotate(n=Count("pk"))
    return Counter({(row["arm"], row["action"]): row["n"] for row in rows})


def _arm(
    arm: Arm, policy_id: int, rows: Mapping[Row, int], reviews: Mapping[str, Counter[str]]
) -> dict[str, Any]:
    """Return one arm; in shadow mode only of the checks that both versions could decide."""
    actions = Counter[str]()
    for (first, second), count in rows.items():
        if second is None:
            continue
        if first in tuple(Arm):
            actions[second] += count if first == arm else 0
        else:
            actions[first if arm is Arm.CONTROL else second] += count
    checks = actions.total()
    review = reviews.get(arm, Counter[str]())
    flagged = checks - actions[Action.ALLOW]
    return {
        "arm": str(arm),
        "policy_id": policy_id,
        "checks": checks,
        "actions": [rate(str(action), actions[action], checks) for action in Action],
        "flagged": rate("flagged", flagged, checks),
        "confirmed": rate("confirmed", review[ReviewDecision.CONFIRMED], review.total()),
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


def _transitions(rows: Mapping[Row, int]) -> list[dict[str, Any]]:
    transitions = [(row, count) for row, count in rows.items() if row[1] is not None]
    return [
        {"before": was, "after": now, "count": count}
        for (was, now), count in sorted(transitions, key=lambda transition: -transition[1])
    ]


def _reviews(trial: Trial) -> dict[str, Counter[str]]:
    """Return the reviewers' last decisions on the flagged checks of each arm."""
    flagged = TrialCheck.objects.filter(
        trial=trial, check_record__action__in=[Action.WARN, Action.BLOCK]
    )
    last = flagged.annotate(
        last=Max("check_record__reviews", filter=Q(check_record__reviews__decision__in=SETTLED))
    ).values_list("arm", "last")
    arms = {review: arm for arm, review in last if review is not None}
    decisions: dict[str, Counter[str]] = {arm: Counter() for arm in Arm}
    for pk, decision in Review.objects.filter(pk__in=arms).values_list("pk", "decision"):
        decisions[arms[pk]][decision or ""] += 1
    return decisions
