"""Print the weights by which the words of a claim become one score, and what each is worth."""

from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand

from analysis.engine.verdict.words_model import WEIGHTS, WordWeights, logistic

_ROW = "{:<16}{:>10}{:>14}"


class Command(BaseCommand):
    help = "Print the weights by which the comparison of words becomes a score."

    def handle(self, *args: Any, **options: Any) -> None:
        """A line for each feature."""
        self.stdout.write(table(WEIGHTS))


def table(weights: WordWeights) -> str:
    """A line for each feature: its weight, and the score of a claim where it alone is 1."""
    lines = [_ROW.format("feature", "weight", "score alone")]
    for name, weight in asdict(weights).items():
        alone = weights.bias if name == "bias" else weights.bias + weight
        lines.append(_ROW.format(name, f"{weight:+.3f}", f"{logistic(alone):.2f}"))
    return "\n".join(lines)
