"""The German of the pages: one word for one thing, formal address, the values of the English."""

import re

import pytest

from tests.tables import tables
from tests.unit.watchdog_site.catalogues import written

GLOSSARY = dict(tables(__file__)["glossary"])
"""English terms, and by what German words (a regular expression) each is translated."""
FREE = {
    "The cited sources do not support {n} of {total} claims",
    "Each is reviewed. Answers that were not fully checked, and the quality sample, always are.",
}
"""Sentences that say the term by another part of themselves."""
_NO_TERM = re.compile(r"%\(\w+\)[a-z]|\{\w+\}|the answer claims", re.IGNORECASE)
_VALUE = re.compile(r"%\(\w+\)[a-z]|%[sd]|\{\w+\}")


@pytest.mark.parametrize("term", GLOSSARY)
def test_a_term_has_one_german_word(term) -> None:
    uses = {
        english: german
        for english, german in written("de").items()
        if re.search(rf"\b{term}s?\b", _NO_TERM.sub("", english), re.IGNORECASE)
    }
    assert uses
    word = re.compile(GLOSSARY[term], re.IGNORECASE)
    others = {e: g for e, g in uses.items() if not word.search(g) and e not in FREE}
    assert others == {}, f"“{term}” is {GLOSSARY[term]} in German (test_glossary.txt)"


def test_readers_are_addressed_formally() -> None:
    informal = re.compile(r"\b(?:du|dich|dir|dein\w*|euch|euer\w*)\b", re.IGNORECASE)
    assert [german for german in written("de").values() if informal.search(german)] == []


def test_a_translation_has_the_values_of_the_english() -> None:
    """Of a plural, the first form may leave out its number."""
    wrong = [
        english
        for english, german in written("de").items()
        if set(_VALUE.findall(german)) - set(_VALUE.findall(english))
    ]
    assert wrong == []
