"""The chosen threshold is the one that a search by hand finds."""

import pytest

from desk.scoring.thresholds import candidates, choose, choose_span, spans_at
from lib.stats.detection import Counts, SpanCounts


def f1(counts: Counts) -> float:
    return counts.f1


def balanced(counts: Counts) -> float | None:
    return counts.balanced_accuracy


def test_candidates_lie_between_scores_and_one_flags_all() -> None:
    assert candidates([0.2, 0.6, 0.2, 0.4]) == pytest.approx([0.2, 0.3, 0.5])
    assert candidates([0.5]) == [0.5]
    assert candidates([]) == []
    assert len(candidates([at / 1000 for at in range(1000)], most=10)) == 10


def test_a_clean_cut_is_found_and_lies_between() -> None:
    group = ([True, True, False, False], [0.9, 0.8, 0.4, 0.1])
    assert choose([group], f1) == pytest.approx(0.6)
    assert choose([group], balanced) == pytest.approx(0.6)


def test_f1_and_balanced_accuracy_differ_where_nearly_all_are_at_fault() -> None:
    # Flagging all: F1 8/9. Cutting above 0.5 loses two of four: F1 4/6, but balanced 3/4.
    group = ([True, True, True, True, False], [0.9, 0.8, 0.3, 0.2, 0.4])
    assert choose([group], f1) == pytest.approx(0.2)
    assert choose([group], balanced) == pytest.approx(0.6)


def test_of_equals_the_one_with_fewest_alarms_wins() -> None:
    # At 0.2 (all flagged) F1 is 2/3; at 0.7 too: 1 of 1 flagged, 1 of 2 found.
    group = ([False, True, True], [0.5, 0.2, 0.9])
    by_hand = {0.2: 4 / 5, 0.35: 2 / 4, 0.7: 2 / 3}
    assert choose([group], f1) == pytest.approx(max(by_hand, key=by_hand.__getitem__))
    even = ([True, False, True, False], [0.9, 0.8, 0.2, 0.1])
    assert choose([even], balanced) == pytest.approx(0.85)


def test_small_groups_count_as_much_as_large_ones() -> None:
    large = ([True] * 50 + [False] * 50, [0.9] * 50 + [0.1] * 50)
    small = ([True, False], [0.3, 0.2])
    # 0.25 is right for the small group and costs the large one nothing.
    assert choose([large, small], balanced) == pytest.approx(0.25)


def test_without_rows_there_is_no_threshold() -> None:
    assert choose([], f1) is None
    assert choose([([], [])], f1) is None
    assert choose([([True], [0.4])], balanced) is None
    assert choose_span([]) is None


def test_spans_are_marked_from_the_threshold_on() -> None:
    rows = [((((0, 10), 0.9), ((10, 20), 0.3)), [(0, 10)]), ((((0, 5), 0.6),), [])]
    assert spans_at(rows, 0.5) == SpanCounts(hit=10, predicted=15, true=10)
    assert spans_at(rows, 0.95) == SpanCounts(hit=0, predicted=0, true=10)
    assert choose_span(rows) == pytest.approx(0.75)
