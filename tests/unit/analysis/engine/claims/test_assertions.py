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


@pytest.mark.parametrize("answer", TABLES["no claim"])
def test_it_only_speaks_of_the_sources(answer):
    assert read(answer, QUERY).statements == ()


@pytest.mark.parametrize(("answer", "claim"), TABLES["a claim beside"])
def test_it_claims_something_beside(answer, claim):
    texts = [item.claim.text for item in read(answer, QUERY).statements]
    assert (claim or answer.rstrip(".")) in texts


def test_a_clause_without_a_subject_of_its_own_has_that_of_the_one_before():
    answer = "The first passage covers baking at length and does not mention frying. It is hot."
    texts = [item.claim.text for item in read(answer, QUERY).statements]
    assert not any(text.startswith("does not mention") for text in texts)
