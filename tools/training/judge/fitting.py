"""What the judge's probabilities mean, fitted on labelled answers that were measured before.

Pure functions: weights of a claim, calibration of an answer, thresholds, and how all of it would
have done on answers that it was not fitted on.
"""

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import astuple, dataclass, replace

from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

from analysis.engine.policy.rules import DEFAULT_RULES
from analysis.engine.verdict.answer_score import Calibration, odds_of
from analysis.engine.verdict.fusion_model import logistic
from analysis.engine.verdict.judge_scores import ALONE
from analysis.engine.verdict.probability import (
    JudgeParts,
    JudgeWeights,
    claim_probability,
    judge_log_odds,
)

FLAGGED, BLOCKED = 0.10, 0.02
"""At most these shares of right development answers are flagged and blocked."""
FOLDS = 5
MEAN = 0.2
"""Share of the mean claim in an answer's log-odds (docs/research/probability.md)."""
_RULES = DEFAULT_RULES
_FITTED = (0, 2, 3, 4, 5)
"""The parts that are fitted: all but the words of a short sentence, with which kinds left out of
the fit are ranked worse."""


@dataclass(frozen=True)
class FitClaim:
    """A claim as the fit sees it; `label` 1 is unsupported, None where nobody marked it.

    `against` is the share (0-1) that the judge gives to a contradiction of what is not entailed.
    `is_exact` says that figures, dates or fields conflict so that it blocks where it is doubted.
    """

    parts: JudgeParts
    is_certain: bool
    is_exact: bool
    against: float
    label: int | None


@dataclass(frozen=True)
class FitAnswer:
    """An answer as the fit sees it: the set it comes from, its source, and its claims."""

    kind: str
    source: str
    label: int
    claims: tuple[FitClaim, ...]


@dataclass(frozen=True)
class JudgeFit:
    weights: JudgeWeights
    calibration: Calibration

    def chance(self, answer: FitAnswer) -> float:
        """The score (0-1) of the answer."""
        by = self.calibration
        return logistic(by.bias + by.worst * odds_of(probabilities(answer, self.weights), by.mean))


def fit(answers: Sequence[FitAnswer], dev: Collection[str]) -> JudgeFit:
    """Weights of the claims, then the calibration of the answers with these weights.

    `dev` names the sets whose right answers say what the thresholds of the policy mean; without
    such answers the weights stay as they were fitted.
    """
    weights = fit_weights(answers)
    right = [answer for answer in answers if answer.kind in dev and not answer.label]
    if right:
        weights = anchored(weights, right)
    return JudgeFit(weights, fit_calibration(answers, weights))


def fit_weights(answers: Sequence[FitAnswer]) -> JudgeWeights:
    """Logistic regression over labelled claims; each kind and either label weighs the same."""
    rows = [(a.kind, c.label, c.parts) for a in answers for c in a.claims if c.label is not None]
    labels = [label for _, label, _ in rows]
    inputs = [[parts[at] for at in _FITTED] for _, _, parts in rows]
    shares = _equal_shares([(kind, label) for kind, label, _ in rows])
    model = _regression(inputs, labels, shares)
    bias, *factors = (round(float(each), 2) for each in (model.intercept_[0], *model.coef_[0]))
    entail, length, long_entail, long_words, conflict = factors
    return JudgeWeights(bias, entail, 0.0, length, long_entail, long_words, max(conflict, 0.0))


def fit_calibration(answers: Sequence[FitAnswer], weights: JudgeWeights) -> Calibration:
    """Platt's map (1999) over all kinds; each kind weighs the same, at its own share of faults."""
    odds = [[odds_of(probabilities(answer, weights), MEAN)] for answer in answers]
    shares = _equal_shares([answer.kind for answer in answers])
    model = _regression(odds, [answer.label for answer in answers], shares)
    bias, worst = float(model.intercept_[0]), float(model.coef_[0][0])
    return Calibration(round(bias, 2), round(worst, 2), 0.0, mean=MEAN)


def _equal_shares(groups: Sequence[object]) -> list[float]:
    """Weights, 1 in the mean, by which every group counts the same."""
    counts = Counter(groups)
    return [len(groups) / len(counts) / counts[group] for group in groups]


