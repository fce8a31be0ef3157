"""Calibration against figures that can be added up by hand."""

import pytest

from lib.stats.calibration import (
    Bin,
    expected_calibration_error,
    reliability,
)


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
