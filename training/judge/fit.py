"""Fit what the judge's probabilities mean: `python -m training.judge.fit --data DIR`.

Measures labelled answers as the product does, with the judge that NLI_MODEL names, and prints
the weights of `analysis.engine.verdict.probability`, the calibration of the answer's score, and
for a row of thresholds how many right and wrong answers each would flag. Rows must have trained
nothing: of the public sets the spare rows of the tune half are taken, of `--set` files all rows.
"""

import argparse
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import django
import numpy as np
from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]
from tqdm import tqdm

from analysis.engine.evidence.records import as_text
from analysis.engine.measurement import measure
from analysis.engine.signal_types import Measurement, VerifierSignal
from analysis.engine.types import Claim, Source, Submission
from analysis.engine.verdict.answer_score import of_record, together
from analysis.engine.verdict.fusion_model import features_of, logistic
from analysis.engine.verdict.probability import (
    JudgeParts,
    JudgeWeights,
    judge_log_odds,
    judge_parts,
)
from scoring.split import split_of
from training.answers import trains
from training.judge.data import read_rows
from training.judge.measure import SETS

THRESHOLDS = (0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9)
Row = Mapping[str, Any]
Pair = tuple[Claim, VerifierSignal]


@dataclass(frozen=True)
class Answer:
    """A labelled answer as the product measured it; `kind` is the set that it comes from."""

    kind: str
    row: Row
    measurement: Measurement

    @property
    def pairs(self) -> list[Pair]:
        """The claims that the judge read, with their signals."""
        both = zip(self.measurement.claims, self.measurement.signals, strict=True)
        return [(c, s) for c, s in both if s.checkable and s.judgement and features_of(s)]

    def label_of(self, claim: Claim) -> int | None:
        """Whether the claim is unsupported (1); None where nobody marked which one is."""
        spans = self.row.get("spans") or []
        if self.row["label"] == 0:
            return 0
        if len(self.pairs) == 1:
            return 1
        if not spans:
            return None
        return int(any(start < claim.end and claim.start < end for start, end, *_ in spans))


def measure_set(kind: str, rows: Sequence[Row], judge: Any) -> Iterator[Answer]:
    """The answers of one set, measured."""
    for row in tqdm(rows, desc=kind):
        parts = [part if isinstance(part, str) else as_text(part) for part in row["context"]]
        sources = tuple(Source(f"s{at}", text) for at, text in enumerate(parts, start=1))
        submission = Submission(row["response"], row["query"] or "", sources)
        yield Answer(kind, row, measure(submission, judge=judge))


def inputs_of(signal: VerifierSignal) -> JudgeParts:
    """What the fit sees of a claim."""
    parts = judge_parts(signal)
    if parts is None:
        raise ValueError("the claim was not judged")
    return parts


def fit(answers: Sequence[Answer]) -> JudgeWeights:
    """Logistic regression over labelled claims; each set and either label weighs the same."""
    rows = [
        (inputs_of(signal), label, (answer.kind, label))
        for answer in answers
        for claim, signal in answer.pairs
        if (label := answer.label_of(claim)) is not None
    ]
    counts = Counter(group for _, _, group in rows)
    weights = np.array([1 / counts[group] for _, _, group in rows])
    model = LogisticRegression(C=1.0, max_iter=5000)
    labels = [label for _, label, _ in rows]
    model.fit([x for x, _, _ in rows], labels, sample_weight=weights / weights.mean())
    parts = (model.intercept_[0], *model.coef_[0])
    return JudgeWeights(*(round(float(part), 2) for part in parts))


def odds_of(answer: Answer, weights: JudgeWeights) -> float | None:
    """The log-odds of the answer's worst claims together; None where no claim was judged."""
    scores = [logistic(judge_log_odds(inputs_of(s), weights)) for _, s in answer.pairs]
    if not scores:
        return None
    share = min(max(together(sorted(scores, reverse=True)), 0.01), 0.99)
    return math.log(share / (1 - share))


def calibration(answers: Sequence[Answer], weights: JudgeWeights) -> tuple[float, float, float]:
    """Bias, factor of the worst claims, and what is added for an answer about records."""
    rows = []
    for answer in answers:
        odds = odds_of(answer, weights)
        if odds is not None:
            record = float(of_record([signal for _, signal in answer.pairs]))
            rows.append(((odds, record), int(answer.row["label"]), answer.kind))
    counts = Counter((kind, label) for _, label, kind in rows)
    share = np.array([1 / counts[kind, label] for _, label, kind in rows])
    model = LogisticRegression(C=1.0, max_iter=5000)
    labels = [label for _, label, _ in rows]
    model.fit([x for x, _, _ in rows], labels, sample_weight=share / share.mean())
    worst, record = (round(float(factor), 2) for factor in model.coef_[0])
    return round(float(model.intercept_[0]), 2), worst, record


def flagged(answers: Sequence[Answer], weights: JudgeWeights, threshold: float) -> str:
    """Shares of right and of wrong answers with a claim from the threshold on, mean of the sets."""
    shares: dict[int, list[float]] = {0: [], 1: []}
    for kind in dict.fromkeys(answer.kind for answer in answers):
        for label in (0, 1):
            rows = [a for a in answers if a.kind == kind and a.row["label"] == label]
            hits = [_reaches(answer, weights, threshold) for answer in rows]
            if hits:
                shares[label].append(sum(hits) / len(hits))
    right, wrong = (sum(each) / len(each) for each in (shares[0], shares[1]))
    return f"from {threshold}: right ones flagged {right:.3f}, wrong ones {wrong:.3f}"


def _reaches(answer: Answer, weights: JudgeWeights, threshold: float) -> bool:
    odds = (judge_log_odds(inputs_of(signal), weights) for _, signal in answer.pairs)
    return any(logistic(each) >= threshold for each in odds)


def main() -> None:
    """Measure, fit and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--set", type=Path, action="append", default=[], help="further rows")
    parser.add_argument("--most", type=int, default=60, help="rows of a public set")
    options = parser.parse_args()
    django.setup()
    from analysis.judge import own_judge  # noqa: PLC0415 - settings first

    judge = own_judge()
    rows = {path.stem: list(read_rows(path)) for path in options.set}
    for name in SETS:
        path = options.data / "grounding" / f"{name}.jsonl"
        spare = [r for r in read_rows(path) if split_of(r) == "tune" and not trains(r)]
        rows[name] = spare[: options.most]
    answers = [answer for name, row in rows.items() for answer in measure_set(name, row, judge)]
    weights = fit(answers)
    print(weights)
    print("calibration", calibration(answers, weights))
    for threshold in THRESHOLDS:
        print(flagged(answers, weights, threshold))


if __name__ == "__main__":
    main()
