"""The sentences that a sentence depends on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.text.antecedents import antecedent, leans, refers_back
from tests.tables import tables

TABLES = tables(__file__)

TOUR = [
    "The poison garden is open on Sundays.",
    "It costs four pounds.",
    "Children under ten aren't admitted to it.",
    "The plant sale takes place in the church hall if it rains.",
    "Mrs Oduya speaks about rosemary on Saturday afternoon.",
]


@pytest.mark.parametrize("sentence", TABLES["pronouns and fragments lean"])
def test_pronouns_and_fragments_lean(sentence: str) -> None:
    assert leans(sentence)


@pytest.mark.parametrize("sentence", TABLES["whole sentences stand by themselves"])
def test_whole_sentences_stand_by_themselves(sentence: str) -> None:
    assert not leans(sentence)


@pytest.mark.parametrize("sentence", TABLES["a sentence that opens with a reference refers back"])
def test_a_sentence_that_opens_with_a_reference_refers_back(sentence: str) -> None:
    assert refers_back(sentence)


@pytest.mark.parametrize("sentence", TABLES["a sentence that names what it is about does not"])
def test_a_sentence_that_names_what_it_is_about_does_not(sentence: str) -> None:
    assert not refers_back(sentence)


def test_a_sentence_takes_those_before_it_back_to_one_that_stands_by_itself() -> None:
    assert antecedent(TOUR, 0) == ""
    assert antecedent(TOUR, 1) == TOUR[0]
    assert antecedent(TOUR, 2) == " ".join(TOUR[:2])
    assert antecedent(TOUR, 4) == ""


@given(st.lists(st.text(max_size=300), min_size=1, max_size=6), st.data())
def test_it_is_the_end_of_what_stands_before(sentences: list[str], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(sentences) - 1))
    before = antecedent(sentences, at)
    assert len(before) <= 400
    assert " ".join(each.strip() for each in sentences[:at]).endswith(before)
