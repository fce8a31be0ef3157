import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.engine import measure
from analysis.engine.decision import _score_reason, decide
from analysis.engine.policy.rules import DEFAULT_RULES, PolicyRules
from analysis.engine.policy.settings import SafetyRules, ScoreLimits
from analysis.engine.signal_types import Coverage, Measurement, NliScores
from analysis.engine.types import Action, Source, Submission
from analysis.engine.verdict.answer_score import (
    LEAST,
    hallucination_score,
    parts_of,
    share_of_model,
    together,
)
from analysis.engine.verdict.fusion_model import EMBEDDED_NAME, logistic, unsupported
from tests.unit.analysis.engine.verdict.test_rule_table import signal

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


def _read(doubts: list[float], copied: int) -> Measurement:
    """An answer of claims that the model doubts so, and of copied ones."""
    words = NliScores(0.9, 0.0, 0.1)
    claim_signal = signal(words, Coverage(None, None, 0.9, phrases=1.0), lexical=words)
    read = [replace(claim_signal, judged_by=EMBEDDED_NAME, doubt=doubt) for doubt in doubts]
    spared = [replace(claim_signal, spared_by=EMBEDDED_NAME)] * copied
    measurement = measure(Submission("The mill stands in Lyon.", "", SOURCES))
    return replace(measurement, signals=(*read, *spared))


doubts = st.lists(st.floats(0, 1), min_size=1, max_size=30)


@given(doubts, st.integers(0, 40))
def test_copied_sentences_never_lower_what_the_model_doubts(
    model_doubts: list[float], copied: int
) -> None:
    assert parts_of(_read(model_doubts, copied))[0] >= parts_of(_read(model_doubts, 0))[0] - 1e-9


@given(doubts)
def test_no_length_halves_more_than_the_models_part(model_doubts: list[float]) -> None:
    measurement = _read([max(model_doubts), *model_doubts], 0)
    alone = unsupported(measurement.signals[0], LEAST)
    assert logistic(parts_of(measurement)[0]) >= alone - 1e-9


def test_of_more_than_three_claims_less_of_the_model_counts():
    shares = [share_of_model(_read([0.5] * count, 5).signals) for count in (1, 3, 4, 12, 13, 400)]
    assert shares == pytest.approx([1, 1, math.sqrt(0.75), 0.5, 0.5, 0.5])
    other = [
        replace(signal, judged_by="some/cross-encoder") for signal in _read([0.5] * 9, 0).signals
    ]
    assert share_of_model(other) == 1


def test_the_second_claim_counts_half():
    assert together([0.5, 0.5]) == pytest.approx(1 - 0.5 * 0.75)


def test_an_answer_about_a_record_is_rated_by_a_number_of_its_own():
    record = '{"name": "Inn", "attributes": {"OutdoorSeating": true, "WiFi": "free"}}'
    answer = "The inn is a lovely place with outdoor seating where one surfs for free."
    prose = (Source("s", "The inn has outdoor seating. Its Wi-Fi is free."),)
    about_record, about_prose = score(answer, (Source("s", record),)), score(answer, prose)
    assert about_record is not None
    assert about_prose is not None
    assert about_record < about_prose


def test_the_score_warns_above_the_limit_of_the_policy_and_says_so():
    answer = "The mill stands in Lyon. Greta Olsen painted a harbour."
    measurement = measure(Submission(answer, "", SOURCES))
    answer_score = hallucination_score(measurement)
    assert answer_score is not None
    for limits, action in (
        (ScoreLimits(), Action.ALLOW),
        (ScoreLimits(warn_above=answer_score - 0.01), Action.WARN),
        (ScoreLimits(warn_above=answer_score), Action.ALLOW),
        (
            ScoreLimits(warn_above=answer_score - 0.02, block_above=answer_score - 0.01),
            Action.BLOCK,
        ),
    ):
        rules = PolicyRules(score=limits, safety=SafetyRules(grounding=Action.ALLOW))
        decision = decide(answer, measurement, rules)
        assert decision.action is action, limits
        assert decision.hallucination_score == answer_score
        texts = [reason.text for reason in decision.reasons if reason.code == "hallucination_score"]
        assert bool(texts) is (action is not Action.ALLOW)
        assert all(f"{answer_score:.2f}" in text for text in texts)


def test_a_score_and_its_limit_are_never_told_as_the_same_figure() -> None:
    rules = replace(DEFAULT_RULES, score=replace(DEFAULT_RULES.score, warn_above=0.72))
    (close,), (far,) = _score_reason(0.7213, rules), _score_reason(0.9, rules)
    assert close.text == "The chance that the answer is not fully supported is 0.7213, above 0.7200"
    assert far.text == "The chance that the answer is not fully supported is 0.90, above 0.72"
