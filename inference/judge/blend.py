"""Two judges that decide together: the mean of what they say of each claim."""

import math
import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from inference.judge.types import ClaimJudgement, Judge

_SMALLEST = 1e-6


class Blend:
    """A `Judge` whose labels are the weighted geometric mean of two judges' labels.

    Models that were trained apart err apart. The quick judge reads first. Words and windows are
    the thorough one's; what it had no time for, the quick one judges alone and by its name.
    """

    def __init__(self, thorough: Judge, quick: Judge, share: float) -> None:
        """`share` (0-1) is the quick judge's weight."""
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
        thorough = self._thorough.predict(question, evidence, claims, before=before, seconds=left)
        return tuple(map(self._together, thorough, quick))

    def _together(
        self, thorough: ClaimJudgement | None, quick: ClaimJudgement | None
    ) -> ClaimJudgement | None:
        if quick is None:
            return thorough
        if thorough is None:
            return replace(quick, judge=self._quick.model_id.partition("@")[0])
        logs = (1 - self._share) * _logs(thorough) + self._share * _logs(quick)
        powers = np.exp(logs - logs.max())
        entail, neutral, contradict = map(float, powers / powers.sum())
        return replace(thorough, entail=entail, neutral=neutral, contradict=contradict)


def _logs(judgement: ClaimJudgement) -> NDArray[np.float64]:
    labels = (judgement.entail, judgement.neutral, judgement.contradict)
    return np.log(np.maximum(labels, _SMALLEST))
