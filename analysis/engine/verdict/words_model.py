"""The log-odds by words that the sources do not support a claim.

A logistic combination of six measured shares, few enough to understand. The weights come from
`python -m tools.training.fuse`, fitted on rows that trained no model and that no report uses.
"""

import math
import operator
from dataclasses import dataclass, fields

from analysis.engine.signal_types import VerifierSignal
from analysis.engine.types import ConflictKind


@dataclass(frozen=True, slots=True)
class Features:
    """The evidence of words against a claim, each a share of 1.

    `missing_words` are the claim's words not found together, `new_phrases` its adjacent word pairs
    found in no source, `by_rules` is 1 - lexical-1's support, and `stated_otherwise` is 1 if a
    record's field conflicts, `new_figures` and `new_names` are 1 if a figure or a name of the claim
    is in no source.
    """

    missing_words: float
    new_phrases: float
    by_rules: float
    stated_otherwise: float = 0.0
    new_figures: float = 0.0
    new_names: float = 0.0


@dataclass(frozen=True, slots=True)
class WordWeights:
    """The weights of the features, in order, and the bias: log-odds of being unsupported."""

    bias: float
    missing_words: float
    new_phrases: float
    by_rules: float
    stated_otherwise: float = 0.0
    new_figures: float = 0.0
    new_names: float = 0.0


STATED_OTHERWISE = 1.5
"""Set, not fitted: a claim against a field of a record then scores above .9, and 32 of 37 such
claims were marked by people (decision 0513). The fit, which saw no counterexample, said 6.3."""
WEIGHTS = WordWeights(-2.177, 0.012, 1.248, 1.766, STATED_OTHERWISE, 0.779, 1.027)
"""Fitted on answers of 11 sets (docs/research/probability.md)."""
_NAMES = tuple(field.name for field in fields(Features))
_of = operator.attrgetter(*_NAMES)


def features_of(signal: VerifierSignal) -> Features | None:
    """Return the features of a claim, or None if it was not compared with a source."""
    lexical = signal.lexical
    if lexical is None or signal.coverage is None:
        return None
    return Features(
        1 - signal.coverage.tokens_overlap,
        _missing(signal.coverage.phrases),
        1 - lexical.entail,
        float(any(conflict.kind is ConflictKind.FIELD for conflict in signal.conflicts)),
        float(bool(signal.coverage.absent_figures)),
        float(bool(signal.coverage.absent_names)),
    )


def _missing(share: float | None) -> float:
    """Return 1 - share; 0 if the claim has none."""
    return 0.0 if share is None else 1 - share


def log_odds(features: Features, weights: WordWeights = WEIGHTS) -> float:
    """Return the log-odds: bias and weighted features."""
    # astuple would copy every number, at twice the cost of a whole claim.
    return float(weights.bias + sum(map(operator.mul, _of(weights), _of(features))))


def logistic(odds: float) -> float:
    """Return log-odds as a probability."""
    return 1 / (1 + math.exp(-odds)) if odds > -700 else 0.0


def logit(chance: float, edge: float) -> float:
    """Return a probability as log-odds, kept `edge` away from 0 and 1."""
    inside = min(max(chance, edge), 1 - edge)
    return math.log(inside / (1 - inside))
