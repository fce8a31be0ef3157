"""Reviewers' labels of randomly chosen answers: the only ones that show how good a policy is.

Labels come from checks of the quality sample, drawn from all actions alike with a stored
probability. Reviews of other checks concern flagged answers, and would make every policy look worse
than it is. Each answer is decided again from its stored signals, so that a label counts for every
policy, whichever decided it.
"""

import json
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Exists, F, OuterRef, QuerySet

from analysis.engine.decision import judge
from analysis.engine.policy import PolicyRules, candidates
from analysis.engine.replay import measurement_of, why_not
from analysis.engine.signal_types import Measurement
from analysis.engine.types import Action
from analysis.models import Check, CheckState, Review
from analysis.selectors.cases import parts
from desk.reviews.selectors.decision_counts import SETTLED
from desk.reviews.selectors.reviewed import is_unsafe
from desk.scoring.calibration.labels import kind_of

MOST = 5_000
"""Of one request: some ten seconds of a core where every answer has to be decided seven times."""


@dataclass(frozen=True, slots=True)
class Label:
    """One reviewed answer, and how many of the candidate policies, strictest first, reject it.

    `kind` is that of its judged claims (`AnswerKind`), or NOT_JUDGED.
    """

    unsafe: bool
    probability: float
    rejections: int
    kind: str


@dataclass(frozen=True, slots=True)
class Labelled:
    """The labels of a period, and counts beside them.

    `sample_counts` and `decided` count the quality sample by action; `other_rules` labels were left
    out because an override decides those checks, and `other_engine` because this version of the
    engine cannot decide them.
    """

    labels: tuple[Label, ...]
    sample_counts: dict[str, int]
    decided: dict[str, int]
    other_rules: int
    other_engine: int


def labelled(
    application_id: UUID,
    policies: Sequence[PolicyRules],
    worst: Action,
    *,
    since: datetime,
    until: datetime,
) -> Labelled:
    """Return the labels of checks submitted in [since, until), at most the newest 5,000.

    `policies` are the candidates, strictest first; they reject what is at least `worst`, and each
    rejects no more than the one before it.
    """
    sample = Check.objects.filter(
        application_id=application_id,
        sampled=True,
        state=CheckState.DONE,
        created_at__gte=since,
        created_at__lt=until,
    )
    reviews = _newest_decisions(sample)
    labels, other_rules, other_engine = list[Label](), 0, 0
    for rows, decided_by in parts(list(reviews)):
        for row in rows:
            if [name for name, _ in candidates(policies[0], json.loads(row.collections))] != [""]:
                other_rules += 1
                continue
            measurement = measurement_of(row)
            if why_not(measurement, decided_by[row.policy_id], policies[0]):
                other_engine += 1
                continue
            rejections = _rejections(measurement, policies, worst, blank=row.blank)
            review, kind = reviews[row.check_id], kind_of(measurement)
            labels.append(Label(review.unsafe, review.probability, rejections, kind))
    return Labelled(
        labels=tuple(labels),
        sample_counts=dict(Counter(map(str, sample.values_list("action", flat=True)))),
        decided=dict(Counter(str(review.action) for review in reviews.values())),
        other_rules=other_rules,
        other_engine=other_engine,
    )


@dataclass(frozen=True, slots=True)
class _Review:
    action: Action
    unsafe: bool
    probability: float


def _newest_decisions(sample: QuerySet[Check]) -> dict[UUID, _Review]:
    """Return the newest decision on each check; an escalation is none.

    A check with an open review (a second opinion, an adjudication) is not settled.
    """
    rows = (
        Review.objects.filter(
            check_record__in=sample.filter(result_erased_at=None).values("pk"),
            decision__in=SETTLED,
        )
        .exclude(
            Exists(Review.objects.filter(check_record=OuterRef("check_record"), decision=None))
        )
        .order_by("-decided_at")
        .values_list(
            "check_record_id",
            "decision",
            F("check_record__action"),
            F("check_record__sampling_probability"),
        )[:MOST]
    )
    decisions = dict[UUID, _Review]()
    for pk, decision, name, probability in rows:
        action = Action(name)
        unsafe = is_unsafe(action, str(decision))
        decisions.setdefault(pk, _Review(action, unsafe, probability))
    return decisions


def _rejections(
    measurement: Measurement, policies: Sequence[PolicyRules], worst: Action, *, blank: bool
) -> int:
    """Return how many of the policies, strictest first, reject the answer."""

    def accepts(rules: PolicyRules) -> bool:
        return judge(measurement, rules, blank=blank).action.severity < worst.severity

    return bisect_left(policies, True, key=accepts)
