"""Nearness of a bare answer to the words of its question."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.engine.evidence.corpus import build
from analysis.engine.evidence.nearness import nearness
from analysis.engine.measurement import measure
from analysis.engine.types import Source, Submission
from tests.tables import tables

TABLES = tables(__file__)

CAFE = (
    "The café opened in 1931 by the harbour. Its baker, Ida Holm, came from Bergen in 1948 and "
    "stayed until the fire. The fire of 1972 destroyed the kitchen, and Per Lund rebuilt it."
)


def measured(answer: str, question: str, text: str = CAFE) -> float | None:
    (signal,) = measure(Submission(answer, question, (Source("s1", text),))).signals
    return signal.coverage.nearness


@pytest.mark.parametrize(("question", "right", "wrong"), TABLES["question, right and wrong answer"])
def test_the_right_answer_stands_nearer(question: str, right: str, wrong: str) -> None:
    near, far = measured(right, question), measured(wrong, question)
    assert near is not None
    assert far is not None
    assert near > far


def test_only_a_bare_answer_to_a_question_has_a_place() -> None:
    assert measured("The café opened in 1931.", "When did the café open?") is None
    assert measured("Yes.", "Was there a fire?") is None
    assert measured("1931", "When did the café open?", "Nothing of the kind is known.") is None
    # A sentence, whether its verb is known as one or not.
    assert measured("The fire of 1931 guts the kitchen.", "When did the baker come?") is None


def test_an_answer_of_many_names_costs_no_more_than_one() -> None:
    answer = "\n".join(f"- {name}" for name in ("Ida Holm", "Per Lund", "Bergen") * 4)
    signals = measure(Submission(answer, "Who rebuilt it?", (Source("s1", CAFE),))).signals
    assert len(signals) == 12
    assert all(signal.coverage and signal.coverage.nearness is None for signal in signals)


PLACES = ["fire", "harbour", "baker", "kitchen", "1931", "1972"]
WORDS = st.lists(st.sampled_from(PLACES), max_size=30)


@given(WORDS, WORDS, WORDS)
def test_it_is_a_share(words: list[str], answer: list[str], question: list[str]) -> None:
    near = nearness(build((Source("s1", " ".join(words)),)), answer, question)
    assert near is None or 0 < near <= 1
