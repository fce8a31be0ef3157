"""The texts that a judge reads: sentences without what stands around them and says nothing."""

import pytest

from analysis.engine.claims.extraction import read
from analysis.engine.evidence.hypotheses import hypotheses
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
