"""The probability that the sources do not support a claim, from its stored signals.

The judge decides; plain word overlap contributes where it was found to help. Both are calibrated
within each kind of answer (Platt 1999), so that one policy limit flags the same share of right
answers in each: see `CALIBRATIONS`. Neither outweighs what is certain, a conflict or a copy of the
source's own sentence.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from analysis.engine.signal_types import VerifierSignal
from analysis.engine.types import AnswerKind
from analysis.engine.verdict.words_model import (
    Features,
    features_of,
    log_odds,
    logistic,
    logit,
)

LIKELY = 0.5
"""A claim is supported where that is more likely than not."""
EDGE = 0.005
_FARTHEST = 0.05
"""Nearness is told from 0 and 1 no more exactly than this."""
_CERTAIN = 3.0
"""Log-odds of a claim that a certain conflict speaks against; a copied one has as many for it."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Log-odds of a claim not being supported: `bias` and a factor for each part.

    `judge` weighs the judge's log-odds that the claim is not entailed, `words` those of the overlap
    with the sources.
    """

    bias: float
    judge: float
    words: float

    def odds(self, judge: float, words: float) -> float:
        return self.bias + self.judge * judge + self.words * words


CALIBRATIONS: Mapping[AnswerKind, Calibration] = {
    AnswerKind.BARE: Calibration(1.113, 0.44, 0.0),
    AnswerKind.PLACED: Calibration(0.732, 0.288, 0.576),
    AnswerKind.SHORT: Calibration(0.771, 0.717, 0.0),
    AnswerKind.LONG: Calibration(-0.095, 0.717, 0.0),
    AnswerKind.RECORD: Calibration(0.856, 0.609, 0.0),
}
"""Fitted as `tools.training.judge.fitting.fit_kind` does, on 1,382 answers of twelve sets: the
default policy's limit, 0.76, flags a tenth of the right answers of each kind, and below 0.5 a claim
is at least as likely supported as not; bare answers with a place on 320 of 21 sets. Words have no
weight in others, which they rank no better (docs/research/probability.md)."""
CHOSEN = ("llm:", "named:")
"""How the names in `Judgement.judge` begin of judges that an operator chose."""
CHOSEN_CALIBRATION = Calibration(0.0, 1.0, 0.15)
"""Set, not fitted: which model judges is the operator's choice, and `manage.py calibrate` fits what
its probability means. It decides in answers of any kind; words move it little."""

WORDS_ALONE = Calibration(0.43, 0.0, 1.02)
"""Where no judge read the claim: fitted on tune rows of 11 sets, each set and either label weighing
the same (docs/research/probability.md)."""


def unsupported(signal: VerifierSignal) -> float | None:
    """Return the probability (0-1) that the claim is not supported; None if not checked."""
    features = features_of(signal)
    if features is None:
        return None
    if is_certain(signal):
        return logistic(_CERTAIN)
    judgement = signal.judgement
    if judgement is None:
        return logistic(WORDS_ALONE.odds(0.0, log_odds(features)))
    if judgement.verbatim:
        return logistic(-_CERTAIN)
    judge = logit(1 - judgement.entail, EDGE)
    if judgement.judge.startswith(CHOSEN):
        return logistic(CHOSEN_CALIBRATION.odds(judge, log_odds(features)))
    return logistic(CALIBRATIONS[judgement.kind].odds(judge, words_odds(signal, features)))


def words_odds(signal: VerifierSignal, features: Features) -> float:
    """Return the log-odds by words alone that a claim is not supported.

    A bare answer's words occur in the sources whether it is right or wrong; the evidence is how
    near they are to those of its question. 0 if that is unknown.
    """
    judgement, coverage = signal.judgement, signal.coverage
    if judgement is None or judgement.kind is not AnswerKind.PLACED:
        return log_odds(features)
    if coverage is None or coverage.nearness is None:
        return 0.0
    return logit(1 - coverage.nearness, _FARTHEST)


def is_certain(signal: VerifierSignal) -> bool:
    """Return whether a passage certainly contradicts the claim."""
    return any(conflict.certain for conflict in signal.conflicts)
