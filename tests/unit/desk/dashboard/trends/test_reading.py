"""Many vectors read at once: as one by one, by Python's own arithmetic."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.trends.metrics import BY_NAME, PLACES
from desk.dashboard.trends.reading import added_up, matrix, read, rounded

KEYS = st.integers(0, 3)
ROWS = st.lists(st.tuples(KEYS, st.lists(st.integers(-1, 2), min_size=3, max_size=3)), max_size=12)


def test_arrays_as_the_database_writes_them() -> None:
    assert matrix(["{1,0,-2}", "{30,4,5}"], 3).tolist() == [[1, 0, -2], [30, 4, 5]]
    assert matrix([], 3).shape == (0, 3)
    with pytest.raises(ValueError, match="reshape"):
        matrix(["{1,2}"], 3)


@given(ROWS)
def test_rows_of_one_key_are_added_and_what_comes_to_nothing_is_left_out(rows) -> None:
    expected: dict[int, list[int]] = {}
    for key, counts in rows:
        expected[key] = [a + b for a, b in zip(expected.get(key, [0, 0, 0]), counts, strict=True)]
    keys = np.array([key for key, _ in rows], dtype=np.int64)
    vectors = np.array([counts for _, counts in rows], dtype=np.int64).reshape(len(rows), 3)
    unique_keys, sums = added_up(keys, vectors)
    sum_by_key = dict(zip(unique_keys.tolist(), sums.tolist(), strict=True))
    assert sum_by_key == {key: counts for key, counts in sorted(expected.items()) if any(counts)}
    assert list(sum_by_key) == sorted(sum_by_key)


@given(st.lists(st.fractions(0, 1, max_denominator=100_000), max_size=30))
def test_shares_are_rounded_as_python_rounds(fractions) -> None:
    shares = [float(item) for item in [*fractions, Fraction(417, 640), Fraction(223, 640)]]
    assert rounded(np.array(shares)).tolist() == [round(share, 6) for share in shares]


def test_what_a_metric_says_of_each_row() -> None:
    start = PLACES["checks"].end
    vectors = np.array([[4, 1, 3, 0, 1], [0, 2, 0, 0, 0]], dtype=np.int64)
    some, none = read(BY_NAME["actions"], vectors, start)
    assert (some.of, some.counts) == (4, {"ALLOW": 3, "BLOCK": 1})
    assert some.shares == {"ALLOW": 0.75, "BLOCK": 0.25}
    assert (none.of, none.counts, none.shares) == (0, {}, None)
    failed = read(BY_NAME["checks"], vectors, 0)
    assert [(item.of, item.counts) for item in failed] == [
        (5, {"done": 4, "failed": 1}),
        (2, {"failed": 2}),
    ]
