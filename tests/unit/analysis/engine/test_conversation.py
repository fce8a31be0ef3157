"""The answer and the question of a conversation."""

import pytest

from analysis.engine.conversation import Role, Turn, last_answer, leans, tool_results, turns_of
from tests.tables import tables

TABLES = tables(__file__)

USER, ASSISTANT = Role.USER, Role.ASSISTANT


@pytest.mark.parametrize("question", TABLES["leans on earlier ones"])
def test_a_question_without_its_subject_leans_on_earlier_ones(question: str) -> None:
    assert leans(question)


@pytest.mark.parametrize("question", TABLES["stands alone"])
def test_a_question_that_names_its_subject_stands_alone(question: str) -> None:
    assert not leans(question)


def test_the_last_answer_has_the_question_before_it() -> None:
    turns = [
        Turn(Role.SYSTEM, "Be brief."),
        Turn(USER, "What does a ticket cost?"),
        Turn(ASSISTANT, "9 euros."),
        Turn(USER, "Is the castle open on Mondays?"),
        Turn(ASSISTANT, "No."),
        Turn(USER, "Thanks."),
    ]
    last = last_answer(turns, 1000)
    assert (last.answer, last.at) == ("No.", 4)
    assert (last.question, last.asked_at) == ("Is the castle open on Mondays?", 3)


def test_a_question_that_leans_follows_those_it_leans_on() -> None:
    turns = [
        Turn(USER, "When does the castle open?"),
        Turn(ASSISTANT, "At nine."),
        Turn(USER, "What does a ticket cost?"),
        Turn(ASSISTANT, "9 euros."),
        Turn(USER, "And for children?"),
        Turn(USER, "On Sundays?"),
        Turn(ASSISTANT, "Free."),
    ]
    last = last_answer(turns, 1000)
    assert last.question == "What does a ticket cost? And for children? On Sundays?"
    short = last_answer(turns, len("And for children? On Sundays?"))
    assert short.question == "And for children? On Sundays?"


def test_what_the_assistant_said_is_no_part_of_the_question() -> None:
    turns = [Turn(USER, "Who wrote it?"), Turn(ASSISTANT, "Ann Fox."), Turn(ASSISTANT, "In 1900.")]
    last = last_answer(turns, 1000)
    assert last.question == "Who wrote it?"


def test_without_a_question_or_an_answer() -> None:
    last = last_answer([Turn(ASSISTANT, "Hello.")], 1000)
    assert (last.question, last.asked_at) == ("", None)
    assert last_answer([Turn(USER, "Hello?")], 1000) is None


def call(arguments: str) -> dict[str, object]:
    return {"function": {"name": "book", "arguments": arguments}}


def test_what_the_assistant_hands_to_tools_is_part_of_its_answer() -> None:
    messages = [
        {"role": "user", "content": "Book it."},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [call('{"nights": 3}'), call(" "), call('{"city": "Rome"}')],
        },
    ]
    exchange = last_answer(turns_of(messages), 100)
    assert exchange.answer == '{"nights": 3}\n\n{"city": "Rome"}'


def test_what_tools_return_is_a_source_as_it_stands() -> None:
    returned = ['{"price": 4}', "[]", "Four euros.", " ", '{"price": 4', "7"]
    turns = turns_of([{"role": "tool", "content": text} for text in returned])
    assert tool_results(turns) == [text for text in returned if text.strip()]
