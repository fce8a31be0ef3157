"""Fit the calibration of the response score by rules: `python -m tools.training.calibrate DATA`.

Rows: the tune half. Each set weighs the same, and so does either label in it: the share of faulty
answers is that of no one set. That of the judge is fitted by `tools.training.judge.fit`.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import django
import numpy as np
from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]
from tqdm import tqdm

from analysis.engine.measurement import measure
from analysis.engine.types import Source, Submission
from analysis.engine.verdict.answer_score import Calibration, parts_of
from desk.scoring.split import split_of
from tools.training.answers import rows_of
from tools.training.fuse import SETS


@dataclass(frozen=True, slots=True)
class RatedAnswer:
    """One answer: what its score is made of, its label (1: not supported), its set."""

    parts: tuple[float, float]
    label: int
    name: str


def rated_answers(data: Path, name: str, most: int) -> Iterator[RatedAnswer]:
    """The answers of a set that may fit and have a score."""
    rows = [row for row in rows_of(data / "grounding", name) if split_of(row) == "tune"]
    for row in tqdm(rows[:most], desc=name):
        sources = tuple(Source(f"s{at}", text) for at, text in enumerate(row["context"], start=1))
        parts = parts_of(measure(Submission(row["response"], row["query"], sources)))
        if parts is not None:
            yield RatedAnswer(parts, int(row["label"]), name)


def fit(answers: list[RatedAnswer]) -> Calibration:
    """The factors that make the labels most likely (logistic regression, L2 with C = 1)."""
    kinds = [(answer.name, answer.label) for answer in answers]
    count = {kind: kinds.count(kind) for kind in set(kinds)}
    weights = np.array([1 / count[kind] for kind in kinds])
    model = LogisticRegression(C=1.0, max_iter=3000)
    model.fit(
        [answer.parts for answer in answers],
        [answer.label for answer in answers],
        sample_weight=weights / weights.mean(),
    )
    worst, record = (round(float(factor), 2) for factor in model.coef_[0])
    return Calibration(round(float(model.intercept_[0]), 2), worst, record)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--most", type=int, default=350, help="rows of a set")
    options = parser.parse_args()
    django.setup()
    answers = [item for name in SETS for item in rated_answers(options.data, name, options.most)]
    print(len(answers), "answers", fit(answers))


if __name__ == "__main__":
    main()
