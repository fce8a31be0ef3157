"""Two judges that decide together: the weighted mean of their judgements of each claim."""

import math
import time
from collections.abc import Sequence
from dataclasses import replace

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
        self.thorough, self.quick, self._share = thorough, quick, share

    @property
    def model_id(self) -> str:
        return f"{self.thorough.model_id}, {self.quick.model_id}"

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
        quick = self.quick.predict(question, evidence, claims, before=before, seconds=seconds)
        left = None if seconds is None else max(0.0, deadline - time.monotonic())
        shared = claims[:MOST_CLAIMS]
        thorough = self.thorough.predict(
            question, evidence, shared, before=before[:MOST_CLAIMS], seconds=left
        )
        name = self.quick.model_id.partition("@")[0]
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
    logs = [(1 - share) * a + share * b for a, b in zip(_logs(one), _logs(other), strict=True)]
    powers = [math.exp(log - max(logs)) for log in logs]
    entail, neutral, contradict = (power / math.fsum(powers) for power in powers)
    return replace(one, entail=entail, neutral=neutral, contradict=contradict)


def _logs(judgement: ClaimJudgement) -> list[float]:
    labels = (judgement.entail, judgement.neutral, judgement.contradict)
    return [math.log(max(label, _SMALLEST)) for label in labels]
