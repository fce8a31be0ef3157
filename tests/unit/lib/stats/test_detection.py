"""Every figure against one that can be counted by hand."""

import pytest

from lib.stats.detection import (
    NO_SPANS,
    Bin,
    Counts,
    SpanCounts,
    at_threshold,
    auroc,
    counts,
    expected_calibration_error,
    flag_all_f1,
    reliability,
    span_counts,
)

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


def test_a_score_at_the_threshold_is_flagged() -> None:
    assert at_threshold([YES, NO], [0.5, 0.49], 0.5) == Counts(tp=1, fp=0, tn=1, fn=0)


def test_flagging_all_has_full_recall() -> None:
    # 1 positive of 4: precision 1/4, recall 1, F1 2 * 1/4 / (5/4).
    assert flag_all_f1([YES, NO, NO, NO]) == pytest.approx(0.4)


def test_spans_overlap_by_code_point() -> None:
    # [0, 10) was marked, [5, 15) is true: five points of ten and ten.
    overlap = span_counts([(0, 10)], [(5, 15)])
    assert overlap == SpanCounts(hit=5, predicted=10, true=10)
    assert (overlap.precision, overlap.recall, overlap.f1) == (0.5, 0.5, 0.5)


def test_spans_that_overlap_each_other_count_once() -> None:
    assert span_counts([(0, 6), (4, 10)], [(0, 10), (2, 4)]) == SpanCounts(10, 10, 10)


def test_span_counts_add_up_over_answers() -> None:
    # 4 hit of 8 marked and 4 true: F1 8 / 12.
    total = span_counts([(0, 4)], [(0, 4)]) + span_counts([(0, 4)], [])
    assert total == SpanCounts(4, 8, 4)
    assert total.f1 == pytest.approx(2 / 3)
    assert NO_SPANS.f1 == 0


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
