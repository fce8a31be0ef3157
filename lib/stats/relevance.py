"""The relevance of a passage to a question by the words that they share."""

from lib.stats.odds import logistic

_WEIGHT, _BIAS = 14.12, -3.11
"""Fitted by `python -m tools.training.relevance DATA` (docs/decisions/0606)."""


def relevance_by_words(share: float) -> float:
    """Return the probability that a passage with this share of a question's words is about it."""
    return round(logistic(_WEIGHT * share + _BIAS), 4)