def _regression(
    inputs: Sequence[Sequence[float]], labels: Sequence[int], shares: Sequence[float]
) -> LogisticRegression:
    return LogisticRegression(C=1.0, max_iter=5000).fit(inputs, labels, sample_weight=shares)


def probabilities(answer: FitAnswer, weights: JudgeWeights) -> list[float]:
    """For each claim the probability (0-1) that it is not supported."""
    return [claim_probability(c.parts, weights, is_certain=c.is_certain) for c in answer.claims]


Chances = dict[int, float]
"""The scores (0-1) of answers by their places."""


def cross_validated(answers: Sequence[FitAnswer], dev: Collection[str]) -> Chances:
    """Each answer's score by what was fitted without its source."""
    return _left_out(answers, dev, lambda answer: _fold(answer.source))


def without_its_kind(answers: Sequence[FitAnswer], dev: Collection[str]) -> Chances:
    """Each answer's score by what was fitted on other sets alone."""
    return _left_out(answers, dev, lambda answer: answer.kind)


def _left_out(
    answers: Sequence[FitAnswer], dev: Collection[str], part_of: Callable[[FitAnswer], object]
) -> Chances:
    parts = [part_of(answer) for answer in answers]
    chances: Chances = {}
    for part in dict.fromkeys(parts):
        judge_fit = fit([a for a, other in zip(answers, parts, strict=True) if other != part], dev)
        places = [at for at, other in enumerate(parts) if other == part]
        chances |= {at: judge_fit.chance(answers[at]) for at in places}
    return chances


def _fold(source: str) -> int:
    return hashlib.sha256(source.encode("utf-8", "surrogatepass")).digest()[0] % FOLDS


def anchored(weights: JudgeWeights, right: Sequence[FitAnswer]) -> JudgeWeights:
    """The weights, scaled and moved so that the default policy's thresholds keep what they mean.

    Of the right answers at most FLAGGED have a claim from `unsupported_at` on, and at most BLOCKED
    one that blocks, whichever weights the judge has. Raises ValueError where conflicts that words
    name exceed that by themselves.
    """
    for step in range(100, 0, -1):
        scaled = JudgeWeights(*(round(each * step / 100, 2) for each in astuple(weights)))
        moved = _moved(scaled, right)
        if sum(_blocks(answer, moved) for answer in right) <= BLOCKED * len(right):
            return moved
    raise ValueError("exact conflicts alone block more right answers")


def _moved(weights: JudgeWeights, right: Sequence[FitAnswer]) -> JudgeWeights:
    """The weights with the largest bias that flags no more than FLAGGED of the answers."""
    worst = sorted((_worst_odds(answer, weights) for answer in right), reverse=True)
    first_that_passes = worst[int(FLAGGED * len(right))]
    if first_that_passes == math.inf:
        raise ValueError("certain conflicts alone flag more right answers")
    flagged_from = math.log(_RULES.unsupported_at / (1 - _RULES.unsupported_at))
    bias = weights.bias + flagged_from - first_that_passes
    return replace(weights, bias=math.ceil(100 * bias - 1) / 100)


def _worst_odds(answer: FitAnswer, weights: JudgeWeights) -> float:
    return max(
        math.inf if c.is_certain else judge_log_odds(c.parts, weights) for c in answer.claims
    )


def _blocks(answer: FitAnswer, weights: JudgeWeights) -> bool:
    """Whether the default policy blocks: a sure contradiction, or nothing that may be supported."""
    chances = probabilities(answer, weights)
    sure = any(
        ALONE * p * c.against >= _RULES.high_confidence_at
        or (c.is_exact and p >= _RULES.unsupported_at)
        for p, c in zip(chances, answer.claims, strict=True)
    )
    return sure or min(chances) >= _RULES.unsupported_sure_at


def warning_limit(judge_fit: JudgeFit, right: Sequence[FitAnswer]) -> float:
    """The lowest `score.warn_above` (two digits) by which, with the claims' threshold, no more than
    FLAGGED of the right answers are flagged."""
    scores = [
        math.inf
        if max(probabilities(a, judge_fit.weights)) >= _RULES.unsupported_at
        else judge_fit.chance(a)
        for a in right
    ]
    for step in range(1, 100):
        if sum(score > step / 100 for score in scores) <= FLAGGED * len(right):
            return step / 100
    return 1.0
