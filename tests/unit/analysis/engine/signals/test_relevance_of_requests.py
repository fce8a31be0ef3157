"""A request is no topic: what is to be done with the sources is not what they are about."""

import pytest

from analysis.engine import Source, Submission, decide, measure
from analysis.engine.signals.relevance import terms_asked

SOURCES = (Source("s1", "The museum in Lyon opened in 1964. Admission costs 12 euros."),)
ANSWER = "The museum in Lyon opened in 1964 and admission costs 12 euros."


@pytest.mark.parametrize(
    "query",
    [
        "Summarize the following news within 116 words",
        "Please summarise the text below in 3 sentences:\nThe museum in Lyon …",
        "Write a short overview based only on the provided structured data in the JSON format",
    ],
)
def test_an_instruction_does_not_fail_the_topic_check(query: str) -> None:
    decision = decide(ANSWER, measure(Submission(ANSWER, query, SOURCES)))
    assert terms_asked(query) == frozenset()
    assert decision.safety.rejection_reason is None


def test_a_request_may_name_a_topic_and_a_question_always_does() -> None:
    assert terms_asked("Write a short summary of the museum in Lyon.") == {"museum", "lyon"}
    assert terms_asked("How do I write a news article?") >= {"news", "articl"}


def test_an_answer_about_something_else_still_fails() -> None:
    query = "What is the boiling point of mercury?"
    decision = decide(ANSWER, measure(Submission(ANSWER, query, SOURCES)))
    assert decision.safety.rejection_reason == "off_topic"
