"""The figures of a few answers that can be checked by hand."""

import pytest

from desk.scoring.figures import Cost, SignalAlone, group
from lib.stats.detection import Counts
from tests.unit.desk.scoring.scored import scored
from tools.evaluation.answers.report import rejection_table

ROWS = [
    scored(
        True, 0.9, source="a", words=0.2, flagged=True, blocked=True, signals={"x": 1.0, "y": None}
    ),
    scored(
        True, 0.4, source="a", words=0.6, signals={"x": 0.0, "y": None}, milliseconds=3.0, tokens=80
    ),
    scored(False, 0.5, source="b", words=0.4, flagged=True, signals={"x": 0.0, "y": 1.0}),
    scored(
        False,
        None,
        source="c",
        words=0.1,
        signals={"x": None, "y": 1.0},
        not_checked=("n",),
        peak_memory=90.0,
    ),
]


def test_an_answer_without_score_counts_as_flagged_not_as_clean() -> None:
    figures = group("f", "all", ROWS, 20)
    # Scores 0.9 and 0.4 against 0.5 and 1: one pair of four is right.
    assert figures.score.value == pytest.approx(1 / 4)
    assert figures.without_score == 1
    assert figures.not_checked == {"n": 1}
    assert sum(item.count for item in figures.bins) == 3, "it has no part in calibration"


def test_counts_of_a_group() -> None:
    figures = group("f", "all", ROWS, 20)
    assert (figures.rows, figures.sources, figures.positive) == (4, 3, 0.5)
    assert figures.words.value == pytest.approx(3 / 4)
    assert figures.gain.value == pytest.approx(1 / 4 - 3 / 4)
    assert figures.shipped == Counts(tp=1, fp=1, tn=1, fn=1)
    assert figures.blocked == Counts(tp=1, fp=0, tn=2, fn=1)
    assert figures.flag_all_f1 == pytest.approx(2 / 3)
    assert figures.cost == Cost(1.0, 1.0, pytest.approx(2.7), tokens=20.0, peak_memory=90.0)
    # |0.9 - 1|, |0.4 - 1| and |0.5 - 0|, each a third.
    assert figures.calibration_error == pytest.approx((0.1 + 0.6 + 0.5) / 3)


def test_a_signal_alone_is_measured_where_it_says_something() -> None:
    signals = group("f", "all", ROWS, 20).signals
    # x: 1 and 0 against 0: one and a half of two pairs. y: only clean answers.
    assert signals == {"x": SignalAlone(pytest.approx(0.75), 3), "y": SignalAlone(None, 2)}


def test_rejections_are_counted_by_reason_with_the_clean_among_them() -> None:
    rows = [
        scored(True, 0.9, rejection="low_grounding"),
        scored(False, 0.4, rejection="low_grounding"),
        scored(False, 0.2, rejection="off_topic"),
        scored(False, 0.1),
    ]
    figures = group("f", "qa", rows, rounds=10)
    assert figures.rejections == {"low_grounding": (2, 1), "off_topic": (1, 1)}
    table_rows = rejection_table([figures]).rows
    assert table_rows[0] == ("f", "qa", "low_grounding", "2", "50.0%", "50.0%")
