"""One-word replies, read by the question that they answer."""

import pytest

from analysis.engine import Action, decide
from analysis.engine.claims.replies import is_reply, joins, says_no, statement_of
from analysis.engine.signal_types import Conflict
from lib.text.tokens import tokenize
from tests.answers import measured
from tests.tables import tables

TABLES = tables(__file__)

BOTH = "Do both Juniper and Indigofera belong to the family Cupressaceae?"
PLANTS = (
    "Juniper belongs to the family Cupressaceae.",
    "Indigofera belongs to the family Fabaceae; both families are large.",
)


def _check(query: str, answer: str, *texts: str) -> tuple[Action, tuple[Conflict, ...]]:
    measurement = measured(answer, *texts, query=query)
    return decide(answer, measurement).action, measurement.signals[0].conflicts


def test_a_question_is_put_into_the_order_of_a_statement() -> None:
    assert statement_of("Is the pool open in May?", denied=False) == "the pool is open in May"
    assert statement_of("When does it open?", denied=False) == ""
    ramp = "Does the annex have ramp access?"
    assert statement_of(ramp, denied=True) == "the annex does not have ramp access"


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


@pytest.mark.parametrize(
    ("question", "statement", "denial"), TABLES["what is asked outright is the statement"]
)
def test_what_is_asked_outright_is_the_statement(
    question: str, statement: str, denial: str
) -> None:
    assert statement_of(question, denied=False) == statement
    assert statement_of(question, denied=True) == denial


@pytest.mark.parametrize(
    ("question", "denial"),
    [
        ("The tool is out. Can I extend?", "I can not extend, if the tool is out"),
        ("Hello there! Is it open?", "it is not open"),
        ("We are six – may we use room 2?", "we may not use room 2, if we are six"),
        ("When it rains, is the fair held?", "the fair is not held, When it rains"),
        ("Ms. Berg signed it. Is that right?", "it is not true that Ms. Berg signed it."),
        ("Is?", ""),
        ("", ""),
    ],
)
def test_what_a_question_tells_before_it_asks_is_a_condition(question: str, denial: str) -> None:
    assert statement_of(question, denied=True) == denial


@pytest.mark.parametrize("question", ["Could you open it?", "Are you sure?", "Why is it heated?"])
def test_a_favour_and_a_doubt_ask_for_no_statement(question: str) -> None:
    assert statement_of(question, denied=False) == ""


@pytest.mark.parametrize(
    "answer", ["By all means.", "OK", "💯", "Answer: yes", "y/n: y", "Agreed."]
)
def test_an_assent_of_any_wording_is_a_yes(answer: str) -> None:
    tokens = tokenize(answer)
    assert is_reply(tokens, 0, len(tokens))
    assert not says_no(tokens, 0, len(tokens))
    source = "The pool is not heated in May."
    assert _check("Is the pool heated in May?", answer, source)[0] is not Action.ALLOW


@pytest.mark.parametrize("answer", ["Not at all.", "By no means.", "Far from it.", "Nope", "👎"])
def test_a_denial_of_any_wording_is_a_no(answer: str) -> None:
    tokens = tokenize(answer)
    assert is_reply(tokens, 0, len(tokens))
    assert says_no(tokens, 0, len(tokens))


@pytest.mark.parametrize("answer", ["Bingo", "[x]", "B", "Not no.", "As I said above.", "V2F0ZXI="])
def test_an_answer_that_says_nothing_is_not_allowed(answer: str) -> None:
    assert _check("When does the pool open?", answer, "The pool opens at 7.")[0] is not Action.ALLOW


@pytest.mark.parametrize(
    ("answer", "action"), TABLES["courtesies answer no question and a refusal need not"]
)
def test_courtesies_answer_no_question_and_a_refusal_need_not(answer: str, action: str) -> None:
    measured = _check_claims("When does the pool open?", answer, "The pool opens at 7.")
    assert measured == ((), action)


def test_courtesies_beside_an_answer_are_no_claims() -> None:
    answer = (
        "I know that queues can be annoying. The pool opens at 7. Don't hesitate to ask! "
        "Hope that's useful. If in doubt, ask the lifeguard."
    )
    claims, _ = _check_claims("When does the pool open?", answer, "The pool opens at 7.")
    assert claims == ("The pool opens at 7",)


def test_an_order_and_what_is_known_are_claims() -> None:
    answer = "We know that the pool opens at 7. Always ask for a towel. Always check the lock."
    claims, _ = _check_claims("When does the pool open?", answer, "The pool opens at 7.")
    assert claims == ("the pool opens at 7", "Always ask for a towel", "Always check the lock")


@pytest.mark.parametrize(
    "answer", ["Shall I book you in for 9 hours?", "Let me know if you need help with the 9 hours."]
)
def test_a_figure_in_a_courtesy_is_a_claim(answer: str) -> None:
    claims, action = _check_claims("How long is it open?", answer, "The pool is open 5 hours.")
    assert claims == (answer.rstrip(".?"),)
    assert action is not Action.ALLOW


def _check_claims(query: str, answer: str, text: str) -> tuple[tuple[str, ...], Action]:
    measurement = measured(answer, text, query=query)
    claims = tuple(claim.text for claim in measurement.claims)
    return claims, decide(answer, measurement).action
