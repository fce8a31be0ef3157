"""Fits the judge's probabilities on labelled answers that were measured before.

Pure functions: one calibration for each kind of answer, and how it would have done on answers that
it was not fitted on.
"""

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

from analysis.engine.policy import DEFAULT_RULES
from analysis.engine.types import AnswerKind
from analysis.engine.verdict.probability import Calibration
from lib.stats.detection import auroc
from lib.stats.odds import logit

FLAGGED = 0.10
"""At most this share of the right answers of a kind is flagged."""
FEWEST = 9
"""Right answers of a kind; a set with no more of them tells no tenth."""
FOLDS = 5
SHARES = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0)
"""The weights of words, the judge's being 1, that are tried."""
GAIN = 0.005
"""Mean AUROC that a larger weight of words must gain to be taken."""

OF_WORDS = {AnswerKind.LONG: 0.25, AnswerKind.LONG_RECORD: 0.5}
"""The weight of words in long answers, the judge's being 1: the one that ranks nine sets best, and
in those about records the largest by which none of five sets is ranked worse."""
OF_UNREAD = {AnswerKind.SHORT: 1.0, AnswerKind.BARE: 1.0}
"""The weight of words for the evidence that the judge did not read
(docs/research/probability.md)."""


@dataclass(frozen=True)
class FitClaim:
    """The log-odds of a claim not being supported, by the judge and by words.

    `settled` is what decides instead: 1 for a certain conflict, -1 for a copied sentence, else 0.
    `answer`: the mean of the judge's over all claims of the answer; `unread`: the share of the
    evidence that it did not read.
    """

    judge: float
    words: float
    settled: int
    answer: float = 0.0
    unread: float = 0.0


@dataclass(frozen=True)
class FitAnswer:
    """An answer as the fit sees it; `label` 1 means not fully supported."""

    set: str
    kind: AnswerKind
    source: str
    label: int
    claims: tuple[FitClaim, ...]

    def odds(self, by: Calibration) -> float:
        """Return the log-odds of its worst claim."""
        return max(_odds(claim, by) for claim in self.claims)


def _odds(claim: FitClaim, by: Calibration) -> float:
    if claim.settled:
        return math.copysign(_SETTLED, claim.settled)
    return by.odds(claim.judge, claim.words, claim.answer, claim.unread)


TYPICAL = -0.75
"""The mean below which the claims of a long answer are told from their mean: -0.5 to -1 do as well
(docs/research/probability.md)."""
_SETTLED = 20.0
_ABOVE = 0.01
"""Log-odds by which the limit lies above the first answer that it is to let pass."""
Calibrations = Mapping[AnswerKind, Calibration]


def fit(answers: Sequence[FitAnswer]) -> Calibrations:
    """Return a calibration for each kind that the answers have."""
    kinds = [kind for kind in AnswerKind if any(answer.kind is kind for answer in answers)]
    return {kind: fit_kind(_of_kind(answers, kind)) for kind in kinds}


def _of_kind(answers: Sequence[FitAnswer], kind: AnswerKind) -> list[FitAnswer]:
    """Return the answers of a kind, without sets that have FEWEST right ones of it or fewer.

    If that leaves none, all are returned.
    """
    same = [answer for answer in answers if answer.kind is kind]
    right = Counter(answer.set for answer in same if not answer.label)
    return [answer for answer in same if right[answer.set] > FEWEST] or same


def fit_kind(answers: Sequence[FitAnswer]) -> Calibration:
    """Return the calibration of one kind; each set and either label weighs the same.

    Words have a weight in bare answers with a place (nearness to the question, the weight that
    ranks the sets best), in long answers (OF_WORDS) and beside evidence that was not read
    (OF_UNREAD); other everyday sentences they rank worse. The slope is at most that of Platt (1999)
    over the claims; of a wrong answer the worst claim counts as the wrong one. The policy's limit
    flags FLAGGED of the right answers, and below 0.5 a claim is at least as likely supported as
    not.
    """
    kind = answers[0].kind
    share = OF_WORDS.get(kind, 0.0)
    if kind is AnswerKind.PLACED:
        share = _words_share(answers)
    typical = TYPICAL if kind is AnswerKind.LONG else None
    unread = OF_UNREAD.get(kind, 0.0)
    plain = Calibration(0.0, 1.0, share, typical, unread)
    weights = _equal_shares([(answer.set, answer.label) for answer in answers])
    slope, bias = _platt(answers, weights, plain)
    odds = [answer.odds(plain) for answer in answers]
    even, limit = -bias / slope, _right_limit(answers, odds, weights)
    at_limit = logit(DEFAULT_RULES.unsupported_at)
    if limit > even:
        # Flatter than the fit where the limit lies far out; never steeper.
        slope = min(slope, at_limit / (limit - even))
    bias = at_limit - slope * limit
    return Calibration(
        round(bias, 3), round(slope, 3), round(slope * share, 3), typical, round(slope * unread, 3)
    )


