"""One score for a whole answer, from its claims: how far it is from fully supported.

An answer is as good as its worst claims: the worst counts whole, the second takes half its own
share of what trust is left, so that no contradiction is averaged away and two doubtful claims
weigh more than one.
It reads stored signals and the policy only, as every decision does.
"""

from analysis.engine.fusion import unsupported
from analysis.engine.policy import DEFAULT_RULES, PolicyRules
from analysis.engine.types import Measurement, Signal, SignalStatus, VerifierSignal

_UNKNOWN = (SignalStatus.UNAVAILABLE, SignalStatus.ERROR)
SECOND = 0.5
"""Weight of the second worst claim: on ragtruth.train_part with lexical-1, response AUROC .768 with
the worst alone, .771 with the second (chosen on these rows, so not a held-out figure)."""


def hallucination_score(
    measurement: Measurement, rules: PolicyRules = DEFAULT_RULES
) -> float | None:
    """The answer's score, 0-1 (1: not supported); None where nothing could be measured.

    Claims that need no evidence are left out; an answer without any other scores 0. Without
    sources (None, not an empty list) no claim is measured, and there is no score.
    """
    if measurement.states[Signal.CLAIMS].status in _UNKNOWN:
        return None
    needed = [signal for signal in measurement.signals if signal.checkable]
    if not needed:
        return 0.0
    scores = [claim_score(signal, rules) for signal in needed]
    known = sorted((score for score in scores if score is not None), reverse=True)
    return round(together(known), 4) if known else None


def together(scores: list[float]) -> float:
    """Descending claim scores (0-1) as one, 0-1 and never below the worst of them."""
    second = scores[1] if len(scores) > 1 else 0.0
    return 1 - (1 - scores[0]) * (1 - SECOND * second)


def claim_score(signal: VerifierSignal, rules: PolicyRules = DEFAULT_RULES) -> float | None:
    """How far one claim is from supported, 0-1; None where it was not held against a source."""
    del rules  # No parameter of it is in the policy yet.
    found = unsupported(signal)
    return None if found is None else round(found, 4)
