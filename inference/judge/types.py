"""The judgement of a claim, the interface of a judge, and how much one reads and keeps."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

EVIDENCE_TOKENS = 600
"""Tokens of evidence that sixteen claims choose and read together."""
CACHE_BYTES = 128 * 2**20
"""Cache size for keys and values of windows; a window of 200 tokens takes 7.5 MB."""
CHOSEN = ("llm:", "named:")
"""Prefixes of the judges that an operator chose instead of the embedded ones."""

Word = tuple[int, int, float]
"""Code points [start, end) of a word in the claim, and the probability (0-1) that nothing in the
evidence supports it."""


@dataclass(frozen=True, slots=True)
class EvidenceWindow:
    """A part of one source that was read: code points [start, end) of `evidence[source]`.

    `weight`: its share (0-1) of the claim's attention to all windows.
    """

    source: int
    start: int
    end: int
    weight: float


@dataclass(frozen=True, slots=True)
class ClaimJudgement:
    """The judgement of a claim: shares of entail, neutral and contradict that add up to 1.

    `words`: the words of the claim that were read, in order. `windows`: the evidence that was read,
    in the order of the sources; `coverage` is the share (0-1) of its tokens, 1 if all of it was
    read. `truncated`: the claim was too long, and only its beginning was judged. `judge`: who
    decided, if not the judge as a whole; `missing`: who should have decided and was unavailable;
    `note`: a remark on either. All "" otherwise.
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
        """The name, hash of the weights and quantisation; only scores with the same id compare."""

    def predict(
        self,
        question: str,
        evidence: Sequence[str],
        claims: Sequence[str],
        *,
        before: Sequence[str] = (),
        seconds: float | None = None,
    ) -> tuple[ClaimJudgement | None, ...]:
        """Return one judgement per claim, in order; None for a claim that was not read in time.

        `question` may be empty. `evidence`: the sources' texts, records put into sentences.
        `before`: for each claim the sentences that it depends on ("it costs ..."), "" for none; a
        judge may ignore them. No run begins after `seconds`; None sets no limit. A claim's
        judgement depends only on the question, the evidence and the windows that all claims choose.
        Raises `inference.errors.ModelError` if the model is missing or broken.
        """
