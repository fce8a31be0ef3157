"""Print the weights by which the signals of a claim become one score, and what each is worth."""

from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand

from analysis.engine.verdict.fusion_model import (
    EMBEDDED_NAME,
    EMBEDDED_WEIGHTS,
    LEXICAL_WEIGHTS,
    MODEL_WEIGHTS,
    FusionWeights,
    logistic,
)

_ROW = "{:<16}{:>10}{:>14}"


class Command(BaseCommand):
    help = "Print the weights of the fusion: how signals become the hallucination score."

    def handle(self, *args: Any, **options: Any) -> None:
        """A table each: by rules alone, with the model that comes along, with another one."""
        for title, weights in (
            ("By rules alone (lexical-1)", LEXICAL_WEIGHTS),
            (f"With the embedded model ({EMBEDDED_NAME})", EMBEDDED_WEIGHTS),
            ("With another model of entailment", MODEL_WEIGHTS),
        ):
            self.stdout.write(f"{title}\n{table(weights)}\n")


def table(weights: FusionWeights) -> str:
    """A line for each feature: its weight, and the score of a claim where it alone is 1."""
    lines = [_ROW.format("feature", "weight", "score alone")]
    for name, weight in asdict(weights).items():
        alone = weights.bias if name == "bias" else weights.bias + weight
        lines.append(_ROW.format(name, f"{weight:+.3f}", f"{logistic(alone):.2f}"))
    return "\n".join(lines)
