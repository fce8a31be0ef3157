"""Probabilities and their log-odds (natural logarithms)."""

import math


def logistic(odds: float) -> float:
    """Return log-odds as a probability."""
    return 1 / (1 + math.exp(-odds)) if odds > -700 else 0.0


def logit(chance: float, edge: float = 0.0) -> float:
    """Return a probability as log-odds, kept `edge` away from 0 and 1."""
    inside = min(max(chance, edge), 1 - edge)
    return math.log(inside / (1 - inside))
