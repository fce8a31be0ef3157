from dataclasses import astuple

from hypothesis import given
from hypothesis import strategies as st

from analysis.engine import measure
from analysis.engine.types import Source, Submission
from analysis.engine.verdict.probability import unsupported
from analysis.engine.verdict.words_model import (
    Features,
    log_odds,
    logistic,
)  # fmt: skip

SOURCES = (Source("s", "The mill stands in Lyon. It was built in 1840."),)
share = st.floats(0, 1)
features = st.builds(Features, share, share, share, share, share, share)


def signal(answer: str):
    return measure(Submission(answer, "", SOURCES)).signals[0]


def test_a_claim_that_is_supported_scores_below_one_that_is_not():
    good, bad = signal("The mill stands in Lyon."), signal("The goat sang.")
    assert unsupported(good) < 0.3 < unsupported(bad)


def test_what_was_not_held_up_has_no_score():
    claim_signal = measure(Submission("The mill stands in Lyon.")).signals[0]
    assert unsupported(claim_signal) is None


@given(features, features)
def test_more_against_a_claim_never_lowers_its_score(first, second):
    both = Features(*(max(a, b) for a, b in zip(_values(first), _values(second), strict=True)))
    assert log_odds(both) >= max(log_odds(first), log_odds(second)) - 1e-9


def _values(vector: Features) -> tuple[float, ...]:
    return astuple(vector)


def test_logistic_holds_at_the_ends():
    assert (logistic(-1e9), logistic(0), logistic(1e3)) == (0.0, 0.5, 1.0)
