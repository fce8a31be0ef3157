"""The judge: reads all evidence of an answer at once and judges every claim of it.

    judge = get_judge(settings.MODEL_DIR, threads=2)
    judge.predict("How long is the guarantee?", ["It runs for two years."], ["It lasts a year."])

Nothing is loaded before the first call, and no model library on import. `judge_status` says
without opening a model whether the judge was prepared. There are two: the base-size one, and a
small one that needs no download and has a fifth of the weights. A third of the base one's size was
trained for another task: what it calls entailed answers the question.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from inference.errors import ModelError
from inference.judge.types import CACHE_BYTES, EVIDENCE_TOKENS, ClaimJudgement, Judge
from inference.store import DEFAULT_FOLDER, read_manifest
from lib.lazy import Lazy
from lib.telemetry.attributes import EVALUATOR, model
from lib.telemetry.tracing import span

BASE, SMALL = "base", "small"
ANSWERS = "answers"
"""The judge of answers: without evidence, `entail` is the probability that a sentence answers the
question. It comes with the base judge."""
LEXICAL = "lexical"
"""The value of NLI_MODEL without a judge: the scores by rules stand."""
JUDGES = (BASE, SMALL)
"""Those that judge claims, as NLI_MODEL may name them."""
FOLDERS = {BASE: "judge", SMALL: "judge-small", ANSWERS: "judge-answers"}
"""Folders of the prepared judges, below the folder of models."""


def judges_of(name: str) -> tuple[str, ...]:
    """Return the judges that work together under this name, the one without a download first."""
    return tuple(dict.fromkeys((SMALL, name)))


def judge_folder(root: Path, name: str = BASE) -> Path:
    """Return the folder of a prepared judge below the folder of models."""
    return root / FOLDERS[name]


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
        return self._judge().model_id

    def predict(
        self,
        question: str,
        evidence: Sequence[str],
        claims: Sequence[str],
        *,
        before: Sequence[str] = (),
        seconds: float | None = None,
    ) -> tuple[ClaimJudgement | None, ...]:
        judge = self._judge()
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

    `folder`: where prepared models are (MODEL_DIR). `name`: BASE, SMALL or ANSWERS. `threads` work
    inside one run. Nothing is prepared here: `inference.judge.preparing.ensure_judge` does that.
    """
    if min(threads, evidence_tokens) < 1:
        raise ValueError("threads and evidence_tokens must be at least 1")
    key = (folder.resolve(), name, threads, evidence_tokens, cache_bytes)
    # No lock that a fork could leave taken: two threads may both make one, and get the first.
    return _shared.get(key) or _shared.setdefault(key, LazyJudge(Lazy(partial(_load, *key))))


def _load(folder: Path, name: str, threads: int, evidence_tokens: int, cache_bytes: int) -> Judge:
    from inference.judge.onnx_judge import load  # noqa: PLC0415 - models come with the first use

    return load(
        judge_folder(folder, name),
        threads=threads,
        evidence_tokens=evidence_tokens,
        cache_bytes=cache_bytes,
    )


def judge_status(folder: Path = DEFAULT_FOLDER, name: str = BASE) -> JudgeStatus:
    """Return whether the judge `name` is prepared below `folder`; reads only its manifest."""
    try:
        return JudgeStatus(read_manifest(judge_folder(folder, name)).model_id)
    except ModelError as error:
        return JudgeStatus("", error.problem)
