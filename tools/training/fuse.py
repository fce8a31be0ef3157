"""Fit the weights of words: `python -m tools.training.fuse DATA`.

An answer scores as its worst claim does, so the weights learn from labels of whole answers. Rows:
the tune half, without those that trained a model. Every set counts the same, however many rows it
has.
"""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

import django
import torch
from torch import Tensor
from torch.nn import functional
from tqdm import tqdm

from analysis.engine.measurement import measure
from analysis.engine.types import Source, Submission
from analysis.engine.verdict.probability import Features, WordWeights, features_of
from tools.training.answers import ALLOWED, is_spare, rows_of

STEPS = 600
SETS = tuple(name for name in ALLOWED if not name.startswith(("wice_spans", "xsumfaith")))
FEATURES = len(fields(Features))
USED = ("missing_words", "new_phrases", "by_rules", "new_figures", "new_names")
"""The features that are fitted: the other one was tried on the rows of the fit, three-fold by
source, and made the mean over the sets worse."""


def feature_rows(data: Path, name: str, most: int) -> Iterable[tuple[Tensor, int]]:
    """Yield features (claims, FEATURES) and the label of each row of a set that may fit."""
    rows = [row for row in rows_of(data / "grounding", name) if is_spare(row)]
    for row in tqdm(rows[:most], desc=name):
        features = _features(row)
        if features:
            yield torch.tensor(features), int(row["label"])


def _features(row: Mapping[str, Any]) -> list[tuple[float, ...]]:
    sources = tuple(Source(f"s{at}", text) for at, text in enumerate(row["context"], start=1))
    signals = measure(Submission(row["response"], row["query"], sources)).signals
    return [
        astuple(features)
        for signal in signals
        if signal.checkable and (features := features_of(signal))
    ]


def combined(scores: Tensor) -> Tensor:
    """Return the answers' scores from their claims' (answers, claims): the worst decides."""
    return scores.amax(dim=-1)


@dataclass(frozen=True, slots=True)
class Answers:
    """One set: features (answers, claims, FEATURES), which claims are there, labels (answers,)."""

    features: Tensor
    there: Tensor
    labels: Tensor

    def balance(self) -> Tensor:
        """Return weights that give each label half: the shipped share is that of no one set."""
        share = self.labels.mean()
        return torch.where(self.labels > 0, 0.5 / share, 0.5 / (1 - share))


def stacked(rows: Sequence[tuple[Tensor, int]]) -> Answers:
    """Return the rows padded to one width (two at least)."""
    width = max(2, *(len(x) for x, _ in rows))
    features, there = torch.zeros(len(rows), width, FEATURES), torch.zeros(len(rows), width)
    for at, (answer, _) in enumerate(rows):
        features[at, : len(answer)], there[at, : len(answer)] = answer, 1
    return Answers(features, there, torch.tensor([float(label) for _, label in rows]))


def fit(sets: Sequence[Answers]) -> WordWeights:
    """Return the word weights that make the labels likeliest.

    No feature may vouch for an answer.
    """
    raw = torch.full((FEATURES,), 0.5, requires_grad=True)
    bias = torch.tensor(-2.0, requires_grad=True)
    optimizer = torch.optim.Adam([raw, bias], lr=0.05)
    mask = torch.tensor([float(item.name in USED) for item in fields(Features)])
    for _ in tqdm(range(STEPS), desc="fit"):
        weights = functional.softplus(raw) * mask
        losses = [_loss(answers, weights, bias) for answers in sets]
        optimizer.zero_grad()
        torch.stack(losses).mean().backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    fitted = (functional.softplus(raw) * mask).tolist()
    return WordWeights(round(bias.item(), 3), *(round(value, 3) for value in fitted))


def scores(answers: Answers, weights: Tensor, bias: Tensor | float) -> Tensor:
    """Return the chance (answers,) that an answer is not supported."""
    return combined(torch.sigmoid(answers.features @ weights + bias) * answers.there)


def _loss(answers: Answers, weights: Tensor, bias: Tensor | float) -> Tensor:
    predictions = scores(answers, weights, bias).clamp(1e-5, 1 - 1e-5)
    return functional.binary_cross_entropy(predictions, answers.labels, answers.balance())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--most", type=int, default=150, help="rows of a set")
    options = parser.parse_args()
    django.setup()
    sets = {name: list(feature_rows(options.data, name, options.most)) for name in SETS}
    print({name: len(rows) for name, rows in sets.items()})
    print(fit([stacked(rows) for rows in sets.values()]))


if __name__ == "__main__":
    main()
