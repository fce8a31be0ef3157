"""Answers put to the engine beside texts, and a judge whose words are settled beforehand."""

from time import sleep
from typing import Any

from analysis.engine import (
    DEFAULT_RULES,
    Measurement,
    PolicyRules,
    Source,
    Submission,
    decide,
    measure,
)
from analysis.engine.verdict_types import Decision
from inference.judge.types import ClaimJudgement


def sources_of(*texts: str) -> tuple[Source, ...]:
    """Return texts as the sources s1, s2 and so on."""
    return tuple(Source(f"s{at}", text) for at, text in enumerate(texts, start=1))


def measured(answer: str, *texts: str, query: str = "", **options: Any) -> Measurement:
    """Measure an answer beside texts, without a judge unless `options` name one."""
    return measure(Submission(answer, query, sources_of(*texts)), **options)


def decided(
    answer: str, *texts: str, query: str = "", rules: PolicyRules = DEFAULT_RULES, **options: Any
) -> Decision:
    """Decide on an answer beside texts."""
    return decide(answer, measured(answer, *texts, query=query, **options), rules)


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

    def predict(self, question, evidence, claims, *, before=(), seconds=None):
        self.seconds.append(seconds)
        sleep(self.takes)
        return (self.judgement,) * len(claims)
