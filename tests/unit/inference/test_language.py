"""Texts in other languages are told apart from English; in doubt nothing is said."""

import pytest

from inference.language import other_language, other_languages
from tests.tables import tables

TABLES = tables(__file__)


@pytest.mark.parametrize(("text", "language"), TABLES["another language"])
def test_another_language_is_named(text, language) -> None:
    assert other_language(text) == language


@pytest.mark.parametrize("text", ["", *TABLES["English and names"]])
def test_english_and_names_are_not(text) -> None:
    assert other_language(text) == ""


def test_each_language_is_named_once() -> None:
    german = "Die Rückerstattung dauert 14 Tage."
    assert other_languages([german, "Refunds take 14 days.", german]) == ("German",)
