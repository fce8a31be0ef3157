"""Calibrates a judge's probability, fitted on labelled answers (Platt 1999)."""

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from inference.errors import ModelError
from inference.judge.types import ClaimJudgement, Judge
from lib.stats.odds import logistic, logit

_FOLDER = "calibration"
EDGE = 1e-4
"""A judge's own probability is clipped to this distance from 0 and 1."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """A calibration: log-odds of entailment are `bias + factor` times the judge's own.

    `claims`: how many labelled claims it was fitted on.
    """

    bias: float
    factor: float
    claims: int

    def __call__(self, entail: float) -> float:
        """Return the calibrated probability (0-1) for a judge's own probability."""
        return logistic(self.bias + self.factor * logit(entail, EDGE))


def file_of(folder: Path, name: str) -> Path:
    """Return the file of a judge's calibration below MODEL_DIR."""
    return folder / _FOLDER / f"{name.replace(':', '-').replace('/', '-')}.json"


def read_calibration(folder: Path, name: str) -> Calibration | None:
    """Return the fitted calibration, or None if there is none. Raises ModelError if damaged."""
    path = file_of(folder, name)
    try:
        return Calibration(**json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError) as error:
        remedy = f"Delete it, or run `manage.py calibrate --judge` for {name} again."
        raise ModelError(f"{path} is damaged: {error}", remedy) from error


def write_calibration(folder: Path, name: str, calibration: Calibration) -> Path:
    """Write it atomically. Raises OSError."""
    path = file_of(folder, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}.part")
    part.write_text(json.dumps(asdict(calibration)), encoding="utf-8")
    part.replace(path)
    return path


def with_calibration(judge: Judge, name: str, folder: Path) -> Judge:
    """Return the judge with its calibration below MODEL_DIR, or unchanged if it has none."""
    calibration = read_calibration(folder, name)
    return judge if calibration is None else CalibratedJudge(judge, calibration, name)


class CalibratedJudge:
    """A `Judge` with fitted probabilities for claims that the judge `name` decides.

    Neutral and contradicted keep their proportions.
    """

    def __init__(self, judge: Judge, calibration: Calibration, name: str) -> None:
        self._judge, self._calibration, self._name = judge, calibration, name

    @property
    def judge(self) -> Judge:
        """The uncalibrated judge."""
        return self._judge

    @property
    def model_id(self) -> str:
        fitted = self._calibration
        return f"{self._judge.model_id}+fitted-{fitted.bias:.3f}-{fitted.factor:.3f}"

    def predict(
        self,
        question: str,
        evidence: Sequence[str],
        claims: Sequence[str],
        *,
        before: Sequence[str] = (),
        seconds: float | None = None,
    ) -> tuple[ClaimJudgement | None, ...]:
        read = self._judge.predict(question, evidence, claims, before=before, seconds=seconds)
        whole = self._judge.model_id.partition("@")[0]
        return tuple(
            self._fitted(each) if each and (each.judge or whole) == self._name else each
            for each in read
        )

    def _fitted(self, judgement: ClaimJudgement) -> ClaimJudgement:
        entail = self._calibration(judgement.entail)
        before = judgement.neutral + judgement.contradict
        share = (1 - entail) / before if before else 0.0
        neutral = judgement.neutral * share if before else 1 - entail
        contradict = judgement.contradict * share
        return replace(judgement, entail=entail, neutral=neutral, contradict=contradict)
