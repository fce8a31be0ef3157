"""One score for a whole answer, from its claims: how far it is from fully supported.

A first, readable version: an answer is as bad as its worst claim, so that no contradiction is
averaged away. It reads stored signals and the policy only, as every decision does.
"""

from analysis.engine.policy import DEFAULT_RULES, PolicyRules
from analysis.engine.types import Measurement, Signal, SignalStatus, VerifierSignal

_UNKNOWN = (SignalStatus.UNAVAILABLE, SignalStatus.ERROR)


def hallucination_score(
    measurement: Measurement, rules: PolicyRules = DEFAULT_RULES
) -> float | None:
    """The worst claim's score, 0-1 (1: not supported); None where nothing could be measured.

    Claims that need no evidence are left out; an answer without any other scores 0. Without
    sources (None, not an empty list) no claim is measured, and there is no score.
    """
    if measurement.states[Signal.CLAIMS].status in _UNKNOWN:
        return None
    needed = [signal for signal in measurement.signals if signal.checkable]
    if not needed:
        return 0.0
    scores = [claim_score(signal, rules) for signal in needed]
    known = [score for score in scores if score is not None]
    return max(known) if known else None


def claim_score(signal: VerifierSignal, rules: PolicyRules = DEFAULT_RULES) -> float | None:
    """How far one claim is from supported, 0-1; None where it was not held against a source."""
    del rules  # The first version has no parameter to fit.
    if signal.nli is None:
        return None
    return round(1 - signal.nli.entail * (1 - signal.nli.contradict), 4)
