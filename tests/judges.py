"""A judge for tests in which what it says is settled beforehand."""

from collections.abc import Sequence
from time import sleep

from inference.judge.types import ClaimJudgement


class FixedJudge:
    """Says the same of every claim, `takes` seconds after it was asked."""

    def __init__(
        self, entail: float, neutral: float, contradict: float, *, takes: float = 0.0
    ) -> None:
        self.model_id = "fixed@1"
        self.judgement = ClaimJudgement(entail, neutral, contradict, (), (), 1.0)
        self.takes = takes
        self.seconds: list[float | None] = []
        """The seconds that it was allowed, call by call."""

    def predict(
        self,
        question: str,
        evidence: Sequence[str],
        claims: Sequence[str],
        *,
        before: Sequence[str] = (),
        seconds: float | None = None,
    ) -> tuple[ClaimJudgement, ...]:
        self.seconds.append(seconds)
        sleep(self.takes)
        return (self.judgement,) * len(claims)
