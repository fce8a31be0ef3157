"""Self-agreement, with models whose answers are known."""

import re

import numpy as np
import pytest

from analysis.engine import measure
from analysis.engine.signals import consistency
from analysis.engine.types import SignalStatus, Submission
from inference.errors import ModelError
from inference.judge.types import ClaimJudgement

ANSWER = "Refunds take 14 days. The shop is in Oslo."
SAME = "The shop is in Oslo. Refunds take 14 days."
OTHER = "Refunds vary. A shop thrives."
NAMED = "Refunds take 30 days. The shop is not in Oslo."


def judgement(entail, contradict):
    return ClaimJudgement(entail, 1 - entail - contradict, contradict, (), (), 1.0)


class Numbers:
    """Entails where the numbers and names of the claim are in the sample, else contradicts."""

    model_id = "numbers-1"

    def predict(self, _question, evidence, claims, *, before=(), seconds=None):
        return [self._one(evidence[0], claim) for claim in claims]

    def _one(self, sample, claim):
        matches = set(re.findall(r"\d+|Oslo|Bergen", claim))
        if matches <= set(re.findall(r"\d+|Oslo|Bergen", sample)):
            return judgement(0.9, 0.0)
        return judgement(0.1, 0.3)


class Hurried(Numbers):
    """It has no time for claims of the shop."""

    def _one(self, sample, claim):
        return None if "shop" in claim else super()._one(sample, claim)


class Letters:
    """Embeds a text by its letters."""

    model_id = "letters-1"

    def __init__(self):
        self.asked = []

    def embed(self, texts):
        self.asked += texts
        rows = [[text.lower().count(letter) for letter in "abcdefghijklmnop"] for text in texts]
        vectors = np.array(rows, np.float32) + 1e-3
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


class Broken:
    model_id = "broken-1"

    def predict(self, _question, _evidence, _claims, *, before=(), seconds=None):
        raise ModelError("The model is gone.", "Bring it back.")

    def embed(self, texts):
        raise ModelError("The embedding model is gone.", "Bring it back.")


def agreed(samples, judge=None, embedder=None, answer=ANSWER):
    submission = Submission(answer, samples=tuple(samples))
    measurement = measure(submission, embedder, sample_judge=judge)
    return measurement.states["consistency"], [signal.consistency for signal in measurement.signals]


def test_not_given_does_not_apply():
    state, values = agreed(())
    assert state.status is SignalStatus.NOT_APPLICABLE
    assert values == [None, None]


def test_samples_that_say_the_same_agree():
    state, values = agreed([SAME, ANSWER], Numbers())
    assert (state.status, state.model) == (SignalStatus.OK, "numbers-1")
    for value in values:
        assert (value.variance, value.contradiction) == (0.0, 0.0)
        assert value.disagreement == 0.0
        assert value.distance is None
        assert value.samples == 2


def test_samples_that_say_otherwise_disagree():
    _, values = agreed([OTHER, OTHER], Numbers())
    for value in values:
        assert value.contradiction == pytest.approx(0.3 / 0.4)
        assert value.disagreement == pytest.approx(0.9)


def test_what_words_name_is_said_by_words():
    _, with_model = agreed([NAMED], Numbers())
    _, ruled = agreed([NAMED])
    assert with_model == ruled
    assert all(value.contradiction > 0.75 for value in with_model)


def test_the_measure_is_the_mean_and_the_variance_over_samples():
    _, (first, _) = agreed([SAME, OTHER], Numbers())
    assert first.contradiction == pytest.approx(0.75 / 2)
    assert first.disagreement == pytest.approx(0.45)
    assert first.variance == pytest.approx(0.45**2)


def test_without_a_judge_the_rules_compare_and_are_named():
    state, (same, _) = agreed([SAME])
    assert (state.status, state.model) == (SignalStatus.OK, "lexical-1")
    _, (other, _) = agreed([NAMED])
    assert same.disagreement < 0.5 < other.disagreement
    assert other.contradiction > 0.5


def test_a_judge_compares_and_rules_what_it_has_no_time_for():
    samples = ("After 14 days the money is back. The shop is in Oslo.", "Refunds vary.")
    submission = Submission(ANSWER, samples=samples)
    measurement = measure(submission, sample_judge=Hurried())
    refunds, shop = (signal.consistency for signal in measurement.signals)
    assert measurement.states["consistency"].model == "numbers-1"
    assert refunds.disagreement == pytest.approx(0.5)
    _, (_, by_rules) = agreed(samples)
    assert shop == by_rules


def test_words_that_stand_in_a_sample_need_no_judge():
    class Doubting(Numbers):
        def predict(self, _question, _evidence, claims, *, before=(), seconds=None):
            return [judgement(0.0, 0.9)] * len(claims)

    measurement = measure(Submission(ANSWER, samples=(SAME,)), sample_judge=Doubting())
    assert [signal.consistency.disagreement for signal in measurement.signals] == [0.0, 0.0]


def test_samples_that_there_is_no_time_for_are_told(monkeypatch):
    monkeypatch.setattr(consistency, "SECONDS", 0.0)
    state, (first, _) = agreed([SAME] * 3, Numbers())
    assert (state.status, first.samples) == (SignalStatus.TRUNCATED, 1)
    assert state.reason == "2 of 3 samples were not compared"


def test_the_distance_is_to_the_nearest_sentence_of_each_sample():
    embedder = Letters()
    state, (first, second) = agreed([SAME, SAME], Numbers(), embedder)
    assert state.model == "numbers-1 + letters-1"
    assert first.distance == pytest.approx(0.0, abs=1e-4)
    assert second.distance == pytest.approx(0.0, abs=1e-4)
    _, (apart, _) = agreed([SAME, "Bananas ripen."], Numbers(), embedder)
    assert 0.1 < apart.distance < 1


def test_a_missing_embedding_model_is_stated_and_the_rest_stands():
    state, (first, _) = agreed([SAME], Numbers(), Broken())
    assert state.status is SignalStatus.UNAVAILABLE
    assert "The embedding model is gone." in state.reason
    assert first.disagreement == 0.0
    assert first.distance is None


def test_a_missing_judge_is_stated():
    state, values = agreed([SAME], Broken())
    assert state.status is SignalStatus.UNAVAILABLE
    assert state.reason == "The model is gone."
    assert values == [None, None]


def test_what_the_bounds_leave_out_is_told(monkeypatch):
    monkeypatch.setattr(consistency, "MAX_PAIRS", 5)
    state, (first, _) = agreed([SAME] * 4, Numbers())
    assert state.status is SignalStatus.TRUNCATED
    assert state.reason == "2 of 4 samples were not compared"
    assert first.samples == 2
    monkeypatch.setattr(consistency, "MAX_PAIRS", 1)
    assert agreed([SAME] * 4, Numbers())[1][0].samples == 1


def test_too_many_sentences_are_not_embedded_and_told(monkeypatch):
    monkeypatch.setattr(consistency, "MAX_TEXTS", 3)
    embedder = Letters()
    state, (first, _) = agreed([SAME], Numbers(), embedder)
    assert state.status is SignalStatus.TRUNCATED
    assert embedder.asked == []
    assert first.distance is None


def test_an_answer_without_claims_does_not_apply():
    state, values = agreed(["Hello!"], Numbers(), Letters(), answer="Hello there!")
    assert state.status is SignalStatus.NOT_APPLICABLE
    assert values == []
