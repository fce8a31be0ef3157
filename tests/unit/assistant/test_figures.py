import pytest

from assistant.evidence import EvidenceKind, Item
from assistant.synthesis.figures import figure_words, lacks_figure, side_by_side
from lib.text.tokens import tokenize

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


def test_the_lowest_temperature_of_the_forecast_stands_beside_a_limit_too():
    forecast = Item(
        2, EvidenceKind.WEATHER, "Temperature from 4 °C (at 06:00) to 10 °C (at 14:00).", "weather"
    )
    stated = [(1, "Below 5 °C no concrete is poured.")]
    assert comparisons("May we pour tomorrow?", [forecast], stated) == [
        "4 °C ([2]) is less than 5 °C ([1]).",
        "10 °C ([2]) is more than 5 °C ([1]).",
    ]


@pytest.mark.parametrize(
    ("question", "text", "lacks"),
    [
        ("How heavy is the press?", "The press is lifted at its lugs.", True),
        ("How heavy is the press?", "Weight – Press: 1,850 kg", False),
        ("How much does the furniture cost?", "Tender for the furniture, by 15 May.", True),
        ("What does the furniture cost?", "The furniture is 4,500 euros.", False),
        ("How many holidays do I get?", "On public holidays 60 percent is paid.", True),
        ("How many holidays do I get?", "Everybody has 29 days of leave.", False),
        ("How far may a worker fall?", "Free fall means the act of falling.", True),
        ("How long must a password be?", "Passwords have at least 14 characters.", False),
        ("Which supplier was chosen?", "The supplier is Vetralux.", False),
    ],
)
def test_a_question_for_a_figure_is_not_answered_without_it(question, text, lacks):
    assert lacks_figure(tokenize(question), text) is lacks


def test_a_conversion_in_brackets_is_the_same_figure():
    assert comparisons(
        "Is a height of 2 m allowed?", [], [(1, "More than 10 feet (3.1 m) needs it.")]
    ) == ["2 m (in your question) is less than 10 feet (3.048 m) ([1])."]


def test_without_a_figure_there_is_nothing_to_compare():
    assert comparisons("May the crane run?", [], [(1, "It stops at 38 km/h.")]) == []


def test_figures_are_told_as_they_are_written():
    assert figure_words("Above 20 mph or 5 °C nobody lifts.") == ["20 mph", "5 °C"]
