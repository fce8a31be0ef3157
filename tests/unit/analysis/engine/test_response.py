import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.engine import measure
from analysis.engine.response import hallucination_score, together
from analysis.engine.types import Source, Submission

SOURCES = (Source("s", "The mill stands in Lyon. It was built in 1840 by Ana Brun."),)
shares = st.lists(st.floats(0, 1), min_size=1, max_size=6).map(lambda s: sorted(s, reverse=True))


def score(answer: str, sources=SOURCES) -> float | None:
    return hallucination_score(measure(Submission(answer, "", sources)))


def test_an_answer_in_the_words_of_the_source_scores_zero():
    assert score("The mill stands in Lyon.") < 0.25


def test_an_invented_answer_scores_high():
    assert score("Penguins sing at night in the harbour.") > 0.7


def test_one_bad_claim_is_not_averaged_away():
    good, bad = "The mill stands in Lyon. " * 20, "Greta Olsen painted a harbour."
    assert score(good + bad) >= score(bad) > 0.7


def test_no_sources_no_score_and_nothing_to_check_is_zero():
    assert score("The mill stands in Lyon.", None) is None
    assert score("Hello there!") == 0.0


@given(shares)
def test_never_below_the_worst_nor_above_one(scores):
    assert scores[0] - 1e-9 <= together(scores) <= 1


@given(shares, st.floats(0, 1))
def test_a_worse_claim_never_lowers_the_score(scores, more):
    longer = sorted([*scores, more], reverse=True)
    assert together(longer) >= together(scores) - 1e-9


def test_the_second_claim_counts_half():
    assert together([0.5, 0.5]) == pytest.approx(1 - 0.5 * 0.75)
