"""One score for a whole answer, from its claims: the chance that it is not fully supported.

An answer is as good as its worst claims: the worst counts whole, the second takes half its own
share of what trust is left, so that no contradiction is averaged away and two doubtful claims
weigh more than one. By rules, further claims that are supported never lower it; where the judge
read the answer, a fifth of its log-odds are those of the mean claim. What comes of it is
calibrated (Platt 1999), for answers about records by a number of their own: the words of a record
are never those of a sentence about it.
It reads stored signals only, as every decision does.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from analysis.engine.signal_types import Measurement, VerifierSignal
from analysis.engine.types import SignalName, SignalStatus
from analysis.engine.verdict.probability import unsupported
from analysis.engine.verdict.words_model import logistic, logit

_UNKNOWN = (SignalStatus.UNAVAILABLE, SignalStatus.ERROR)
SECOND = 0.5
"""Weight of the second worst claim: on ragtruth.train_part with lexical-1, response AUROC .768 with
the worst alone, .771 with the second (chosen on these rows, so not a held-out figure)."""
_EDGE = 0.01


@dataclass(frozen=True, slots=True)
class Calibration:
    """Log-odds of an answer not fully supported: bias, a factor of the log-odds of the worst
    claims, and what is added for an answer about records. A share `mean` (0-1) of the worst claims'
    log-odds are the mean claim's.
    """

    bias: float
    worst: float
    record: float
    mean: float = 0.0


RULES = Calibration(0.43, 1.02, -1.81)
"""Where rules alone read the answer. Fitted on tune rows of 11 sets, each set and either label
weighing the same, then moved to the share of answers at fault that the judge's numbers assume
(56 %, log-odds +0.24), so that one limit of the policy serves both."""

JUDGE = Calibration(-0.25, 1.14, 0.0, mean=0.2)
"""Where the judge read the answer: fitted by `python -m tools.training.judge.fit` to
`tools/evaluation/everyday/dev` and spare tune rows of seven public sets, each at its own share of
answers at fault, 56 % in the mean: where fewer are, the score is too high. The judge reads
records as sentences, and a number of their own ranks answers worse."""

Parts = tuple[float, float]
"""Log-odds of the worst claims together; 1 for an answer about records, else 0."""


def hallucination_score(measurement: Measurement) -> float | None:
    """The answer's score, 0-1 (1: not supported); None where nothing could be measured.

    Claims that need no evidence are left out; an answer without any other scores 0. Without
    sources (None, not an empty list) no claim is measured, and there is no score.
    """
    if measurement.states[SignalName.CLAIMS].status in _UNKNOWN:
        return None
    if not any(signal.checkable for signal in measurement.signals):
        return 0.0
    parts = parts_of(measurement)
    if parts is None:
        return None
    by = calibration_of(measurement.signals)
    return round(logistic(by.bias + by.worst * parts[0] + by.record * parts[1]), 4)


def calibration_of(signals: Sequence[VerifierSignal]) -> Calibration:
    """That of the judge where it read a claim."""
    return JUDGE if any(signal.judgement for signal in signals) else RULES


def parts_of(measurement: Measurement) -> Parts | None:
    """What the score of an answer is made of; None where no claim was compared with a source."""
    checkable = [signal for signal in measurement.signals if signal.checkable]
    scores = [score for signal in checkable if (score := unsupported(signal)) is not None]
    if not scores:
        return None
    return odds_of(scores, calibration_of(checkable).mean), float(of_record(checkable))


def odds_of(scores: Sequence[float], mean: float) -> float:
    """Log-odds of the worst claims together; a share `mean` (0-1) of them the mean claim's."""
    worst = logit(together(sorted(scores, reverse=True)), _EDGE)
    return (
        (1 - mean) * worst + mean * fmean(logit(score, _EDGE) for score in scores)
        if mean
        else worst
    )


def together(scores: list[float]) -> float:
    """Descending claim scores (0-1) as one, 0-1 and never below the worst of them."""
    second = scores[1] if len(scores) > 1 else 0.0
    return 1 - (1 - scores[0]) * (1 - SECOND * second)


def of_record(signals: list[VerifierSignal]) -> bool:
    """Whether most of the claims are compared with records."""
    records = sum(signal.coverage is not None and signal.coverage.of_record for signal in signals)
    return 2 * records > len(signals)


def claim_score(signal: VerifierSignal) -> float | None:
    """How far one claim is from supported, 0-1; None where it was not compared with a source."""
    score = unsupported(signal)
    return None if score is None else round(score, 4)
