"""Who has a duty, who is released from it, and what it leaves to choose."""

import pytest

from analysis.engine.evidence.corpus import build
from analysis.engine.rules import conditions, obligations
from analysis.engine.types import Source
from lib.text.tokens import tokenize

KNOWN = frozenset(build((Source("s1", "Drivers wear a belt. The guards wear a helmet."),)).postings)


def words(text: str) -> list[str]:
    tokens = tokenize(text)
    return obligations.lower_words(tokens, 0, len(tokens))


@pytest.mark.parametrize(
    ("claim", "swapped"),
    [
        ("The guards must wear a belt", True),
        ("The guards and drivers must wear a belt", True),
        ("Drivers must wear a belt", False),
        ("Motorists must wear a belt", False),
        ("A belt must be worn by drivers", False),
    ],
)
def test_a_duty_laid_on_somebody_else(claim: str, swapped: bool) -> None:
    assert obligations.another_actor(words(claim), words("Drivers must wear a belt"), KNOWN) is (
        swapped
    )


@pytest.mark.parametrize(
    ("claim", "narrowed"),
    [
        ("Drivers must show a permit", True),
        ("Drivers must show a permit and a badge", True),
        ("Drivers must show a permit or a badge", False),
        ("Drivers can show a permit", False),
    ],
)
def test_a_choice_is_not_taken_away(claim: str, narrowed: bool) -> None:
    source = words("Drivers must show a permit or a badge")
    assert obligations.narrows_choice(words(claim), source) is narrowed


@pytest.mark.parametrize(
    ("claim", "disarranged"),
    [
        ("A belt must wear drivers", True),
        ("Drivers must wear a belt", False),
        ("At work drivers must wear a belt", False),
    ],
)
def test_who_and_what_stay_on_their_sides(claim: str, disarranged: bool) -> None:
    source = words("Drivers must wear a belt at work")
    assert obligations.is_disarranged(words(claim), source) is disarranged


@pytest.mark.parametrize(
    ("claim", "source", "added"),
    [
        ("Belts are free if you ask", "Belts are free.", True),
        ("Belts are free if you ask", "Belts are free for those who ask.", False),
        ("Belts are free if you ask", "Belts are free unless stated otherwise.", False),
        ("Belts are free", "Belts are free.", False),
    ],
)
def test_a_condition_that_the_source_does_not_set(claim: str, source: str, added: bool) -> None:
    tokens, corpus = tokenize(claim), build((Source("s1", source),))
    passage_terms = corpus.passages[0].terms
    assert conditions.adds_condition(tokens, 0, len(tokens), passage_terms, words(source)) is added


@pytest.mark.parametrize("phrase", obligations._RELEASES)
def test_each_release_is_found(phrase: str) -> None:
    """One that the quick look at the words does not know would pass as no release."""
    tokens = tokenize(f"Drivers {phrase} wear a belt")
    assert obligations.releases(tokens, 0, len(tokens))
