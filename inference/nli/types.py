"""What an entailment model says of (window, claim) pairs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

Pair = tuple[str, str]
"""A window of evidence and a claim, in this order."""


@dataclass(frozen=True, slots=True)
class Entailment:
    """Whether a window entails, contradicts or leaves open a claim: three shares of 1.

    A two-way model knows no contradiction: its `contradict` is 0. `truncated`: the pair was longer
    than the model reads; the end of the window (of the claim, where that alone is too long) was
    left out, and the scores speak of the rest.
    """

    entail: float
    contradict: float
    neutral: float
    truncated: bool = False


class EntailmentModel(Protocol):
    """Judges pairs. Safe to share between threads.

    Every member raises `inference.errors.ModelError` where the model is missing or broken.
    """

    @property
    def model_id(self) -> str:
        """Name, hash of the weights and quantisation; scores compare only under the same id."""

    def score(self, pairs: Sequence[Pair]) -> list[Entailment]:
        """One result a pair, in order; a pair's result does not depend on the others."""
