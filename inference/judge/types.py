"""What the judge says of claims, and the interface that every judge of this kind has."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

Word = tuple[int, int, float]
"""Code points [start, end) of a word in the claim, and the probability (0-1) that nothing in the
evidence supports it."""


@dataclass(frozen=True, slots=True)
class EvidenceWindow:
    """A part of one source that was read: code points [start, end) of `evidence[source]`.

    `weight`: the share (0-1) of the claim's attention to all windows that went to this one.
    """

    source: int
    start: int
    end: int
    weight: float


@dataclass(frozen=True, slots=True)
class ClaimJudgement:
    """Whether the evidence entails, leaves open or contradicts a claim: three shares of 1.

    `words`: the words of the claim that were read, in order. `windows`: what was read of the
    evidence, in the order of the sources; `coverage` is the share (0-1) of its tokens, 1 where
    all of it was read. `truncated`: the claim was longer than is read, and the judgement speaks
    of its beginning. `judge`: who decided, where that is not the judge as a whole; `missing`: who
    was to decide and was not available; `note`: what there is to say of either. All "" otherwise.
    """

    entail: float
    neutral: float
    contradict: float
    words: tuple[Word, ...]
    windows: tuple[EvidenceWindow, ...]
    coverage: float
    truncated: bool = False
    judge: str = ""
    note: str = ""
    missing: str = ""


class Judge(Protocol):
    """Judges the claims of an answer against all evidence at once. Safe to share by threads."""

    @property
    def model_id(self) -> str:
        """Name, hash of the weights and quantisation; scores compare only under the same id."""

    def predict(
        self,
        question: str,
        evidence: Sequence[str],
        claims: Sequence[str],
        *,
        before: Sequence[str] = (),
        seconds: float | None = None,
    ) -> tuple[ClaimJudgement | None, ...]:
        """One judgement a claim, in order; None for a claim that was not read in time.

        `question` may be empty. `evidence`: the sources' texts, records put into sentences.
        `before`: for each claim the sentences that it leans on ("it costs ..."), "" for none; a
        judge may leave them unread.
        No run is begun after `seconds`; None sets no limit. A claim's judgement depends on the
        question, on the evidence and on which windows all the claims choose, and on nothing else.
        Raises `inference.errors.ModelError` where the model is missing or broken.
        """
