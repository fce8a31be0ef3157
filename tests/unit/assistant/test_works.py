"""The works that a briefing asks about."""

import pytest

from assistant.services.briefings import WORKS, questions_on, works_in
from assistant.weather.days import asks_for_weather
from lib.text.tokens import tokenize


@pytest.mark.parametrize(
    ("facts", "positions"),
    [
        ([], ()),
        (["My name is Ann."], ()),
        (["We have crane ops on level 12 and glazing of the facade."], (0, 2)),
        (["3 glazing crews are on site", "The tower crane is down until Friday"], (0, 2)),
        (["Scaffolds", "roofing", "steel", "ladders", "concrete", "trenches"], (1, 3, 4, 5, 6)),
    ],
)
def test_works_of_facts(facts, positions):
    assert works_in(facts) == tuple(list(WORKS)[at] for at in positions)


@pytest.mark.parametrize("facts", [[], ["crane", "scaffold", "paint"], list(WORKS)])
def test_every_question_asks_for_the_weather(facts):
    questions = questions_on(facts)
    assert questions
    assert all(asks_for_weather(tokenize(question)) for question in questions)


def test_every_work_is_known_by_its_own_name():
    assert all(works_in([work])[:1] == (work,) or work in works_in([work]) for work in WORKS)
