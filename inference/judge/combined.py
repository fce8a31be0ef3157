"""Judges made of judges: two that decide together, and one that refers its doubts to another.

A blend is the weighted mean of two judgements of each claim. In a cascade the embedded judge reads
first, then a language model the claims that it is unsure of; where no endpoint answers in time, the
embedded judge decides and the result says so.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from inference.errors import ModelError
from inference.judge.language_model import LanguageModel, Reply
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

    def __init__(
        self, thorough: Judge, quick: Judge, share: float, answers: Judge | None = None
    ) -> None:
        """Create a blend; `share` (0-1) is the quick judge's weight.

        `answers`, a judge of answers, takes no part in it: it is there for what reads bare answers.
        """
        self.thorough, self.quick, self._share = thorough, quick, share
        self.answers = answers

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


_UNSURE = (0.1, 0.9)
"""The judge is unsure of a claim where its probability of being entailed lies between these."""

_REMEDY = "Check JUDGE_LLM_URL, JUDGE_LLM_MODEL and JUDGE_LLM_KEY."


class Ask(StrEnum):
    UNSURE = "unsure"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class ModelCost:
    """The calls to language models of this name, and whether no other judge was available.

    `calls` counts endpoints, not retries; `tokens` are as reported by the endpoints, or estimated.
    """

    name: str
    calls: int = 0
    tokens: int = 0
    left_all: bool = False


class Cascade:
    """A `Judge` made of two. `first` is None if no embedded judge is prepared.

    It counts its calls, so each check has its own.
    """

    def __init__(
        self,
        first: Judge | None,
        second: LanguageModel,
        ask: Ask = Ask.UNSURE,
        seconds_left: Callable[[], float] = lambda: math.inf,
        is_order: Callable[[str], bool] = lambda _: False,
    ) -> None:
        """Create a cascade; `seconds_left` returns the check's time for the language model.

        `is_order`: detects text that reads like an order to a model, which is given to no language
        model.
        """
        self._first, self._second, self._ask = first, second, ask
        self._seconds_left = seconds_left
        self._is_order = is_order
        self._cost = ModelCost(second.name)

    @property
    def embedded(self) -> Judge | None:
        """The judge on this machine that reads every claim first, None if there is none."""
        return self._first

    @property
    def cost(self) -> ModelCost:
        """The calls that all predictions so far made to the language models."""
        return self._cost

    @property
    def model_id(self) -> str:
        if self._first is None:
            return self._second.model_id
        name, _, version = self._first.model_id.partition("@")
        return f"{name}@{version}>{self._second.model_id}"

    def predict(
        self,
        question: str,
        evidence: Sequence[str],
        claims: Sequence[str],
        *,
        before: Sequence[str] = (),
        seconds: float | None = None,
    ) -> tuple[ClaimJudgement | None, ...]:
        """Predict like `Judge.predict`; claims no language model decides keep the first judgement.

        Raises ModelError if there is no first judge and no language model answers.
        """
        first: Sequence[ClaimJudgement | None] = [None] * len(claims)
        if self._first is not None:
            first = self._first.predict(question, evidence, claims, before=before, seconds=seconds)
        positions = [
            at
            for at, each in enumerate(first)
            if (each is None or self._ask is Ask.ALL or _UNSURE[0] < each.entail < _UNSURE[1])
            and not self._is_order(claims[at])
        ]
        if not positions:
            return tuple(first)
        reply = self._second.label(
            self._data(question),
            evidence,
            [claims[at] for at in positions],
            [self._data(before[at]) for at in positions] if before else (),
            self._seconds_left(),
        )
        left_all = bool(reply.problem) and self._first is None
        self._cost = replace(
            self._cost,
            calls=self._cost.calls + reply.calls,
            tokens=self._cost.tokens + reply.tokens,
            left_all=left_all,
        )
        if left_all:
            raise ModelError(f"No language model judged the claims: {reply.problem}.", _REMEDY)
        return self._together(first, positions, reply)

    def _data(self, text: str) -> str:
        return "" if self._is_order(text) else text

    def _together(
        self, first: Sequence[ClaimJudgement | None], positions: Sequence[int], reply: Reply
    ) -> tuple[ClaimJudgement | None, ...]:
        judgements = list(first)
        name, missing = self._cost.name, self._cost.name if reply.problem else ""
        for at, judgement in zip(positions, reply.claims, strict=True):
            before = judgements[at]
            if judgement is not None:
                judgements[at] = replace(judgement, judge=name)
            elif before is not None:
                note = reply.problem or "it quoted nothing that stands in the sources"
                judgements[at] = replace(
                    before, note=f"{name} did not decide: {note}", missing=missing
                )
        return tuple(judgements)
