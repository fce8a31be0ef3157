"""Pairs of answers that differ in one thing, with a judge that takes every claim for supported.

Whatever is flagged here, exact facts and words flag alone. Every third pair of a class was left
aside while the rules were written.
"""

from collections import Counter
from pathlib import Path
from typing import NamedTuple

from analysis.engine.types import Action
from tests.adversarial.corpus import read_blocks
from tests.answers import FixedJudge, decided

CREDULOUS = FixedJudge(0.8, 0.01, 0.19)


class Pair(NamedTuple):
    kind: str
    source: str
    right: str
    wrong: str


def read_pairs(folder: str) -> tuple[Pair, ...]:
    paths = sorted((Path(__file__).parent / folder).glob("*.txt"))
    return tuple(Pair(b.kind, b.source, *b.right, *b.wrong) for b in read_blocks(*paths))


PAIRS = read_pairs("pairs")


def passes(answer: str, source: str) -> bool:
    return decided(answer, source, judge=CREDULOUS).action is Action.ALLOW


FLAGGED = {"The market hall is open on Saturdays."}
"""Right answers that are flagged: "every day but Sunday" is read as Sunday."""
LEAST_CAUGHT = {
    "units": 7, "bounds": 7, "durations": 7, "abbreviations": 0, "weekdays": 6, "exclusions": 2,
    "opposites": 11, "groups": 8, "only": 0, "planned": 0, "roles": 7,
}  # fmt: skip
"""Classes with none are left to the judge: no rule for them was right often enough."""


def test_right_answers_are_not_flagged_by_facts_or_words_but_for_those_named() -> None:
    assert {pair.right for pair in PAIRS if not passes(pair.right, pair.source)} == FLAGGED


def test_wrong_answers_of_each_kind_are_flagged_although_the_judge_believes_them() -> None:
    caught = Counter(pair.kind for pair in PAIRS if not passes(pair.wrong, pair.source))
    assert caught >= Counter(LEAST_CAUGHT)


def test_an_allegedly_of_the_claim_alone_decides_nothing() -> None:
    source = "Nolan Reyes went to Arden for a course in metalwork."
    assert passes("Nolan Reyes allegedly went to Arden for a course in metalwork.", source)


def test_a_figure_that_the_source_has_of_something_else_too_decides_nothing() -> None:
    source = (
        "Costs came to 8,640, because the town now charges for closing streets (2,900) and every "
        "walker was given a badge."
    )
    answer = (
        "Costs were 8,640, because the town now charges for closing streets and every walker was "
        "given a badge."
    )
    assert passes(answer, source)


def test_what_holds_of_an_exception_is_not_excluded() -> None:
    letters = "My letters are to be burnt, except those from Tove, which Sanna may read."
    assert passes("Sanna may read the letters from Tove.", letters)
    assert passes("Milk is free of the deposit.", "Milk is exempt from the deposit.")
    assert passes("Petter is a non-smoker.", '{"name": "Petter", "smoker": false}')
    assert not passes("Petter is a smoker.", '{"name": "Petter", "smoker": false}')


def test_the_pairs_are_many() -> None:
    assert len(PAIRS) >= 120
    assert {pair.kind for pair in PAIRS} == LEAST_CAUGHT.keys()
