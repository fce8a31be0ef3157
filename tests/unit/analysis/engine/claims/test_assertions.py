"""Headings, cells, lead-ins, questions, code, talk of the sources: which of them are claims."""

import pytest

from analysis.engine.claims.extraction import read
from tests.tables import tables

TABLES = tables(__file__)


def claims(answer: str) -> list[str]:
    return [statement.claim.text for statement in read(answer).statements]


@pytest.mark.parametrize("answer", TABLES["what announces or asks is no claim"])
def test_what_announces_or_asks_is_no_claim(answer: str) -> None:
    assert claims(answer) == []


@pytest.mark.parametrize(("answer", "claim"), TABLES["what states something is a claim"])
def test_what_states_something_is_a_claim(answer: str, claim: str) -> None:
    assert claims(answer) == [claim]


def test_code_is_counted_and_not_read() -> None:
    reading = read("```\nx = read(2)\nprint(x)\n```")
    assert (reading.statements, reading.code_lines, reading.unread) == ((), 2, True)


@pytest.mark.parametrize(
    ("answer", "unread"),
    [("Hello! How can I help you?", False), ("Thanks!", False), ("Paris.", True)],
)
def test_small_talk_alone_leaves_nothing_unread(answer: str, unread: bool) -> None:
    assert read(answer).unread is unread


@pytest.mark.parametrize("tail", TABLES["what stands behind an answer claims nothing"])
def test_what_stands_behind_an_answer_claims_nothing(tail: str) -> None:
    assert claims(f"The dam is closed.\n\n{tail}") == ["The dam is closed"]


@pytest.mark.parametrize("tail", TABLES["a statement behind an answer is a claim"])
def test_a_statement_behind_an_answer_is_a_claim(tail: str) -> None:
    assert len(claims(f"The dam is closed.\n\n{tail}")) > 1


QUERY = "How is chicken fried in the oven?"
CLAIMED = {
    "The passages do not name a year, so it was opened in 1972.": None,
    "The passages do not name a year but the mill opened in 1972.": "the mill opened in 1972",
    "The passages do not give the date, but passage 2 says it was in May.": (
        "passage 2 says it was in May"
    ),
    "The mill opened in 1972, which is not mentioned in the passages.": None,
    "Workers must consult a doctor before entering the mine.": None,
    "You should consult a doctor, since it kills 5 of 100.": None,
    "The contract does not include a termination clause.": None,
    "The source of the river lies in the Alps.": None,
    "The data do not show that smoking helps.": None,
    "According to passage 1, the dam is closed.": "the dam is closed",
    "Based on the information provided in passages 1 and 3, the dam is closed.": (
        "the dam is closed"
    ),
    "Passage 2 clarifies that the rule covers all grants.": "the rule covers all grants",
    "The document states that the fee is 30 euros.": "the fee is 30 euros",
    "From the source of the river, the path leads north.": None,
    "According to our refund policy, the fee is 30 euros.": "the fee is 30 euros",
    "The handbook says that the dam is closed.": "the dam is closed",
    "As per the terms, the fee is 30 euros.": "the fee is 30 euros",
    "According to the old policy, the fee is 30 euros.": None,
    "The policy applies to all grants.": None,
    "The answer was sent to the council in May.": None,
    "I checked the boiler in May.": None,
    "The answer above is wrong.": None,
    "The above is not the final answer.": None,
    "Assistant: the dam is closed.": "the dam is closed",
}


@pytest.mark.parametrize("answer", TABLES["no claim"])
def test_it_only_speaks_of_the_sources(answer):
    assert read(answer, QUERY).statements == ()


@pytest.mark.parametrize(("answer", "claim"), CLAIMED.items())
def test_it_claims_something_beside(answer, claim):
    texts = [item.claim.text for item in read(answer, QUERY).statements]
    assert (claim or answer.rstrip(".")) in texts


def test_a_clause_without_a_subject_of_its_own_has_that_of_the_one_before():
    answer = "The first passage covers baking at length and does not mention frying. It is hot."
    texts = [item.claim.text for item in read(answer, QUERY).statements]
    assert not any(text.startswith("does not mention") for text in texts)
