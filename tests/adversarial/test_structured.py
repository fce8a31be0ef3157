"""A right answer that is data is allowed, whatever its form; a wrong value never is."""

import pytest

from analysis.engine import Action, Source, Submission, decide, measure
from tests.adversarial.structured import StructuredCase, cases

CASES = tuple(cases())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_each_value_is_held_against_what_the_source_says_of_the_same_thing(
    case: StructuredCase,
) -> None:
    submission = Submission(case.answer, sources=(Source("s1", case.source),))
    action = decide(case.answer, measure(submission)).action
    assert (action is Action.ALLOW) is case.right


def test_there_are_as_many_right_answers_as_forms_and_more_wrong_ones() -> None:
    right = sum(case.right for case in CASES)
    assert right >= 90
    assert len(CASES) - right >= 150
