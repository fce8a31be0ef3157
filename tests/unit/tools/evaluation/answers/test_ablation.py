"""Contributions of the rules, left out while answers of our own are measured."""

import pytest

from analysis.engine import DEFAULT_RULES, measure
from desk.scoring.rows import row_of
from tools.evaluation.answers.ablation import RULES, ablate, table, without

SHED = "The shed opens after noon."
ROWS = [
    row_of(1, {"response": SHED, "context": SHED, "label": 0}),
    row_of(2, {"response": "The shed opens before noon.", "context": SHED, "label": 1}),
]
TURNED = ROWS[1].submission


def test_a_rule_speaks_where_it_acts_and_the_outcome_without_it_differs() -> None:
    whole, results = ablate(ROWS, measure, DEFAULT_RULES)
    opposites, rows = results["opposites"], results["rows and fields"]
    assert (opposites.right, opposites.wrong) == (0, 1)
    assert (whole.rates.wrong_flagged, opposites.outcome.rates.wrong_flagged) == (1.0, 0.0)
    assert (rows.right, rows.wrong, rows.outcome) == (0, 0, whole)


def test_a_rule_is_back_after_it_was_left_out() -> None:
    before = measure(TURNED).signals[0].conflicts
    with without("opposites"):
        assert measure(TURNED).signals[0].conflicts != before
    assert measure(TURNED).signals[0].conflicts == before != ()


@pytest.mark.parametrize("rule", RULES)
def test_the_engine_measures_without_each_rule(rule) -> None:
    with without(rule):
        assert measure(TURNED).signals
    whole, results = ablate(ROWS[:1], measure, DEFAULT_RULES)
    assert f"| {rule} |" in table(whole, results)


def test_the_table_tells_the_whole_and_what_changes() -> None:
    lines = table(*ablate(ROWS, measure, DEFAULT_RULES)).splitlines()
    assert lines[2] == "| none |  |  | 1.000 | 0.0 % | 0.0 % | 100.0 % |"
    (opposites,) = (line for line in lines if line.startswith("| opposites |"))
    assert opposites.startswith("| opposites | 0 | 1 | ")
    assert opposites.endswith(" | +0.0 | +0.0 | -100.0 |")
