"""What a reply of a word says, by the question that it answers."""

import pytest

from analysis.engine import Action, decide, measure
from analysis.engine.claims.replies import joins, statement_of
from analysis.engine.signal_types import Conflict
from analysis.engine.types import Source, Submission

BOTH = "Do both Juniper and Indigofera belong to the family Cupressaceae?"
PLANTS = (
    "Juniper belongs to the family Cupressaceae.",
    "Indigofera belongs to the family Fabaceae; both families are large.",
)


def _check(query: str, answer: str, *texts: str) -> tuple[Action, tuple[Conflict, ...]]:
    sources = tuple(Source(f"s{at}", text) for at, text in enumerate(texts, start=1))
    measurement = measure(Submission(answer, query, sources))
    return decide(answer, measurement).action, measurement.signals[0].conflicts


def test_a_question_is_put_into_the_order_of_a_statement() -> None:
    assert statement_of("Is the pool open in May?", denied=False) == "the pool is open in May"
    assert statement_of("When does it open?", denied=False) == ""


@pytest.mark.parametrize(
    ("question", "several"),
    [
        (BOTH, True),
        ("Are Manettia and Fragaria edible?", True),
        ("Is it open on Monday or Tuesday?", True),
        ("Is the pool open in May?", False),
    ],
)
def test_a_question_of_several_things_is_known(question: str, several: bool) -> None:
    assert joins(question) is several


def test_no_to_a_question_of_several_things_is_contradicted_by_no_single_passage() -> None:
    """The words of the question stand in the sources, which say it of one of them alone."""
    assert _check(BOTH, "No.", *PLANTS)[1] == ()


def test_no_to_a_question_of_one_thing_is_contradicted() -> None:
    action, conflicts = _check("Is the pool open in May?", "No.", "The pool is open in May.")
    assert action is Action.BLOCK
    assert conflicts
