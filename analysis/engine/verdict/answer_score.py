"""One score for a whole answer: the probability that it is not fully supported.

An answer is as good as its worst claim, and further supported claims never lower its score. It
reads only stored signals, like every decision.
"""

from analysis.engine.signal_types import Measurement, VerifierSignal
from analysis.engine.types import SignalName, SignalStatus
from analysis.engine.verdict.probability import unsupported

_UNKNOWN = (SignalStatus.UNAVAILABLE, SignalStatus.ERROR)


def hallucination_score(measurement: Measurement) -> float | None:
    """Return the answer's score, 0-1 (1: not supported); None if nothing could be measured.

    Claims that need no evidence are ignored; an answer without any other scores 0. Without sources
    (None, not an empty list) no claim is measured, and there is no score.
    """
    if measurement.states[SignalName.CLAIMS].status in _UNKNOWN:
        return None
    checkable = [signal for signal in measurement.signals if signal.checkable]
    scores = [score for signal in checkable if (score := claim_score(signal)) is not None]
    return max(scores, default=None) if checkable else 0.0


def claim_score(signal: VerifierSignal) -> float | None:
    """Return how far one claim is from supported, 0-1; None if no source was compared."""
    score = unsupported(signal)
    return None if score is None else round(score, 4)
