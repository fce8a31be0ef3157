"""What a sentence of a rule answers: yes, no, a figure, or nothing."""

import pytest

from assistant.synthesis.deciding import decide, fits, is_statement
from assistant.synthesis.limits import Side, Stance, limits_in, stance_of

STOPS = "Tower crane operation stops when gusts reach 38 km/h."
BASKET = "Persons are lifted in a basket only when the wind is below 25 km/h."
LADDER = "Nobody works from a ladder for more than 30 minutes at a time."
TRENCH = "A trench of 1.25 metres of depth or more needs a protective system."
SPOIL = "Spoil is kept at least 1 metre away from the edge."
EDGE = "Each employee on a steep roof 6 feet (1.8 m) or more above lower levels shall be protected."
DEEP = "Each employee shall be protected, except when: Excavations are less than 5 feet in depth."
GROUND = "The wind is read at the top of the tower, not on the ground."
BUOYS = "Distance between ring buoys shall not exceed 200 feet."


@pytest.mark.parametrize(
    ("question", "sentence", "lead"),
    [
        ("May the tower crane run if gusts reach 60 km/h?", STOPS, "No"),
        ("May the tower crane run if gusts reach 38 km/h?", STOPS, "No"),
        ("May the tower crane run in gusts of 25 km/h?", STOPS, "Yes"),
        ("Does the crane stop at gusts of 40 km/h?", STOPS, "Yes"),
        ("May persons be lifted at a wind of 28 km/h?", BASKET, "No"),
        ("May persons be lifted at a wind of 20 km/h?", BASKET, "Yes"),
        ("May somebody work from a ladder for 45 minutes?", LADDER, "No"),
        ("May somebody work from a ladder for 20 minutes?", LADDER, "Yes"),
        ("Does a trench of 2 metres need a protective system?", TRENCH, "Yes"),
        ("Does a trench of 1 metre need a protective system?", TRENCH, "No"),
        ("May a trench of 2 metres go without a protective system?", TRENCH, "No"),
        ("May spoil lie 50 cm from the edge?", SPOIL, "No"),
        ("May spoil lie 2 metres from the edge?", SPOIL, "Yes"),
        ("Is protection needed on a steep roof at 8 feet?", EDGE, "Yes"),
        ("Is protection needed on a steep roof at 5 feet?", EDGE, "No"),
        ("Is protection needed in an excavation 4 feet deep?", DEEP, "No"),
        ("Is protection needed in an excavation 6 feet deep?", DEEP, "Yes"),
        ("Is the wind read on the ground?", GROUND, "No"),
        ("Is the wind read at the top?", "The wind is read at the top.", "Yes"),
        ("May single-rail ladders be used?", "Single-rail ladders shall not be used.", "No"),
        ("At what gusts does the tower crane stop?", STOPS, "38 km/h"),
        ("What is the greatest distance between ring buoys?", BUOYS, "200 feet"),
        ("What is the report deadline?", "It is reported within 1 hour.", "1 hour"),
        ("What is the noise limit?", "The noise limit at the fence is 70 dB.", "70 dB"),
    ],
)
def test_a_rule_decides(question, sentence, lead):
    decision = decide(question, sentence)
    assert decision is not None
    assert decision.lead == lead


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("May the crane run in gusts of 25 km/h?", "The crane is tested with 4 tonnes."),
        ("May we work at 3 metres?", "The boards are 3.5 metres long."),
        ("Who inspects the scaffold?", "The scaffold is inspected by a competent person."),
        ("May workers enter?", "Workers shall wear helmets."),
    ],
)
def test_what_the_words_do_not_settle_has_no_lead(question, sentence):
    assert decide(question, sentence) is None


@pytest.mark.parametrize(
    ("question", "sentence", "right"),
    [
        ("How wide must a stair tower be?", "Kits hang in each stair tower.", False),
        ("Who is the crane operator?", "Crane operation stops in wind.", False),
        ("Who inspects it?", "It is inspected by a competent person.", True),
        ("Where is the gate?", "The gate is in the north.", True),
        ("When is it tested?", "It is tested every morning.", True),
        ("When is it tested?", "It is tested with care.", False),
    ],
)
def test_an_answer_holds_the_kind_of_thing_that_is_asked_for(question, sentence, right):
    assert fits(question, sentence) is right


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("Is the tower crane ok in gusts of 45?", "No"),
        ("Is the tower crane still ok, gusts 45 now?", "No"),
        ("Is the tower crane ok, 5 wind?", "Yes"),
        ("Is the tower crane ok in gusts of 30?", None),
        ("Is the tower crane ok in gusts of 30 km/h?", "Yes"),
    ],
)
def test_a_wind_without_a_unit_decides_only_where_the_unit_does_not_matter(question, lead):
    decision = decide(question, STOPS)
    assert (decision and decision.lead) == lead


def test_a_rule_for_what_is_done_without_a_thing_does_not_decide_on_it_with_that_thing():
    rule = "Concrete is not poured below 5 °C without heating."
    assert decide("Is it safe to pour at 3 °C with heaters on?", rule) is None
    assert decide("Is it safe to pour at 3 °C?", rule).lead == "No"


def test_bounds_and_stances():
    assert [item.side for item in limits_in(BUOYS)] == [Side.AT_MOST]
    assert [item.side for item in limits_in(DEEP)] == [Side.BELOW]
    assert limits_in(DEEP)[0].excepted
    metric = "Materials are kept at least 2 feet (.61 m) from the edge, pipes .9 m."
    assert [item.words for item in limits_in(metric)] == ["2 feet", ".9 m"]
    assert [item.words for item in limits_in(EDGE)] == ["6 feet"]
    assert stance_of("Loads are not more than 5 kg.") is Stance.STATES
    assert stance_of("A permit is not required.") is Stance.ALLOWS


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("I am the site safety manager.", True),
        ("Our limit is 30 km/h.", True),
        ("wind limit for the tower crane", False),
        ("May we lift?", False),
        ("Tell me the limit.", False),
    ],
)
def test_who_states_something_asks_nothing(text, stated):
    assert is_statement(text) is stated
