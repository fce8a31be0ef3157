"""The fit of the fusion on answers whose truth is known."""

from dataclasses import astuple
from typing import TYPE_CHECKING

import pytest

from analysis.engine.verdict.probability import WEIGHTS, Features
from tools.training.fuse import Answers, combined, fit, scores, stacked

if TYPE_CHECKING:
    from torch import Tensor


def tensor(values: list[object]) -> "Tensor":
    import torch  # the tests' process loads it when it comes to this

    return torch.tensor(values)


def claim(**features: float) -> tuple[float, ...]:
    none = dict.fromkeys(("missing_words", "new_phrases", "by_rules"), 0.0)
    return astuple(Features(**{**none, **features}))


def answers(faulty: dict[str, float], clean: dict[str, float]) -> Answers:
    """Return ten answers of one claim each, every second at fault."""
    rows = [(tensor([claim(**(faulty if at % 2 else clean))]), at % 2) for at in range(10)]
    return stacked(rows)


def test_the_worst_claim_decides() -> None:
    assert combined(tensor([[0.4, 0.5, 0.3]])).item() == pytest.approx(0.5)


def test_rows_of_other_widths_are_padded_and_padding_counts_nothing() -> None:
    two = tensor([claim(by_rules=0.5), claim(by_rules=1.0)])
    padded = stacked([(two[:1], 0), (two, 1)])
    assert padded.there.tolist() == [[1, 0], [1, 1]]
    single, both = scores(padded, tensor([*astuple(WEIGHTS)[1:]]), 0.0).tolist()
    assert single < both


def test_what_tells_faulty_answers_gets_the_weight() -> None:
    weights = fit([answers({"by_rules": 0.9}, {"by_rules": 0.1})])
    assert weights.by_rules > 2
    assert weights.stated_otherwise == 0.0
