import pytest

from assistant.evidence import Item, Kind
from assistant.synthesis.figures import asks_for_figure, holds_figure_for, side_by_side
from assistant.synthesis.wording import as_ruled

GUSTS = Item(2, Kind.WEATHER, "Gusts reach 45 km/h at 14:00, the mean wind 28 km/h.", "weather")


def told(question, forecasts, stated):
    return [one.text for one in side_by_side(question, forecasts, stated)]


def test_a_figure_of_the_question_stands_beside_those_of_the_sources_in_one_unit():
    stated = [(1, "When wind exceeds 20 mph, nobody is lifted."), (3, "Boards are 60 cm wide.")]
    assert told("May the crane run at gusts of 60 km/h?", [], stated) == [
        "60 km/h (in your question) is more than 20 mph (32.19 km/h) ([1])."
    ]


def test_the_largest_figure_of_the_forecast_stands_beside_the_limit():
    assert told("May the crane run tomorrow?", [GUSTS], [(1, "It stops at 38 km/h.")]) == [
        "45 km/h ([2]) is more than 38 km/h ([1])."
    ]


def test_a_conversion_in_brackets_is_the_same_figure():
    assert told(
        "Is a height of 2 m allowed?", [], [(1, "More than 10 feet (3.1 m) needs it.")]
    ) == ["2 m (in your question) is less than 10 feet (3.048 m) ([1])."]


def test_without_a_figure_there_is_nothing_to_compare():
    assert told("May the crane run?", [], [(1, "It stops at 38 km/h.")]) == []


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("How deep may a trench be?", True),
        ("What is the maximum load?", True),
        ("May it run at 60 km/h?", True),
        ("Who inspects a scaffold?", False),
    ],
)
def test_a_question_for_a_figure_is_known(question, asks):
    assert asks_for_figure(question) is asks


def test_a_figure_must_be_of_the_kind_that_was_asked_for():
    assert holds_figure_for("May it run at 60 km/h?", "It stops at 20 mph.")
    assert not holds_figure_for("May it run at 60 km/h?", "Boards are 60 cm wide.")
    assert holds_figure_for("How wide are boards?", "Boards are 60 cm wide.")


@pytest.mark.parametrize(
    ("question", "ruled"),
    [
        ("How deep may a trench be?", "depth excavation trench"),
        ("May we run the crane if gusts reach 60 km/h?", "wind speed run crane gusts reach"),
        ("Who inspects a scaffold?", ""),
    ],
)  # fmt: skip
def test_a_question_in_the_nouns_of_rules(question, ruled):
    assert as_ruled(question) == ruled
