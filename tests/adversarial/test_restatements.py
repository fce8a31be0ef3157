"""Answers that a source states in other words, with a judge that doubts every claim.

Whatever passes here, exact equivalents bear out alone. The pairs of `aside.txt` were written before
anything was tried on them.
"""

from analysis.engine.types import Action
from tests.adversarial.test_pairs import read_pairs
from tests.answers import FixedJudge, decided

PAIRS = read_pairs("restatements")
DOUBTING = FixedJudge(0.1, 0.8, 0.1)


def passes(answer: str, source: str) -> bool:
    return decided(answer, source, judge=DOUBTING).action is Action.ALLOW


NOT_YET = {"The kayak needs a deposit."}
"""Beside "A deposit is required for the kayak": what needs what is turned round."""


def test_right_answers_pass_although_the_judge_doubts_them_but_for_those_named() -> None:
    assert {pair.right for pair in PAIRS if not passes(pair.right, pair.source)} == NOT_YET


def test_wrong_answers_stay_doubted() -> None:
    assert not [pair.wrong for pair in PAIRS if passes(pair.wrong, pair.source)]
