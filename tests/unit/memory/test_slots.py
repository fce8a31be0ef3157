"""Facts that have one value at a time."""

import pytest

from memory.slots.matching import same_slot, same_value
from memory.slots.rules import slot_of

LIMIT = "The scaffold wind limit is 25 km/h."


@pytest.mark.parametrize(
    ("first_fact", "second_fact", "same"),
    [
        (LIMIT, "The council mandates a 30 km/h scaffold limit.", True),
        (LIMIT, "Scaffold work stops at 8 m/s.", True),
        (LIMIT, "The crane wind limit is 25 km/h.", False),
        (LIMIT, "The scaffold gust limit is 40 km/h.", False),
        ("The limit of crane 2 is 30 km/h.", "The limit of crane 3 is 35 km/h.", False),
        ("The limit of crane 2 is 30 km/h.", "The crane limit is 35 km/h.", False),
        ("Never pour below 4 degrees.", "Never pour above 35 degrees.", False),
        ("Cranes may only run below 30 km/h.", "The crane limit is 38 km/h.", True),
        ("The hoist load is at most 2000 kg.", "The hoist load is limited to 1500 kg.", True),
        ("We have 3 glazing crews.", "There are five glazing crews on site.", True),
        ("We have 3 glazing crews.", "We have 3 steel crews.", False),
        ("I'm the site manager.", "I've been promoted to project manager.", True),
        ("My name is Ann.", "I'm the site manager.", False),
        ("Night work is allowed.", "Night work is not allowed.", True),
        ("Night work is allowed.", "Hot work is not allowed.", False),
        ("I prefer metric units.", "Please use imperial units.", True),
        ("My briefing is at 8 AM every day.", "My daily briefing is at 7:30.", True),
        ("Our site is in Leeds.", "The project moved to Utrecht.", True),
        ("Maria is the lift supervisor.", "Our lift supervisor is Anna.", True),
        ("Handover is on 5 March 2027.", "Handover is on 12 April 2027.", True),
    ],
)
def test_slots(first_fact: str, second_fact: str, same: bool) -> None:
    first, second = slot_of(first_fact), slot_of(second_fact)
    assert first
    assert second
    assert same_slot(first.key, second.key) is same
    assert same_slot(second.key, first.key) is same


@pytest.mark.parametrize(
    ("first_fact", "second_fact"),
    [
        (LIMIT, "Scaffolds stop at 25 km/h."),
        (LIMIT, "Scaffold limit: 6.94 m/s."),
        ("My briefing is at 8 AM every day.", "I have the briefing at 8 every day."),
        (LIMIT, "The scaffold limit was changed from 30 to 25 km/h."),
        ("We have three crews.", "We have 3 crews."),
        ("Maria is the lift supervisor.", "Our lift supervisor is Maria."),
    ],
)
def test_the_same_value_in_other_words(first_fact: str, second_fact: str) -> None:
    first, second = slot_of(first_fact), slot_of(second_fact)
    assert first
    assert second
    assert same_slot(first.key, second.key)
    assert same_value(first.key, first.value, second.value)


def test_a_morning_is_no_evening() -> None:
    assert not same_value("time|brief", "480", "1200")
    assert same_value("time|brief", "1200", "480?")


@pytest.mark.parametrize(
    "text", ["We're glazing the facade.", "I look after the hoists.", "Ravi is a crane operator."]
)
def test_what_may_stand_beside_others_has_no_slot(text: str) -> None:
    assert slot_of(text) is None
