"""Fit the relevance scale of the safety checks: `python -m tools.training.relevance DATA`.

Each question with its own context against that of another question of the same set. Prints slope
and bias of the logistic functions in `analysis.engine.signals.relevance`, and what they misjudge.
Rows: the tune half.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import django
import torch

from analysis.engine.evidence.corpus import build
from analysis.engine.signals.relevance import Logistic, shares, terms_asked
from analysis.engine.types import Source
from desk.scoring.split import split_of
from tools.training.answers import rows_of

SETS = ("ragtruth.train_part", "halueval_qa.dev", "expertqa.val")
APART = 7
"""How far along the other question stands, whose context is the wrong one."""
STEPS, RATE, DECAY = 1_500, 0.05, 1e-4
CHUNK, OVERLAP, MOST = 500, 80, 12


@dataclass(frozen=True, slots=True)
class Pair:
    """A question and a context: share of words, cosine, whether they belong together."""

    words: float
    cosine: float
    own: bool


def pairs(data: Path, name: str, most: int) -> Iterator[Pair]:
    """Every source of a question, and every one of another question."""
    from analysis.check_embedder import CheckEmbedder  # noqa: PLC0415 - settings first

    embedder, sources_of = CheckEmbedder(), dict[str, list[str]]()
    for row in rows_of(data / "grounding", name):
        if row["query"] and row["task"] == "qa" and split_of(row) == "tune":
            sources_of.setdefault(row["query"], row["context"][:4])
    questions = list(sources_of.items())[:most]
    for at, (query, own) in enumerate(questions):
        other = questions[(at + APART) % len(questions)][1]
        for texts, belongs in ((own, True), (other, False)):
            for text in texts:
                (share,) = shares(terms_asked(query), build((Source("s", text),)))
                yield Pair(share, _cosine(embedder, query, text), belongs)


def _cosine(embedder: object, query: str, text: str) -> float:
    starts = range(0, max(1, len(text) - OVERLAP), CHUNK - OVERLAP)
    chunks = [text[at : at + CHUNK] for at in starts][:MOST]
    vectors = embedder.embed([query, *chunks])  # type: ignore[attr-defined]
    return float(max(vectors[1:] @ vectors[0]))


def fit(sets: list[list[tuple[float, bool]]]) -> Logistic:
    """The most likely logistic function, every set counting the same."""
    slope, bias = torch.tensor(5.0, requires_grad=True), torch.tensor(-1.0, requires_grad=True)
    optimizer = torch.optim.Adam([slope, bias], lr=RATE)
    for _ in range(STEPS):
        losses = [
            torch.nn.functional.binary_cross_entropy_with_logits(
                slope * torch.tensor([value for value, _ in values]) + bias,
                torch.tensor([float(own) for _, own in values]),
            )
            for values in sets
        ]
        optimizer.zero_grad()
        (torch.stack(losses).mean() + DECAY * slope**2).backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    return Logistic(round(slope.item(), 2), round(bias.item(), 2))


def misjudged(values: list[tuple[float, bool]], scale: Logistic, at: float) -> tuple[float, float]:
    """Shares of own pairs below the threshold and of wrong ones at or above it."""
    own = [scale(value) < at for value, belongs in values if belongs]
    wrong = [scale(value) >= at for value, belongs in values if not belongs]
    return sum(own) / len(own), sum(wrong) / len(wrong)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--most", type=int, default=80, help="questions of a set")
    options = parser.parse_args()
    django.setup()
    sets = {name: list(pairs(options.data, name, options.most)) for name in SETS}
    for kind in ("words", "cosine"):
        values_of = {name: [(getattr(p, kind), p.own) for p in each] for name, each in sets.items()}
        scale = fit(list(values_of.values()))
        print(kind, scale)
        for name, values in values_of.items():
            misjudgements = {at: misjudged(values, scale, at) for at in (0.3, 0.6)}
            print(f"  {name} n={len(values)}", *(
                f"own below {at}: {a:.3f}, wrong from {at} on: {b:.3f}"
                for at, (a, b) in misjudgements.items()
            ))  # fmt: skip


if __name__ == "__main__":
    main()
