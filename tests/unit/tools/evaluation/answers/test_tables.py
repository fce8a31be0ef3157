"""Shares and ranking by what an answer was written to show."""

from lib.stats.bootstrap import Interval
from tests.unit.desk.scoring.scored import scored
from tools.evaluation.answers.report import phenomena_of

ROWS = [
    scored(False, 0.1, phenomenon="paraphrase", source="a"),
    scored(False, 0.6, phenomenon="paraphrase", source="b", flagged=True),
    scored(False, 0.2, phenomenon="role-swap", source="b"),
    scored(True, 0.7, phenomenon="role-swap", source="a", flagged=True, blocked=True),
    scored(True, 0.5, phenomenon="role-swap", source="b", flagged=True),
    scored(True, 0.05, phenomenon="bound", source="a"),
    scored(True, 0.9, source="a"),
]


def test_right_and_wrong_answers_of_a_phenomenon_are_apart() -> None:
    names = [(item.name, item.wrong, item.rows) for item in phenomena_of(ROWS, 20)]
    assert names == [
        *(("paraphrase", False, 2), ("role-swap", False, 1)),
        *(("role-swap", True, 2), ("bound", True, 1)),
    ]


def test_shares_and_ranking_against_all_right_answers() -> None:
    paraphrase, _, swap, bound = phenomena_of(ROWS, 20)
    assert (paraphrase.flagged, paraphrase.blocked, paraphrase.score) == (0.5, 0.0, None)
    assert (swap.flagged, swap.blocked) == (1.0, 0.5)
    # 0.7 is above all three right ones, 0.5 above two of them.
    assert swap.score.value == 5 / 6
    assert isinstance(bound.score, Interval)
    assert bound.score.value == 0.0


def test_a_set_that_names_none_has_none() -> None:
    assert phenomena_of([scored(True, 0.9)], 20) == []
