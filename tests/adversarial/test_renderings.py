"""However a statement is rendered, a right one is allowed and a wrong one is not."""

import pytest

from analysis.engine import Action, Source, Submission, decide, measure
from tests.adversarial.facts import FACTS
from tests.adversarial.renderings import CHARACTERS, MARKUP, NUMBERS, OPENINGS, QUESTIONS, Form

FORMS = CHARACTERS | MARKUP | OPENINGS | QUESTIONS
WITH_FIGURES = [fact for fact in FACTS if any(char.isdigit() for char in fact.wrong)]
LEAST_INPUTS = 150


def action_of(answer: str, *sources: str) -> Action:
    given = tuple(Source(f"s{at}", text) for at, text in enumerate(sources, start=1))
    return decide(answer, measure(Submission(answer, sources=given))).action


def written(form: Form, statement: str) -> str:
    text = form(statement)
    return text if text.endswith((".", "?", "!", "}", "`", ">", "$")) else f"{text}."


@pytest.mark.parametrize("name", FORMS)
def test_a_wrong_statement_is_not_allowed(name: str) -> None:
    answers = [(fact, written(FORMS[name], fact.wrong)) for fact in WITH_FIGURES]
    passed = [text for fact, text in answers if action_of(text, fact.source) is Action.ALLOW]
    assert passed == []


@pytest.mark.parametrize("name", FORMS)
def test_a_right_statement_is_allowed(name: str) -> None:
    answers = [(fact, written(FORMS[name], fact.right)) for fact in WITH_FIGURES]
    actions = [(str(action_of(text, fact.source)), text) for fact, text in answers]
    assert [item for item in actions if item[0] != "ALLOW"] == []


@pytest.mark.parametrize(("source", "right", "wrong"), NUMBERS)
def test_numbers_in_other_forms_are_compared_by_value(source: str, right: str, wrong: str) -> None:
    assert action_of(right, source) is Action.ALLOW
    assert action_of(wrong, source) is not Action.ALLOW


def test_there_are_enough_inputs() -> None:
    assert len(FORMS) * len(WITH_FIGURES) >= LEAST_INPUTS


@pytest.mark.parametrize("answer", ["The tower is 300 m high.", "The tower is 500 m high."])
def test_a_source_that_contradicts_itself_settles_nothing(answer: str) -> None:
    assert action_of(answer, "The tower is 300 m high. The tower is 500 m high.") is Action.WARN


@pytest.mark.parametrize(
    "source",
    [
        "The adult ticket is new. It costs 5 euros. The child ticket is old. It costs 3 euros.",
        "Basic plan\nThe limit is 5 GB.\nPro plan\nThe limit is 3 GB.",
        "The fee was 5 euros in 2019. The fee was 3 euros in 2020.",
        "Room 2 seats 5 guests. Room 4 seats 3 guests.",
    ],
)
def test_the_same_words_about_another_thing_are_no_contradiction(source: str) -> None:
    answer = next(part for part in source.replace("\n", " ").split(". ") if "5" in part)
    assert action_of(f"{answer}.", source) is not Action.BLOCK
    claims = decide(answer, measure(Submission(answer, sources=(Source("s1", source),)))).claims
    assert [claim.reason for claim in claims if "conflicting" in str(claim.reason)] == []
