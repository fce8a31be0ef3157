"""Probabilities and their log-odds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.stats.odds import logistic, logit


@given(st.floats(0.001, 0.999))
def test_log_odds_lead_back_to_the_probability(chance):
    assert logistic(logit(chance)) == pytest.approx(chance)


@given(st.floats(-1e6, 1e6))
def test_odds_of_any_size_are_a_probability(odds):
    assert 0 <= logistic(odds) <= 1


@given(st.floats(0, 1))
def test_certainty_is_kept_away_from_0_and_1(chance):
    assert abs(logit(chance, 0.005)) <= logit(0.995) + 1e-9
