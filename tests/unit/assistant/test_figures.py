import pytest

from assistant.evidence import EvidenceKind, Item
from assistant.synthesis.figures import asks_for_figure, figure_share, side_by_side
from assistant.synthesis.wording import as_ruled, matters

GUSTS = Item(
    2, EvidenceKind.WEATHER, "Gusts reach 45 km/h at 14:00, the mean wind 28 km/h.", "weather"
)


def comparisons(question, forecasts, stated):
    return [item.text for item in side_by_side(question, forecasts, stated)]


def test_a_figure_of_the_question_stands_beside_those_of_the_sources_in_one_unit():
    stated = [(1, "When wind exceeds 20 mph, nobody is lifted."), (3, "Boards are 60 cm wide.")]
    assert comparisons("May the crane run at gusts of 60 km/h?", [], stated) == [
        "60 km/h (in your question) is more than 20 mph (32.19 km/h) ([1])."
    ]


def test_the_largest_figure_of_the_forecast_stands_beside_the_limit():
    assert comparisons("May the crane run tomorrow?", [GUSTS], [(1, "It stops at 38 km/h.")]) == [
        "45 km/h ([2]) is more than 38 km/h ([1])."
    ]


def test_a_conversion_in_brackets_is_the_same_figure():
    assert comparisons(
        "Is a height of 2 m allowed?", [], [(1, "More than 10 feet (3.1 m) needs it.")]
    ) == ["2 m (in your question) is less than 10 feet (3.048 m) ([1])."]


def test_without_a_figure_there_is_nothing_to_compare():
    assert comparisons("May the crane run?", [], [(1, "It stops at 38 km/h.")]) == []


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


@pytest.mark.parametrize(
    ("question", "sentence", "share"),
    [
        ("May it run at 60 km/h?", "It stops at 20 mph.", 0.5),
        ("May it run at 60 km/h?", "Boards are 60 cm wide.", 0),
        ("How wide are boards?", "Boards are 60 cm wide.", 1),
        ("How wide are boards?", "Boards have no knots.", 0),
        ("How deep may it be?", "Excavations are less than 5 feet (1.52m) in depth.", 1),
        ("How deep may it be?", "A trench of 1.25 metres of depth or more needs one.", 1),
        ("How deep may it be?", "A pit 6 feet (1.8 m) or more in depth is fenced.", 1),
        ("Up to what depth?", "The depth is at most 2 m.", 1),
        ("How deep may it be?", "The depth is more than the width, which is at most 15 feet.", 0.5),
        ("How deep may it be?", "Digging 2 feet below the full depth is allowed.", 0.5),
    ],
)
def test_a_figure_fits_by_its_kind_and_best_by_its_very_dimension(question, sentence, share):
    assert figure_share(question, sentence) == share


@pytest.mark.parametrize(
    ("question", "ruled"),
    [
        ("How deep may a trench be?", "depth excavation"),
        ("May we run the crane if gusts reach 60 km/h?", "wind speed run crane gusts reach"),
        ("When must workers wear hard hats?", "head protection workers wear"),
        ("Who inspects a scaffold?", ""),
    ],
)  # fmt: skip
def test_a_question_in_the_nouns_of_rules(question, ruled):
    assert as_ruled(question) == ruled


def test_a_word_counts_as_held_by_its_name_in_rules_once():
    assert set(matters("How deep may a trench with 3 men be?")) == {
        (frozenset({"deep"}), frozenset({"depth"})),
        (frozenset({"trench"}), frozenset({"excav"})),
        (frozenset({"men"}), frozenset({"employe"})),
    }
