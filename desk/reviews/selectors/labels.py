"""Reviewers' labels of randomly chosen answers: the only ones that show how good a policy is.

Labels come from checks of the quality sample, drawn from all actions alike with a stored
probability. Reviews of other checks concern flagged answers, and would make every policy look worse
than it is.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Exists, F, OuterRef, QuerySet

from analysis.engine.policy.rules import PolicyRules, candidates
from analysis.engine.types import Action
from analysis.models import Check, CheckState, Policy, Review, ReviewDecision

MOST = 20_000
_SCORE = "risk_score"
# Settings that do not change which answers are accepted beside the thresholds of the score.
_APART = (
    "warn_at", "block_at", "mitigation", "review", "refusal_text", "waiting_text",
    "contradiction_warning", "low_confidence_flag", "withheld_text",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Label:
    """One reviewed answer. `floor` is the action that all reasons except the risk score require."""

    action: Action
    risk_score: int
    floor: Action
    unsafe: bool
    probability: float


@dataclass(frozen=True, slots=True)
class Labelled:
    """The labels of a period, and counts beside them.

    `sample_counts` and `decided` count the quality sample by action; `other_rules` labels were left
    out because other rules than the policy's decided.
    """

    labels: tuple[Label, ...]
    sample_counts: dict[str, int]
    decided: dict[str, int]
    other_rules: int


def labelled(
    application_id: UUID, rules: PolicyRules, *, since: datetime, until: datetime
) -> Labelled:
    """Return the labels of checks submitted in [since, until), at most the newest 20,000."""
    sample = Check.objects.filter(
        application_id=application_id,
        sampled=True,
        state=CheckState.DONE,
        created_at__gte=since,
        created_at__lt=until,
    )
    counts = Counter(map(str, sample.values_list("action", flat=True)))
    alike = _similar_versions(application_id, rules)
    newest_decisions = _newest_decisions(sample)
    labels = tuple(
        _label(row)
        for row in newest_decisions.values()
        if row["policy"] in alike and _by_own_rules(rules, row["collections"])
    )
    return Labelled(
        labels=labels,
        sample_counts=dict(counts),
        decided=dict(Counter(str(row["action"]) for row in newest_decisions.values())),
        other_rules=len(newest_decisions) - len(labels),
    )


def is_unsafe(action: Action, decision: str) -> bool:
    """Return whether an answer should not be accepted: a confirmed flag or an overturned ALLOW."""
    return (action is not Action.ALLOW) == (decision == ReviewDecision.CONFIRMED)


def _newest_decisions(sample: QuerySet[Check]) -> dict[UUID, dict[str, Any]]:
    """Return the newest decision on each check; an escalation is none.

    A check with an open review (a second opinion, an adjudication) is not settled.
    """
    rows = (
        Review.objects.filter(
            check_record__in=sample.filter(result_erased_at=None).values("pk"),
            decision__in=(ReviewDecision.CONFIRMED, ReviewDecision.OVERTURNED),
        )
        .exclude(
            Exists(Review.objects.filter(check_record=OuterRef("check_record"), decision=None))
        )
        .order_by("-decided_at")
        .values(
            "check_record_id",
            "decision",
            action=F("check_record__action"),
            risk_score=F("check_record__risk_score"),
            probability=F("check_record__sampling_probability"),
            collections=F("check_record__collections"),
            policy=F("check_record__annotated_answer__policy_id"),
            reasons=F("check_record__annotated_answer__decision__reasons"),
        )[:MOST]
    )
    decisions: dict[UUID, dict[str, Any]] = {}
    for row in rows:
        decisions.setdefault(row["check_record_id"], dict(row))
    return decisions


def _label(row: Mapping[str, Any]) -> Label:
    action = Action(row["action"])
    others = [Action(item["action"]) for item in row["reasons"] if item["code"] != _SCORE]
    return Label(
        action=action,
        risk_score=row["risk_score"],
        floor=max(others, key=lambda other: other.severity, default=Action.ALLOW),
        unsafe=is_unsafe(action, row["decision"]),
        probability=row["probability"],
    )


def _by_own_rules(rules: PolicyRules, collections: list[str]) -> bool:
    """Return whether only the policy's own rules decide checks of these collections."""
    return [name for name, _ in candidates(rules, collections)] == [""]


def _similar_versions(application_id: UUID, rules: PolicyRules) -> frozenset[int]:
    """Return the policy versions that differ from these rules only in the score's thresholds."""
    other_rules = _other_rules(rules)
    policies = Policy.objects.filter(application_id=application_id).values_list("pk", "rules")
    return frozenset(
        key
        for key, policy in policies
        if _other_rules(PolicyRules.from_json(policy)) == other_rules
    )


def _other_rules(rules: PolicyRules) -> dict[str, Any]:
    return {name: value for name, value in rules.to_json().items() if name not in _APART}
