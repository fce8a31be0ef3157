"""Finds the threshold that keeps unsupported answers rare among those accepted.

Learn-then-Test (Angelopoulos, Bates, Candès, Jordan and Lei, 2022): each threshold is a hypothesis
"the rate lies above alpha", tested by the exact binomial probability of so few unsafe answers;
Bonferroni-Holm over all thresholds keeps the probability of any wrong acceptance at delta.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from analysis.engine.policy import PolicyRules
from analysis.engine.types import Action
from analysis.engine.verdict.risk import HIGHEST
from desk.policies.advice.labels import Label
from lib.stats.bootstrap import at_most, highest_rate

_SHARES = tuple(hundredths / 100 for hundredths in range(30, 101, 5))


class Threshold(StrEnum):
    """A threshold; with all but `block_at`, accepted answers are those that are allowed."""

    UNSUPPORTED_AT = "unsupported_at"
    SCORE_WARN_ABOVE = "score.warn_above"
    WARN_AT = "warn_at"
    BLOCK_AT = "block_at"

    @property
    def label(self) -> str:
        """The label in the policy form."""
        return str(LABELS[self])

    @property
    def worst(self) -> Action:
        """The least severe action that counts as rejected."""
        return Action.BLOCK if self is Threshold.BLOCK_AT else Action.WARN

    def of(self, rules: PolicyRules) -> float:
        """Return the value in force."""
        if self is Threshold.SCORE_WARN_ABOVE:
            return rules.score.warn_above
        value: float = getattr(rules, self.value)
        return value

    def possible(self, rules: PolicyRules) -> tuple[float, ...]:
        """Return the values that are tried, strictest first: for a probability every 0.05 and the
        one in force, for the risk score the sums above 0 that the weights can reach.

        They follow from the policy alone; a grid chosen by looking at the labels would void the
        test.
        """
        if self in (Threshold.UNSUPPORTED_AT, Threshold.SCORE_WARN_ABOVE):
            return tuple(sorted({*_SHARES, self.of(rules)}))
        weights = tuple(rules.weights.by_signal().values())
        sums = {
            min(sum(some), HIGHEST)
            for count in range(1, len(weights) + 1)
            for some in combinations(weights, count)
        }
        return tuple(sorted(sums - {0}))

    def policy(self, rules: PolicyRules, value: float) -> PolicyRules:
        """Return the rules with another value, and what has to be at least or at most as high."""
        if self is Threshold.UNSUPPORTED_AT:
            return replace(rules, unsupported_at=value)
        if self is Threshold.SCORE_WARN_ABOVE:
            above = max(value, rules.score.block_above)
            return replace(rules, score=replace(rules.score, warn_above=value, block_above=above))
        if self is Threshold.WARN_AT:
            return replace(rules, warn_at=int(value), block_at=max(int(value), rules.block_at))
        return replace(rules, block_at=int(value), warn_at=min(int(value), rules.warn_at))


LABELS: dict[Threshold, Promise] = {
    Threshold.UNSUPPORTED_AT: _("Not supported from (by the judge)"),
    Threshold.SCORE_WARN_ABOVE: _("Warn above a probability of"),
    Threshold.WARN_AT: _("Warn from"),
    Threshold.BLOCK_AT: _("Block from"),
}


class SearchStatus(StrEnum):
    """The outcome of the search."""

    FOUND = "found"
    NOT_ENOUGH_LABELS = "not_enough_labels"
    NO_THRESHOLD = "no_threshold"


@dataclass(frozen=True, slots=True)
class Point:
    """The labelled answers at one threshold.

    `unsafe_rate` is unsafe over accepted (None where none is accepted), `rejected_rate` is wrongly
    rejected over all safe ones (None where none is safe). `at_most` is the upper limit of the
    unsafe rate at confidence 1 - delta for this threshold alone (Clopper and Pearson 1934).
    `holds`: the test accepts it.
    """

    threshold: float
    accepted: int
    unsafe_accepted: int
    wrongly_rejected: int
    unsafe_rate: float | None
    rejected_rate: float | None
    at_most: float | None
    holds: bool


@dataclass(frozen=True, slots=True)
class Proposal:
    """The curve and the proposal.

    `labels_needed` accepted answers without an error would suffice. `kinds` are the answers of each
    kind (`AnswerKind`, or NOT_JUDGED) at the proposed threshold, or without one at that in force.
    """

    outcome: SearchStatus
    threshold: float | None
    points: tuple[Point, ...]
    kinds: dict[str, Point]
    labels: int
    unsafe: int
    labels_needed: int


def propose(
    labels: Sequence[Label],
    thresholds: Sequence[float],
    *,
    current: float,
    alpha: float,
    delta: float,
) -> Proposal:
    """Return the threshold that holds with the highest yield.

    `thresholds` are those that the labels' rejections count. Raises ValueError for invalid shares.
    """
    if not (0 < alpha < 1 and 0 < delta < 1):
        raise ValueError("alpha and delta must be between 0 and 1")
    curve = [_point(at, value, labels, delta) for at, value in enumerate(thresholds)]
    valid = _tested(curve, alpha, delta)
    points = tuple(replace(point, holds=at in valid) for at, point in enumerate(curve))
    best = max(
        (point for point in points if point.holds),
        key=lambda point: (point.accepted - point.unsafe_accepted, -point.threshold),
        default=None,
    )
    # As long as no label is accepted, all values may yet have to be tried.
    hypotheses = sum(point.accepted > 0 for point in curve) or max(1, len(curve))
    fewest_labels = fewest(alpha, delta, hypotheses=hypotheses)
    most = max((point.accepted for point in points), default=0)
    missing = SearchStatus.NOT_ENOUGH_LABELS if most < fewest_labels else SearchStatus.NO_THRESHOLD
    value = current if best is None else best.threshold
    at = next((at for at, each in enumerate(thresholds) if each >= value), len(thresholds) - 1)
    of_kind = defaultdict[str, list[Label]](list)
    for label in sorted(labels, key=lambda label: label.kind):
        of_kind[label.kind].append(label)
    return Proposal(
        outcome=missing if best is None else SearchStatus.FOUND,
        threshold=None if best is None else best.threshold,
        points=points,
        kinds={kind: _point(at, thresholds[at], some, delta) for kind, some in of_kind.items()},
        labels=len(labels),
        unsafe=sum(label.unsafe for label in labels),
        labels_needed=fewest_labels,
    )


def fewest(alpha: float, delta: float, *, hypotheses: int) -> int:
    """Return how many accepted, all correct labels the strictest of `hypotheses` tests needs."""
    return math.ceil(math.log(delta / hypotheses) / math.log1p(-alpha))


def _point(at: int, threshold: float, labels: Sequence[Label], delta: float) -> Point:
    """Return what the `at`-th threshold does with the labels."""
    unsafe_of = [label.unsafe for label in labels if label.rejections <= at]
    accepted, unsafe = len(unsafe_of), sum(unsafe_of)
    safe = sum(not label.unsafe for label in labels)
    rejected = safe - (accepted - unsafe)
    return Point(
        threshold=threshold,
        accepted=accepted,
        unsafe_accepted=unsafe,
        wrongly_rejected=rejected,
        unsafe_rate=unsafe / accepted if accepted else None,
        rejected_rate=rejected / safe if safe else None,
        at_most=round(highest_rate(unsafe, accepted, 1 - delta), 4) if accepted else None,
        holds=False,
    )


def _tested(curve: Sequence[Point], alpha: float, delta: float) -> frozenset[int]:
    """Return the thresholds for which the test rejects "over alpha of the accepted are unsafe"."""
    chances = sorted(
        (at_most(point.unsafe_accepted, point.accepted, alpha), at)
        for at, point in enumerate(curve)
        if point.accepted
    )
    valid = set()
    for rank, (chance, at) in enumerate(chances):
        if chance > delta / (len(chances) - rank):
            break
        valid.add(at)
    return frozenset(valid)
