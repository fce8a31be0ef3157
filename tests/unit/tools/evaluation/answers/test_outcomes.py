"""Labelled answers as a ranking and as decisions."""

from analysis.engine import DEFAULT_RULES, measure
from desk.policies.admin.presets import Rates
from desk.scoring.rows import Row, row_of
from tools.evaluation.answers.outcomes import Outcome, outcome_of

SHED = "The shed opens after noon."
RIGHT = row_of(1, {"response": SHED, "context": SHED, "label": 0})
WRONG = row_of(2, {"response": "The shed opens before noon.", "context": SHED, "label": 1})
UNSCORED = row_of(3, {"response": SHED, "context": None, "label": 0})


def outcome(*rows: Row) -> Outcome:
    return outcome_of(rows, [measure(row.submission) for row in rows], DEFAULT_RULES)


def test_right_and_wrong_answers_have_rates_of_their_own() -> None:
    assert outcome(RIGHT, WRONG).auroc == 1.0
    assert outcome(RIGHT, WRONG).rates == Rates(0.0, 0.0, 1.0, 1.0)


def test_where_a_label_is_missing_nothing_is_ranked() -> None:
    assert outcome(RIGHT).auroc is None
    assert outcome(RIGHT).rates == Rates(0.0, 0.0, 0.0, 0.0)


def test_an_answer_without_a_score_ranks_as_the_worst() -> None:
    assert outcome(UNSCORED, WRONG).auroc == 0.0
