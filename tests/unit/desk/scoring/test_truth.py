"""Labels and spans of the annotators."""

import pytest

from desk.scoring.rows import RowError
from desk.scoring.truth import label_of, spans_of


@pytest.mark.parametrize(("label", "expected"), [(0, False), (1, True), (True, True)])
def test_labels(label, expected) -> None:
    assert label_of({"label": label}) is expected


@pytest.mark.parametrize("label", [None, 2, "1", 1.0, [1]])
def test_other_labels_are_refused(label) -> None:
    with pytest.raises(RowError, match="`label` must be 0 or 1"):
        label_of({"label": label})


def test_a_supported_answer_has_no_spans_and_that_is_known() -> None:
    assert spans_of({"label": 0, "response": "abc", "spans": []}) == ()
    assert spans_of({"label": 0, "response": "abc"}) == ()


def test_an_answer_at_fault_without_spans_was_not_marked() -> None:
    assert spans_of({"label": 1, "response": "abc", "spans": []}) is None
    assert spans_of({"label": 1, "response": "abc", "spans": [[0, 2, "x"]]}) == ((0, 2),)


@pytest.mark.parametrize("span", [[0, 4], [2, 2], [-1, 2], ["0", 1], [0], 5])
def test_spans_outside_the_answer_are_refused(span) -> None:
    with pytest.raises(RowError, match="`spans` must hold"):
        spans_of({"label": 1, "response": "abc", "spans": [span]})
