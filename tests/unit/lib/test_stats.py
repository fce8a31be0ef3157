"""Rankings, intervals and odds, against figures that can be counted by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.stats.bootstrap import (
    NONE,
    auroc_interval,
    difference_interval,
    highest_rate,
    resample,
    sample_needed,
)
from lib.stats.detection import (
    Bin,
    Counts,
    auroc,
    counts,
    expected_calibration_error,
    flag_all_f1,
    reliability,
)
from lib.stats.odds import logistic, logit

YES, NO = True, False


@pytest.mark.parametrize(
    ("labels", "scores", "expected"),
    [
        # Two positives, two clean ones: four pairs.
        ([YES, YES, NO, NO], [0.9, 0.8, 0.2, 0.1], 1.0),
        ([NO, NO, YES, YES], [0.9, 0.8, 0.2, 0.1], 0.0),
        ([YES, NO, YES, NO], [0.9, 0.8, 0.2, 0.1], 3 / 4),
        # A tie is half a pair: 0.5 against 0.5 and 0.1, 0.9 against both: (0.5 + 1 + 1 + 1) / 4.
        ([YES, NO, YES, NO], [0.5, 0.5, 0.9, 0.1], 3.5 / 4),
        # All the same: chance.
        ([YES, NO, YES, NO, NO], [0.3] * 5, 0.5),
        # Three positives (0.7, 0.4, 0.4), two clean (0.4, 0.4): 2 + 4 halves of 6.
        ([YES, YES, YES, NO, NO], [0.7, 0.4, 0.4, 0.4, 0.4], 4 / 6),
        ([YES, YES], [0.1, 0.2], None),
        ([NO], [0.1], None),
        ([], [], None),
    ],
)
def test_auroc_counts_pairs_and_half_of_ties(
    labels: list[bool], scores: list[float], expected: float | None
) -> None:
    assert auroc(labels, scores) == (expected if expected is None else pytest.approx(expected))


def test_auroc_equals_the_count_of_pairs_on_many_rows() -> None:
    labels = [at % 3 == 0 for at in range(60)]
    scores = [(at * 7 % 11) / 10 for at in range(60)]
    bad = [score for score, label in zip(scores, labels, strict=True) if label]
    clean = [score for score, label in zip(scores, labels, strict=True) if not label]
    won = sum((item > other) + (item == other) / 2 for item in bad for other in clean)
    assert auroc(labels, scores) == pytest.approx(won / (len(bad) * len(clean)))


def test_auroc_refuses_what_it_cannot_rank() -> None:
    with pytest.raises(ValueError, match="not a number"):
        auroc([YES, NO], [float("nan"), 0.1])
    with pytest.raises(ValueError, match="2 labels and 1 scores"):
        auroc([YES, NO], [0.1])


def test_a_confusion_table() -> None:
    table = counts([YES, YES, YES, NO, NO, NO, NO], [YES, YES, NO, YES, NO, NO, NO])
    assert table == Counts(tp=2, fp=1, tn=3, fn=1)
    assert table.precision == pytest.approx(2 / 3)
    assert table.recall == pytest.approx(2 / 3)
    assert table.f1 == pytest.approx(4 / 6)
    assert table.false_alarms == pytest.approx(1 / 4)
    assert table.balanced_accuracy == pytest.approx((2 / 3 + 3 / 4) / 2)


def test_a_table_without_a_class() -> None:
    assert counts([NO, NO], [YES, NO]).balanced_accuracy is None
    assert counts([YES], [YES]).false_alarms is None
    assert counts([YES], [NO]).f1 == 0
    assert counts([], []) == Counts(0, 0, 0, 0)


def test_flagging_all_has_full_recall() -> None:
    # 1 positive of 4: precision 1/4, recall 1, F1 2 * 1/4 / (5/4).
    assert flag_all_f1([YES, NO, NO, NO]) == pytest.approx(0.4)


def test_bins_hold_their_rows() -> None:
    bins = reliability([True, False, True, True], [0.05, 0.0, 0.95, 1.0])
    assert bins == [
        Bin(0.0, 0.1, 2, pytest.approx(0.025), 0.5),
        Bin(0.9, 1.0, 2, pytest.approx(0.975), 1.0),
    ]


def test_the_error_weighs_bins_by_their_rows() -> None:
    # Three rows at 0.2, one at fault: |0.2 - 1/3|. One row at 0.9, not at fault: |0.9 - 0|.
    bins = reliability([True, False, False, False], [0.2, 0.2, 0.2, 0.9])
    expected = 3 / 4 * (1 / 3 - 0.2) + 1 / 4 * 0.9
    assert expected_calibration_error(bins) == pytest.approx(expected)


def test_a_score_that_means_what_it_says_has_no_error() -> None:
    labels = [True] * 7 + [False] * 3
    assert expected_calibration_error(reliability(labels, [0.7] * 10)) == pytest.approx(0)


def test_without_rows_there_is_no_error() -> None:
    assert expected_calibration_error(reliability([], [])) is None


LABELS = [at % 2 == 0 for at in range(40)]
SCORES = [(at * 13 % 40) / 40 + (0.2 if at % 2 == 0 else 0) for at in range(40)]
ALONE = list(range(40))


def test_the_same_seed_gives_the_same_interval() -> None:
    interval = auroc_interval(LABELS, SCORES, ALONE, rounds=200, seed=7)
    assert interval == auroc_interval(LABELS, SCORES, ALONE, rounds=200, seed=7)
    assert interval != auroc_interval(LABELS, SCORES, ALONE, rounds=200, seed=8)
    assert interval.low is not None
    assert interval.low < interval.value < interval.high


def test_a_perfect_ranking_has_no_width() -> None:
    interval = auroc_interval([True, True, False, False], [0.9, 0.8, 0.2, 0.1], [1, 2, 3, 4])
    assert (interval.value, interval.low, interval.high) == (1.0, 1.0, 1.0)


def test_a_class_that_is_missing_gives_no_interval() -> None:
    assert auroc_interval([True, True], [0.1, 0.2], [1, 2]) == NONE
    assert auroc_interval([], [], []) == NONE


def test_whole_sources_are_drawn() -> None:
    sources = ["a", "a", "a", "b", "c", "c"]
    for weights in resample(sources, 50, seed=3):
        assert weights[0] == weights[1] == weights[2]
        assert weights[4] == weights[5]
        assert weights[0] + weights[3] + weights[4] == 3, "as many draws as sources"


def test_fewer_sources_make_a_wider_interval() -> None:
    # Pairs of equal rows are worth one row: the interval must not shrink by repeating rows.
    twice = [value for value in SCORES for _ in range(2)]
    labels = [value for value in LABELS for _ in range(2)]
    clustered = auroc_interval(labels, twice, [value for value in ALONE for _ in range(2)])
    alone = auroc_interval(labels, twice, list(range(80)))
    assert clustered.high - clustered.low > alone.high - alone.low


def test_a_row_drawn_twice_counts_twice() -> None:
    # By hand: drawing rows (0, 0, 1) of labels (yes, no) is three rows with weights 2 and 1.
    weights = next(iter(resample([0, 1], 1, seed=1)))
    assert weights.sum() == 2
    assert set(weights) <= {0.0, 1.0, 2.0}


def test_the_difference_is_paired() -> None:
    same = difference_interval(LABELS, SCORES, SCORES, ALONE, rounds=50)
    assert (same.value, same.low, same.high) == (0.0, 0.0, 0.0)
    best = [float(label) for label in LABELS]
    gap = difference_interval(LABELS, best, [0.5] * 40, ALONE, rounds=50)
    assert (gap.value, gap.low, gap.high) == (0.5, 0.5, 0.5)
    assert np.isfinite(gap.value)


def test_a_difference_needs_as_many_scores() -> None:
    with pytest.raises(ValueError, match="labels"):
        difference_interval(LABELS, SCORES, SCORES[:-1], ALONE)


@pytest.mark.parametrize(
    ("hits", "n", "bound"),
    # The bounds are those of SciPy: beta.ppf(0.95, hits + 1, n - hits).
    [(0, 149, 0.0199048), (2, 100, 0.0616192), (1, 3, 0.8646496), (3, 3, 1.0), (0, 0, 1.0)],
)
def test_the_exact_bound_of_a_rate(hits: int, n: int, bound: float) -> None:
    assert highest_rate(hits, n, 0.95) == pytest.approx(bound, abs=1e-6)


@pytest.mark.parametrize(
    ("hits", "needed"),
    [(0, 149), (1, 236), (2, 313)],  # 3 / 0.02 = 150 by the rule of three
)
def test_a_sample_is_just_large_enough(hits: int, needed: int) -> None:
    assert sample_needed(hits, 0.02, 0.95) == needed
    assert highest_rate(hits, needed, 0.95) <= 0.02 < highest_rate(hits, needed - 1, 0.95)


@given(st.floats(0.001, 0.999))
def test_log_odds_lead_back_to_the_probability(chance):
    assert logistic(logit(chance)) == pytest.approx(chance)


@given(st.floats(-1e6, 1e6))
def test_odds_of_any_size_are_a_probability(odds):
    assert 0 <= logistic(odds) <= 1


@given(st.floats(0, 1))
def test_certainty_is_kept_away_from_0_and_1(chance):
    assert abs(logit(chance, 0.005)) <= logit(0.995) + 1e-9
