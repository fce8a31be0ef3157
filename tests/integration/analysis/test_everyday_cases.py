"""Forty plain answers with each judge: wrong ones are flagged, right ones pass."""

import operator
from pathlib import Path
from typing import Any

import pytest

from analysis.engine import decide, measure
from analysis.engine.types import Action, Source, Submission
from analysis.judge import missing_judge, own_judge
from inference.judge import BASE, SMALL
from inference.judge.types import Judge
from tests.adversarial.corpus import read_blocks

BLOCKS = tuple(read_blocks(Path("tests/adversarial/everyday_cases.txt")))
WRONG = [(block.source, text) for block in BLOCKS for text in block.wrong]
RIGHT = [(block.source, text) for block in BLOCKS for text in block.right]


def action(source: str, answer: str, judge: Judge) -> Action:
    submission = Submission(answer, "", (Source("s", source),))
    return decide(answer, measure(submission, judge=judge)).action


@pytest.mark.parametrize(("name", "least"), [(BASE, 33), (SMALL, 29)])
def test_judges_decide_most_cases_rightly(name: str, least: int, settings: Any) -> None:
    """Not case by case: int8 arithmetic differs a little between processors."""
    settings.NLI_MODEL = name
    if missing := missing_judge():
        pytest.skip(missing)
    judge = own_judge()
    assert judge is not None
    flagged = [action(*case, judge) is not Action.ALLOW for case in (*WRONG, *RIGHT)]
    expected = [True] * len(WRONG) + [False] * len(RIGHT)
    assert sum(map(operator.eq, flagged, expected)) >= least


def test_forty_cases() -> None:
    assert len({*WRONG, *RIGHT}) == 40
