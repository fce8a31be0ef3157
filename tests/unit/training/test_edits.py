import random

import pytest

from training.examples import Label
from training.generate.edits import MAKERS, Setting, edit, negation, number, other_number, roles
from training.generate.sentences import Bank

BANK = Bank(
    (", near the old harbour", " during the winter"),
    ("copper wire", "goats"),
    {1: ("Oslo", "Baltic"), 2: ("Greta Olsen", "Ravi Mehta")},
    ("ladder", "engine"),
)
SETTING = Setting(("Tilda Brandt", "Bergen"), ("ferry", "bridge"), (), BANK)
SENTENCES = (
    "Anna Lind sold 14 boats to Omar Haddad in March 2011 before the harbour was closed",
    "The engine may reach 40 km/h, and all crews have copper, wool, and salt on board",
    "The clinic is open from 8 am to 5 pm on Monday and most patients were not charged",
    "At least three bridges over the river were built by the council of Bergen in 1987",
)


@pytest.mark.parametrize("maker", [maker for maker, _ in MAKERS])
def test_each_change_is_marked_and_a_change(maker):
    attempts = [
        (text, maker(text, SETTING, random.Random(seed)))
        for text in SENTENCES
        for seed in range(20)
    ]
    changes = [(text, change) for text, change in attempts if change]
    assert changes
    for text, change in changes:
        assert change.text != text
        assert change.label is not Label.ENTAIL
        assert change.spans
        assert all(0 <= a < b <= len(change.text) for a, b in change.spans)


def test_a_number_keeps_its_form():
    chance = random.Random(1)
    for original in ("7", "1,250", "3.5", "1987", "40"):
        for _ in range(30):
            other = other_number(original, chance)
            assert other != original
            assert ("," in other) <= ("," in original)
            assert ("." in other) == ("." in original)


def test_the_marked_words_are_the_new_ones():
    change = number("Anna sold 14 boats", SETTING, random.Random(3))
    [(a, b)] = change.spans
    assert change.text[:a] == "Anna sold "
    assert change.text[a:b] != "14"
    assert change.text[b:] == " boats"


def test_roles_change_places():
    change = roles("Anna Lind paid Omar Haddad", SETTING, random.Random(0))
    assert change.text == "Omar Haddad paid Anna Lind"
    assert [change.text[a:b] for a, b in change.spans] == ["Omar Haddad", "Anna Lind"]


def test_names_in_a_list_have_no_roles():
    assert roles("Anna Lind and Omar Haddad left", SETTING, random.Random(0)) is None


def test_negation_goes_both_ways():
    denied = negation("The clinic is open", SETTING, random.Random(0))
    assert " not " in denied.text or " never " in denied.text
    assert (
        negation("The clinic is not open", SETTING, random.Random(0)).text == "The clinic is open"
    )


def test_a_sentence_without_a_handle_still_gets_a_foreign_detail():
    change = edit("Birds sing", SETTING, random.Random(2))
    assert change.kind == "detail"
    assert change.text.startswith("Birds sing")
