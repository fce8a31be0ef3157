"""Finds the risk-score threshold that keeps unsupported answers rare among those accepted.

Learn-then-Test (Angelopoulos, Bates, Candès, Jordan and Lei, 2022) by MAPIE: each threshold is a
hypothesis "the rate lies above alpha", tested by a Hoeffding-Bentkus p-value; Bonferroni-Holm over
all thresholds keeps the probability of any wrong acceptance at delta.
"""

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from django.utils.translation import gettext as _

from analysis.engine.policy.rules import PolicyRules
from analysis.engine.types import Action
from analysis.engine.verdict.risk import HIGHEST
from desk.reviews.selectors.labels import Label

_NEVER = HIGHEST + 1
"""The score of an answer that other rules than the score reject, whatever the threshold."""


class Threshold(StrEnum):
    """A threshold: `warn_at` accepts allowed answers, `block_at` all that are not blocked."""

    WARN_AT = "warn_at"
    BLOCK_AT = "block_at"

    @property
    def label(self) -> str:
        """The label in the policy form."""
        return _("Warn from") if self is Threshold.WARN_AT else _("Block from")


class SearchStatus(StrEnum):
    """The outcome of the search."""

    FOUND = "found"
    NOT_ENOUGH_LABELS = "not_enough_labels"
    NO_THRESHOLD = "no_threshold"


@dataclass(frozen=True, slots=True)
class Point:
    """The labelled answers at one threshold.

    `unsafe_rate` is unsafe over accepted (None where none is accepted), `rejected_rate` is wrongly
    rejected over all safe ones (None where none is safe). `holds`: the test accepts it.
    """

    threshold: int
    accepted: int
    unsafe_accepted: int
    wrongly_rejected: int
    unsafe_rate: float | None
    rejected_rate: float | None
    holds: bool


@dataclass(frozen=True, slots=True)
class Proposal:
    """The curve and the proposal.

    `labels_needed` accepted answers without an error would suffice.
    """

    outcome: SearchStatus
    threshold: int | None
    points: tuple[Point, ...]
    labels: int
    unsafe: int
    labels_needed: int


def propose(
    labels: Sequence[Label], rules: PolicyRules, which: Threshold, *, alpha: float, delta: float
) -> Proposal:
    """Return the threshold that holds with the highest yield.

    Raises ValueError for invalid shares.
    """
    if not (0 < alpha < 1 and 0 < delta < 1):
        raise ValueError("alpha and delta must be between 0 and 1")
    scores = [_score(label, which) for label in labels]
    curve = [_point(at, labels, scores) for at in possible(rules)]
    tested = [point.threshold for point in curve if point.accepted]
    accepted_thresholds = (
        _tested(labels, scores, tested, alpha, delta) if tested else frozenset[int]()
    )
    points = tuple(_mark_point(point, accepted_thresholds) for point in curve)
    best = max(
        (point for point in points if point.holds),
        key=lambda point: (point.accepted - point.unsafe_accepted, -point.threshold),
        default=None,
    )
    fewest_labels = fewest(alpha, delta, hypotheses=max(1, len(tested)))
    most = max((point.accepted for point in points), default=0)
    missing = SearchStatus.NOT_ENOUGH_LABELS if most < fewest_labels else SearchStatus.NO_THRESHOLD
    return Proposal(
        outcome=missing if best is None else SearchStatus.FOUND,
        threshold=None if best is None else best.threshold,
        points=points,
        labels=len(labels),
        unsafe=sum(label.unsafe for label in labels),
        labels_needed=fewest_labels,
    )


def possible(rules: PolicyRules) -> tuple[int, ...]:
    """Return the thresholds that matter: the sums above 0 that the weights can reach.

    They follow from the policy alone; a grid chosen by looking at the labels would void the test.
    """
    weights = tuple(rules.weights.by_signal().values())
    sums = {
        min(sum(some), HIGHEST)
        for count in range(1, len(weights) + 1)
        for some in combinations(weights, count)
    }
    return tuple(sorted(sums - {0}))


def fewest(alpha: float, delta: float, *, hypotheses: int) -> int:
    """Return how many accepted, all correct labels the strictest of `hypotheses` tests needs."""
    return math.ceil(math.log(delta / hypotheses) / math.log1p(-alpha))


def _score(label: Label, which: Threshold) -> int:
    worst = Action.WARN if which is Threshold.WARN_AT else Action.BLOCK
    return _NEVER if label.floor.severity >= worst.severity else label.risk_score


def _point(threshold: int, labels: Sequence[Label], scores: Sequence[int]) -> Point:
    unsafe_of = [
        label.unsafe for label, score in zip(labels, scores, strict=True) if score < threshold
    ]
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
        holds=False,
    )


def _mark_point(point: Point, accepted_thresholds: frozenset[int]) -> Point:
    if point.threshold not in accepted_thresholds:
        return point
    return Point(
        point.threshold, point.accepted, point.unsafe_accepted, point.wrongly_rejected,
        point.unsafe_rate, point.rejected_rate, holds=True,
    )  # fmt: skip


def _tested(
    labels: Sequence[Label],
    scores: Sequence[int],
    thresholds: Sequence[int],
    alpha: float,
    delta: float,
) -> frozenset[int]:
    """Return the thresholds for which MAPIE rejects "over alpha of the accepted are unsafe"."""
    # The import takes seconds and 100 MB, so only a request for advice does it.
    import numpy as np  # noqa: PLC0415
    from mapie.risk_control import BinaryClassificationController  # noqa: PLC0415

    def chances(inputs: "np.ndarray[tuple[int, int], np.dtype[np.float64]]") -> object:
        rejecting = inputs[:, 0] / (_NEVER + 1)
        return np.column_stack([rejecting, 1 - rejecting])

    # Accepted are scores up to threshold - 1, and MAPIE accepts what reaches a parameter.
    parameters = {1 - (at - 1) / (_NEVER + 1): at for at in thresholds}
    controller = BinaryClassificationController(
        predict_function=chances,
        risk="precision",
        target_level=1 - alpha,
        confidence_level=1 - delta,
        list_predict_params=np.array(list(parameters)),
        fwer_method="bonferroni_holm",
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # "no parameters were found": we say so
        controller.calibrate(
            np.array(scores, dtype=float).reshape(-1, 1),
            np.array([not label.unsafe for label in labels], dtype=int),
        )
    return frozenset(parameters[float(param)] for param in controller.valid_predict_params)
