"""Two judges that decide together: the weighted mean of their judgements of each claim."""

import math
import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from inference.judge.types import ClaimJudgement, Judge

_SMALLEST = 1e-6
MOST_CLAIMS = 48
"""Claims that both judges read: about as many as the thorough one reads in the time of a check."""


class Blend:
    """A `Judge` whose labels are the weighted geometric mean of two judges' labels.

    Models trained separately make different errors. Words and windows are the thorough one's. It
    reads the first MOST_CLAIMS claims, the quick judge alone (named so) the others: who judges a
    claim depends on the answer, never on how busy the machine is. A claim that either had no time
    for is not judged.
    """

    def __init__(self, thorough: Judge, quick: Judge, share: float) -> None:
        """Create a blend; `share` (0-1) is the quick judge's weight."""
        self._thorough, self._quick, self._share = thorough, quick, share

    @property
    def model_id(self) -> str:
        return f"{self._thorough.model_id}, {self._quick.model_id}"

    def predict(
        self,
        question: str,
        evidence: Sequence[str],
        claims: Sequence[str],
        *,
        before: Sequence[str] = (),
        seconds: float | None = None,
    ) -> tuple[ClaimJudgement | None, ...]:
        deadline = math.inf if seconds is None else time.monotonic() + seconds
        quick = self._quick.predict(question, evidence, claims, before=before, seconds=seconds)
        left = None if seconds is None else max(0.0, deadline - time.monotonic())
        shared = claims[:MOST_CLAIMS]
        thorough = self._thorough.predict(
            question, evidence, shared, before=before[:MOST_CLAIMS], seconds=left
        )
        name = self._quick.model_id.partition("@")[0]
        alone = (judgement and replace(judgement, judge=name) for judgement in quick[len(shared) :])
        both = (together(*pair, self._share) for pair in zip(thorough, quick, strict=False))
        return (*both, *alone)


def together(
    one: ClaimJudgement | None, other: ClaimJudgement | None, share: float
) -> ClaimJudgement | None:
    """Return `one` with labels that are to `share` (0-1) those of the other; None without both.

    The labels' logarithms are averaged.
    """
    if one is None or other is None:
        return None
    logs = (1 - share) * _logs(one) + share * _logs(other)
    powers = np.exp(logs - logs.max())
    entail, neutral, contradict = map(float, powers / powers.sum())
    return replace(one, entail=entail, neutral=neutral, contradict=contradict)


def _logs(judgement: ClaimJudgement) -> NDArray[np.float64]:
    labels = (judgement.entail, judgement.neutral, judgement.contradict)
    return np.log(np.maximum(labels, _SMALLEST))
