"""A request is no topic: what is to be done with the sources is not what they are about."""

import pytest

from analysis.engine.signals.relevance import terms_asked
from tests.answers import decided
from tests.tables import tables

TABLES = tables(__file__)

SOURCE = "The museum in Lyon opened in 1964. Admission costs 12 euros."
ANSWER = "The museum in Lyon opened in 1964 and admission costs 12 euros."


@pytest.mark.parametrize("query", TABLES["instructions"])
def test_an_instruction_does_not_fail_the_topic_check(query: str) -> None:
    assert terms_asked(query) == frozenset()
    assert decided(ANSWER, SOURCE, query=query).safety.rejection_reason is None


def test_a_request_may_name_a_topic_and_a_question_always_does() -> None:
    assert terms_asked("Write a short summary of the museum in Lyon.") == {"museum", "lyon"}
    assert terms_asked("How do I write a news article?") >= {"news", "articl"}


def test_an_answer_about_something_else_still_fails() -> None:
    decision = decided(ANSWER, SOURCE, query="What is the boiling point of mercury?")
    assert decision.safety.rejection_reason == "off_topic"
