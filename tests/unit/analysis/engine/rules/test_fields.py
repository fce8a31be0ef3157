"""Prose about a table, and data about prose: a row and a column are held against the value."""

import json

import pytest

from analysis.engine import Action, decide
from analysis.engine.types import ConflictKind
from tests.answers import measured
from tests.tables import tables

TABLES = tables(__file__)
SOURCES = dict(TABLES["sources"])


@pytest.mark.parametrize(("source", "answer", "value"), TABLES["another value"])
def test_another_value_is_a_certain_conflict(source: str, answer: str, value: str) -> None:
    measurement = measured(answer, SOURCES[source])
    conflicts = [
        each for signal in measurement.signals for each in signal.conflicts if each.certain
    ]
    assert any(f"“{value}”" in each.detail for each in conflicts)
    assert decide(answer, measurement).action is Action.BLOCK


@pytest.mark.parametrize(("source", "answer"), TABLES["no conflict"])
def test_the_same_value_and_what_is_in_no_cell_are_no_conflict(source: str, answer: str) -> None:
    measurement = measured(answer, SOURCES[source])
    kinds = [each.kind for signal in measurement.signals for each in signal.conflicts]
    assert ConflictKind.FIELD not in kinds


@pytest.mark.parametrize(("source", "question", "right", "wrong"), TABLES["looked up"])
def test_what_a_question_asks_of_a_row_is_looked_up(
    source: str, question: str, right: str, wrong: str
) -> None:
    """The question names row and column of a bare answer; yes and no are values."""
    for answer, action in ((right, Action.ALLOW), (wrong, Action.BLOCK)):
        measurement = measured(answer, SOURCES[source], query=question)
        assert decide(answer, measurement).action is action
        certain = [each.certain for each in measurement.signals[0].conflicts]
        assert certain == ([True] if answer == wrong else [])


def test_a_word_that_may_deny_is_no_yes() -> None:
    measurement = measured("Stoves are banned.", SOURCES["CABIN"])
    assert not measurement.signals[0].conflicts


def test_an_object_of_a_list_is_known_by_its_name() -> None:
    record = json.dumps({"items": [{"id": 1, "name": "Fern", "price_eur": 9},
                                   {"id": 2, "name": "Moss", "price_eur": 4}]})  # fmt: skip
    answer = "The price of the moss is 9 euros."
    measurement = measured(answer, record)
    assert [each.kind for each in measurement.signals[0].conflicts][:1] == [ConflictKind.FIELD]
