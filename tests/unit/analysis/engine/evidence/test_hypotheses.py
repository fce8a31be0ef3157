"""The texts that a judge reads: sentences without what stands around them and says nothing."""

import pytest

from analysis.engine.claims.extraction import read
from analysis.engine.evidence.hypotheses import hypotheses, parts
from tests.tables import tables

TABLES = tables(__file__)


def _texts(answer: str) -> list[str]:
    return [each.text.rstrip(".") for each in hypotheses(read(answer, "Is it closed?"), "")]


@pytest.mark.parametrize("answer", TABLES["what stands around a sentence is not judged"])
def test_what_stands_around_a_sentence_is_not_judged(answer: str) -> None:
    assert _texts(answer) == ["the dam is closed"]


@pytest.mark.parametrize("answer", TABLES["what says something is judged"])
def test_what_says_something_is_judged(answer: str) -> None:
    assert _texts(answer) == [answer.rstrip(".")]


@pytest.mark.parametrize("answer", ["1891", "- 1891", "The Skell Head tunnel.", "615 metres"])
def test_a_bare_answer_is_read_behind_its_question(answer: str) -> None:
    question = "Which of them is it?"
    (each,) = hypotheses(read(answer, question), question)
    assert each.text[: each.lead] == f"{question} "
    assert answer[each.start : each.end] == each.text[each.lead :]


def test_a_sentence_is_read_without_its_question() -> None:
    question = "When did it open?"
    assert [each.text for each in hypotheses(read("It did in 1874.", question), question)] == [
        "It did in 1874."
    ]


@pytest.mark.parametrize("row", TABLES["a sentence and its parts"])
def test_a_sentence_is_divided_at_marks_and_conjunctions(row: tuple[str, ...]) -> None:
    answer, *expected = row
    reading = read(answer, "")
    (sentence,) = hypotheses(reading, "")
    found = parts(reading, sentence)
    assert [each.text for each in found] == [each for each in expected if each]
    for part in found:
        assert answer[part.start : part.end].lower() == part.text.lower()
        assert part.statements == sentence.statements


def test_a_reply_and_a_bare_answer_have_no_parts() -> None:
    question = "Is the long bridge open, and is the old harbour closed?"
    for answer in ("Yes.", "The long bridge, the old harbour and the mill"):
        reading = read(answer, question)
        assert [parts(reading, each) for each in hypotheses(reading, question)] == [()]
