"""Two judges together: a mean of labels, and who judges what."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inference.judge.combined import MOST_CLAIMS, Blend
from inference.judge.types import ClaimJudgement

Labels = tuple[float, float, float]


def judgement(labels: Labels) -> ClaimJudgement:
    return ClaimJudgement(*labels, words=((0, 1, labels[1]),), windows=(), coverage=1.0)


class Fixed:
    """Says the same of each claim; `slow` seconds go by for each, as far as there is time."""

    def __init__(self, name: str, labels: Labels, slow: float = 0.0) -> None:
        self.model_id = f"{name}@1"
        self.labels, self.slow = labels, slow
        self.seconds: list[float | None] = []

    def predict(self, question, evidence, claims, *, before=(), seconds=None):
        self.seconds.append(seconds)
        time.sleep(self.slow)
        late = seconds is not None and seconds <= 0
        return tuple(None if late else judgement(self.labels) for _ in claims)


SURE, UNSURE = (0.9, 0.05, 0.05), (0.4, 0.3, 0.3)


def test_the_labels_are_between_those_of_both_and_the_words_of_the_thorough_one() -> None:
    (both,) = Blend(Fixed("large", SURE), Fixed("small", UNSURE), 0.5).predict("", [], ["a"])
    assert 0.4 < both.entail < 0.9
    assert both.words == judgement(SURE).words
    assert both.judge == ""


def shares() -> st.SearchStrategy[Labels]:
    number = st.floats(0.0, 1.0)

    def as_labels(parts: tuple[float, float]) -> Labels:
        low, high = sorted(parts)
        return low, high - low, 1 - high

    return st.tuples(number, number).map(as_labels)


@given(shares(), shares(), st.floats(0, 1))
def test_the_labels_stay_shares_of_one(first, second, share) -> None:
    (both,) = Blend(Fixed("large", first), Fixed("small", second), share).predict("", [], ["a"])
    labels = (both.entail, both.neutral, both.contradict)
    assert sum(labels) == pytest.approx(1)
    assert min(labels) >= 0


def test_what_one_of_them_had_no_time_for_is_not_judged() -> None:
    thorough = Fixed("large", SURE)
    blend = Blend(thorough, Fixed("small", UNSURE, slow=0.02), 0.5)
    assert blend.predict("", [], ["a"], seconds=0.01) == (None,)
    assert thorough.seconds == [0.0]


def test_of_many_claims_the_thorough_judge_reads_the_first_whatever_the_time() -> None:
    blend = Blend(Fixed("large", SURE), Fixed("small", UNSURE), 0.5)
    judgements = blend.predict("", [], ["a"] * (MOST_CLAIMS + 2))
    names = [judgement.judge for judgement in judgements if judgement is not None]
    assert names == [*[""] * MOST_CLAIMS, "small", "small"]


def test_without_a_limit_both_read_to_the_end() -> None:
    thorough = Fixed("large", SURE)
    Blend(thorough, Fixed("small", UNSURE), 0.5).predict("", [], ["a"])
    assert thorough.seconds == [None]


def test_both_are_named() -> None:
    blend = Blend(Fixed("large", SURE), Fixed("small", UNSURE), 0.5)
    assert blend.model_id == "large@1, small@1"