def _platt(
    answers: Sequence[FitAnswer], weights: Sequence[float], plain: Calibration
) -> tuple[float, float]:
    """Return slope and bias of the log-odds that a claim is wrong; answers weigh the same."""
    rows = []
    for answer, weight in zip(answers, weights, strict=True):
        odds = [_odds(claim, plain) for claim in answer.claims]
        worst = odds.index(max(odds))
        share = weight / len(odds)
        rows += [(each, answer.label * (at == worst), share) for at, each in enumerate(odds)]
    model = LogisticRegression(C=1e3).fit(
        [[max(-_SETTLED / 2, min(_SETTLED / 2, each))] for each, _, _ in rows],
        [label for _, label, _ in rows],
        sample_weight=[share for _, _, share in rows],
    )
    return float(model.coef_[0][0]), float(model.intercept_[0])


def _words_share(answers: Sequence[FitAnswer]) -> float:
    best = 0.0
    for share in SHARES[1:]:
        if mean_auroc(answers, share) > mean_auroc(answers, best) + GAIN:
            best = share
    return best


def mean_auroc(answers: Sequence[FitAnswer], share: float) -> float:
    """Return the mean AUROC of the sets that have both labels; 0.5 where none has."""
    by = Calibration(0.0, 1.0, share)
    areas = []
    for name in dict.fromkeys(answer.set for answer in answers):
        rows = [answer for answer in answers if answer.set == name]
        area = auroc([bool(row.label) for row in rows], [row.odds(by) for row in rows])
        if area is not None:
            areas.append(area)
    return sum(areas) / len(areas) if areas else 0.5


def _right_limit(
    answers: Sequence[FitAnswer], odds: Sequence[float], weights: Sequence[float]
) -> float:
    """Return the log-odds that FLAGGED of the weighed right answers lie above.

    Those with a certain conflict are flagged whatever the limit is.
    """
    right = sorted(
        (
            (each, weight)
            for answer, each, weight in zip(answers, odds, weights, strict=True)
            if not answer.label
        ),
        reverse=True,
    )
    most = FLAGGED * sum(weight for _, weight in right)
    above = 0.0
    for each, weight in right:
        above += weight
        if above > most:
            return each + _ABOVE
    return -math.inf


def _equal_shares(groups: Sequence[object]) -> list[float]:
    """Return weights, 1 in the mean, by which every group counts the same."""
    counts = Counter(groups)
    return [len(groups) / len(counts) / counts[group] for group in groups]


Chances = dict[int, float]
"""The log-odds of answers by their places."""


def cross_validated(answers: Sequence[FitAnswer]) -> Chances:
    """Return each answer's log-odds by what was fitted without its source."""
    return _left_out(answers, lambda answer: _fold(answer.source))


def without_its_set(answers: Sequence[FitAnswer]) -> Chances:
    """Return each answer's log-odds by what was fitted on other sets alone."""
    return _left_out(answers, lambda answer: answer.set)


def _left_out(answers: Sequence[FitAnswer], part_of: Callable[[FitAnswer], object]) -> Chances:
    parts = [part_of(answer) for answer in answers]
    chances: Chances = {}
    for part in dict.fromkeys(parts):
        pairs = list(zip(answers, parts, strict=True))
        by = fit([answer for answer, other in pairs if other != part])
        for at, (answer, other) in enumerate(pairs):
            if other == part and answer.kind in by:
                chances[at] = answer.odds(by[answer.kind])
    return chances


def _fold(source: str) -> int:
    return hashlib.sha256(source.encode("utf-8", "surrogatepass")).digest()[0] % FOLDS
