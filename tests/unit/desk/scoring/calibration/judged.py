"""Answers of a judge that takes a claim as supported as its last word, a percentage, says."""

from typing import Any

from desk.scoring.rows import Row, row_of
from inference.judge.types import ClaimJudgement

NAME = "named:hhem:x"


class Percentages:
    """Counts how many answers it read."""

    model_id = NAME

    def __init__(self) -> None:
        self.read = 0

    def predict(self, question, evidence, claims, *, before=(), seconds=None):
        self.read += 1
        shares = [int(claim.rstrip(".").split()[-1]) / 100 for claim in claims]
        return tuple(ClaimJudgement(e, 1 - e, 0.0, (), (), 1.0) for e in shares)


def row(*percentages: int, label: int = 0, source: str = "a", **more: Any) -> Row:
    """Return an answer of one claim for each percentage, about a source of its own."""
    text = " ".join(f"The mill shows the number {each}." for each in percentages)
    context = [f"The mill of {source} has numbers on its wall."]
    return row_of(1, {"response": text, "context": context, "label": label, **more})
