"""The trained fusion: signals of a claim to the probability that it is unsupported.

A logistic combination of nine measured shares, few enough to read. The weights come from
`python -m training.fuse`, fitted on rows that trained no model and that no report uses;
`manage.py explain_fusion` prints them with what they were fitted on.
"""

import math
import operator
from dataclasses import dataclass, fields

from analysis.engine.signal_types import VerifierSignal
from analysis.engine.types import ConflictKind


@dataclass(frozen=True, slots=True)
class Features:
    """What speaks against a claim, each a share of 1.

    `disbelief` and `contradiction` are the entailment model's 1 - entail and contradict, `doubt`
    its most doubted word; `missing_words` are the claim's words not found together, `new_phrases`
    its pairs of neighbouring words found in no source, `by_rules` is 1 - lexical-1's support, and
    `stated_otherwise` is 1 where a field of a record says otherwise, `new_figures` and `new_names`
    are 1 where a figure or a name of the claim stands in no source.
    """

    disbelief: float
    contradiction: float
    doubt: float
    missing_words: float
    new_phrases: float
    by_rules: float
    stated_otherwise: float = 0.0
    new_figures: float = 0.0
    new_names: float = 0.0


@dataclass(frozen=True, slots=True)
class FusionWeights:
    """Weights of the features, in their order, and the bias: log-odds of being unsupported."""

    bias: float
    disbelief: float
    contradiction: float
    doubt: float
    missing_words: float
    new_phrases: float
    by_rules: float
    stated_otherwise: float = 0.0
    new_figures: float = 0.0
    new_names: float = 0.0


STATED_OTHERWISE = 1.5
"""Set, not fitted: a claim against a field of a record then scores above .9, and 32 of 37 such
claims were marked by people (decision 0516). The fit, which saw no counterexample, said 6.3."""
LEXICAL_WEIGHTS = FusionWeights(
    -2.177, 0.0, 0.0, 0.0, 0.012, 1.248, 1.766, STATED_OTHERWISE, 0.779, 1.027
)
"""Where no model of entailment ran: fitted on answers of 11 sets (docs/research/training.md)."""
MODEL_WEIGHTS = FusionWeights(
    -2.323, 0.0, 0.0, 2.136, 0.0, 0.975, 1.617, STATED_OTHERWISE, 0.511, 0.933
)
"""Where a model of entailment ran: fitted with the third model of docs/accuracy.md on 829 answers
of 11 sets."""
EMBEDDED_NAME = "watchdog-nli-1.2"
"""The model that comes along (inference/embedded), as `VerifierSignal.judged_by` has it."""
EMBEDDED_WEIGHTS = FusionWeights(
    -2.55, 0.0, 0.9, 1.5, 0.012, 1.248, 1.766, STATED_OTHERWISE, 0.779, 1.027
)
"""Where that model ran: the words keep the weights that they have alone, and the model adds its
doubt and its contradiction, two numbers chosen on 1,144 answers of 11 sets
(decisions 0525 and 0526)."""
BY_EMBEDDED = {EMBEDDED_NAME: EMBEDDED_WEIGHTS}
"""Weights by the name of the model in `VerifierSignal.judged_by`."""
_NAMES = tuple(field.name for field in fields(Features))
_of = operator.attrgetter(*_NAMES)


def features_of(signal: VerifierSignal) -> Features | None:
    """The features of a claim; None where it was not held against a source."""
    if signal.nli is None or signal.coverage is None:
        return None
    lexical = signal.lexical or signal.nli
    ran = has_model(signal)
    return Features(
        1 - signal.nli.entail if ran else 0.0,
        signal.nli.contradict if ran else 0.0,
        signal.doubt or 0.0,
        1 - signal.coverage.tokens_overlap,
        _missing(signal.coverage.phrases),
        1 - lexical.entail,
        float(any(conflict.kind is ConflictKind.FIELD for conflict in signal.conflicts)),
        float(bool(signal.coverage.absent_figures)),
        float(bool(signal.coverage.absent_names)),
    )


def _missing(share: float | None) -> float:
    """1 - share; 0 for what a claim has none of."""
    return 0.0 if share is None else 1 - share


def has_model(signal: VerifierSignal) -> bool:
    """Whether a model of entailment judged the claim: lexical-1's own scores are then others."""
    return signal.doubt is not None or (signal.lexical is not None and signal.nli != signal.lexical)


def unsupported(signal: VerifierSignal, of_model: float = 1.0) -> float | None:
    """The chance (0-1) that the claim is not supported; None where it was not held up.

    `of_model` is the share (0-1) of what the model of entailment says that counts.
    """
    features = features_of(signal)
    if features is None:
        return None
    weights = weights_of(signal)
    odds = log_odds(features, weights)
    if of_model < 1:
        odds -= (1 - of_model) * _by_model(features, weights)
    return logistic(odds)


def _by_model(features: Features, weights: FusionWeights) -> float:
    """What the model of entailment adds to the log-odds."""
    logit = weights.contradiction * features.contradiction + weights.doubt * features.doubt
    return logit + weights.disbelief * features.disbelief


def is_by_embedded(signal: VerifierSignal) -> bool:
    """Whether the model that comes along judged the claim."""
    return signal.judged_by in BY_EMBEDDED


def weights_of(signal: VerifierSignal) -> FusionWeights:
    """The weights for a claim, by the model that judged it and what was measured of it."""
    embedded = BY_EMBEDDED.get(signal.judged_by or signal.spared_by)
    if embedded is not None:
        return embedded
    return MODEL_WEIGHTS if has_model(signal) else LEXICAL_WEIGHTS


def log_odds(features: Features, weights: FusionWeights) -> float:
    """The log-odds: bias and the weighed features."""
    # astuple would copy every number, at twice the cost of a whole claim.
    return float(weights.bias + sum(map(operator.mul, _of(weights), _of(features))))


def logistic(odds: float) -> float:
    """Log-odds as a chance."""
    return 1 / (1 + math.exp(-odds)) if odds > -700 else 0.0


def contributions(features: Features, weights: FusionWeights) -> dict[str, float]:
    """What each feature adds to the log-odds, by name: why a score is what it is."""
    return dict(zip(_NAMES, map(operator.mul, _of(weights), _of(features)), strict=True))
