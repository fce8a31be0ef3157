"""Judges configured by an operator: a kind and a folder (or a name on the hub), as in

    named_judge("minicheck:/models/MiniCheck-RoBERTa-Large", settings.MODEL_DIR)

`minicheck`: a sequence classifier or T5 over a document and a claim (arXiv 2404.10774). `hhem`: a
T5 token classifier with the question of HHEM-2.1-open (Vectara). `lettucedetect`: a token
classifier over passages, question and answer, which marks unsupported words (arXiv 2502.17125).
`entailment`: a cross-encoder whose config names its labels.

All but the last tell support from its absence, not from contradiction. `manage.py calibrate` fits
what their numbers mean, and the thresholds of the policy, on an operator's own answers.
"""

from functools import lru_cache
from pathlib import Path

from inference.errors import ModelError
from inference.judge.calibration import with_calibration
from inference.judge.lazy_judge import LazyJudge
from inference.judge.types import Judge
from inference.lazy import Lazy

__all__ = ["KINDS", "NAMED", "name_of", "named_judge"]

KINDS = ("minicheck", "hhem", "lettucedetect", "entailment")
NAMED = "named:"
"""How the ids of these judges begin."""
_REMEDY = f"Set JUDGE_MODEL to KIND:FOLDER, KIND one of {', '.join(KINDS)}."


def name_of(setting: str) -> str:
    """Return the judge's id: kind and last part of the path. Raises ModelError for another kind."""
    kind, _, source = setting.partition(":")
    if kind not in KINDS or not source:
        raise ModelError(f"JUDGE_MODEL names no judge: {setting!r}.", _REMEDY)
    return f"{NAMED}{kind}:{Path(source).name}"


@lru_cache(maxsize=4)
def named_judge(setting: str, folder: Path, *, threads: int = 1, calibrated: bool = True) -> Judge:
    """Return this process's judge for a setting; its members raise ModelError.

    `folder` (MODEL_DIR) has its calibration, if one was fitted; without `calibrated` its raw scores
    are returned.
    """
    name_of(setting)
    return LazyJudge(Lazy(lambda: _open(setting, folder, threads, calibrated)))


def _open(setting: str, folder: Path, threads: int, calibrated: bool) -> Judge:
    kind, _, source = setting.partition(":")
    name = name_of(setting)
    judge = _load(kind, source, name, threads)
    return with_calibration(judge, name, folder) if calibrated else judge


def _load(kind: str, source: str, name: str, threads: int) -> Judge:
    from inference.judge.named import grounding, words  # noqa: PLC0415 - torch with the first use

    if kind == "lettucedetect":
        return words.WordsJudge(source, name, threads)
    return grounding.GroundingJudge(grounding.KINDS[kind](source), name, threads)
