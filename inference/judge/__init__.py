"""The judge: reads all evidence of an answer at once and judges every claim of it.

    judge = get_judge(settings.MODEL_DIR, threads=2)
    judge.predict("How long is the guarantee?", ["It runs for two years."], ["It lasts a year."])

Nothing is loaded before the first call, and no model library on import. `judge_status` says
without opening a model whether the judge was prepared. There are two: the base-size one, and a
small one that needs no download and has a fifth of the weights.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from inference.errors import ModelError
from inference.lazy import Lazy
from inference.store import DEFAULT_FOLDER, read_manifest
from lib.telemetry.attributes import EVALUATOR, model
from lib.telemetry.tracing import span

BASE, SMALL = "base", "small"
"""The values of NLI_MODEL that name a judge."""
LEXICAL = "lexical"
"""The value of NLI_MODEL without a judge: the scores by rules stand."""
FOLDERS = {BASE: "judge", SMALL: "judge-small"}
"""Where the prepared judges lie below the folder of models."""
EVIDENCE_TOKENS = 600
"""Tokens of evidence that sixteen claims choose and read together."""
CACHE_BYTES = 128 * 2**20
"""Of keys and values of windows that were read before; a window of 200 tokens has 7.5 MB."""


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


def judges_of(name: str) -> tuple[str, ...]:
    """Return the judges that work together under this name, the one without a download first."""
    return tuple(dict.fromkeys((SMALL, name)))


@dataclass(frozen=True, slots=True)
class JudgeStatus:
    """The prepared judge's `model_id`; "" if there is none, and then the `reason`."""

    model_id: str
    reason: str = ""

    @property
    def is_ready(self) -> bool:
        """True if a judge is prepared; its files are verified on loading."""
        return bool(self.model_id)


class LazyJudge:
    """A `Judge` loaded by its first call, also after a fork."""

    def __init__(self, judge: Lazy[Judge]) -> None:
        self._judge = judge

    @property
    def model_id(self) -> str:
        return self._judge.get().model_id

    def predict(
        self,
        question: str,
        evidence: Sequence[str],
        claims: Sequence[str],
        *,
        before: Sequence[str] = (),
        seconds: float | None = None,
    ) -> tuple[ClaimJudgement | None, ...]:
        judge = self._judge.get()
        with span("judge", {**model(EVALUATOR, judge.model_id), "watchdog.claims": len(claims)}):
            return judge.predict(question, evidence, claims, before=before, seconds=seconds)


_shared: dict[tuple[Path, str, int, int, int], Judge] = {}


def get_judge(
    folder: Path = DEFAULT_FOLDER,
    name: str = BASE,
    *,
    threads: int = 1,
    evidence_tokens: int = EVIDENCE_TOKENS,
    cache_bytes: int = CACHE_BYTES,
) -> Judge:
    """Return this process's judge for these settings; its members raise ModelError.

    `folder`: where prepared models are (MODEL_DIR). `name`: BASE or SMALL. `threads` work inside
    one run. Nothing is prepared here: `inference.judge.preparing.ensure_judge` does that.
    """
    if min(threads, evidence_tokens) < 1:
        raise ValueError("threads and evidence_tokens must be at least 1")
    key = (folder.resolve(), name, threads, evidence_tokens, cache_bytes)
    # No lock that a fork could leave taken: two threads may both make one, and get the first.
    return _shared.get(key) or _shared.setdefault(key, LazyJudge(Lazy(partial(_load, *key))))


def _load(folder: Path, name: str, threads: int, evidence_tokens: int, cache_bytes: int) -> Judge:
    from inference.judge.onnx_judge import load  # noqa: PLC0415 - models come with the first use

    return load(
        folder / FOLDERS[name],
        threads=threads,
        evidence_tokens=evidence_tokens,
        cache_bytes=cache_bytes,
    )


def judge_status(folder: Path = DEFAULT_FOLDER, name: str = BASE) -> JudgeStatus:
    """Return whether the judge `name` is prepared below `folder`; reads only its manifest."""
    try:
        return JudgeStatus(read_manifest(folder / FOLDERS[name]).model_id)
    except ModelError as error:
        return JudgeStatus("", error.problem)
