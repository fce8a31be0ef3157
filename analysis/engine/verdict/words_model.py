"""From what words say of a claim to the log-odds that the sources do not support it.

A logistic combination of six measured shares, few enough to read. The weights come from
`python -m tools.training.fuse`, fitted on rows that trained no model and that no report uses.
"""

import math
import operator
from dataclasses import dataclass, fields

from analysis.engine.signal_types import VerifierSignal
from analysis.engine.types import ConflictKind


@dataclass(frozen=True, slots=True)
class Features:
    """What words say against a claim, each a share of 1.

    `missing_words` are the claim's words not found together, `new_phrases` its pairs of
    neighbouring words found in no source, `by_rules` is 1 - lexical-1's support, and
    `stated_otherwise` is 1 where a field of a record says otherwise, `new_figures` and `new_names`
    are 1 where a figure or a name of the claim stands in no source.
    """

    missing_words: float
    new_phrases: float
    by_rules: float
    stated_otherwise: float = 0.0
    new_figures: float = 0.0
    new_names: float = 0.0


@dataclass(frozen=True, slots=True)
class WordWeights:
    """Weights of the features, in their order, and the bias: log-odds of being unsupported."""

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
    """The features of a claim; None where it was not compared with a source."""
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
    """1 - share; 0 for what a claim has none of."""
    return 0.0 if share is None else 1 - share


def log_odds(features: Features, weights: WordWeights = WEIGHTS) -> float:
    """The log-odds: bias and the weighed features."""
    # astuple would copy every number, at twice the cost of a whole claim.
    return float(weights.bias + sum(map(operator.mul, _of(weights), _of(features))))


def logistic(odds: float) -> float:
    """Log-odds as a chance."""
    return 1 / (1 + math.exp(-odds)) if odds > -700 else 0.0


def logit(chance: float, edge: float) -> float:
    """A chance as log-odds, kept `edge` away from 0 and 1."""
    inside = min(max(chance, edge), 1 - edge)
    return math.log(inside / (1 - inside))
