"""Contributions of the parts of the verdict, on measurements of our own."""

import pytest

from analysis.engine import DEFAULT_RULES, measure
from analysis.engine.types import ConflictKind, Source, Submission
from tools.evaluation.answers.ablation import PARTS, WHOLE, LabelledMeasurement, ablate, table

SHED = "The shed is open on Mondays. The shed holds 14 bicycles."


def labelled(answer: str, *, is_wrong: bool) -> LabelledMeasurement:
    measurement = measure(Submission(answer, "", (Source("shed", SHED),)))
    return LabelledMeasurement(answer, measurement, is_wrong)


ROWS = [
    labelled("The shed is open on Mondays.", is_wrong=False),
    labelled("The shed holds 14 bicycles.", is_wrong=False),
    labelled("The shed holds 40 bicycles.", is_wrong=True),
]


def test_a_part_that_alone_catches_a_wrong_answer_is_missed_when_left_out() -> None:
    outcomes = ablate(ROWS, DEFAULT_RULES)
    assert (outcomes[WHOLE].auroc, outcomes[WHOLE].right_flagged) == (1.0, 0.0)
    (against,) = ROWS[2].measurement.signals[0].conflicts
    assert (against.kind, against.certain) == (ConflictKind.NUMBER, True)
    without = PARTS["conflicts: number"](ROWS[2].measurement).signals[0]
    assert (without.conflicts, without.lexical.contradict) == ((), 0.0)
    assert without.nli == without.lexical


def test_a_part_that_did_not_act_changes_nothing() -> None:
    outcomes = ablate(ROWS, DEFAULT_RULES)
    for name in ("injection scan", "conflicts: name", "claims copied word for word"):
        assert outcomes[name] == outcomes[WHOLE]


@pytest.mark.parametrize("name", PARTS)
def test_every_part_can_be_left_out_and_stands_in_the_table(name: str) -> None:
    outcomes = ablate(ROWS, DEFAULT_RULES)
    assert sum(line.startswith(f"| {name} |") for line in table(outcomes).splitlines()) == 1
