"""Cohen's kappa against `cohens_kappa` of statsmodels 0.14, written by others."""

import pytest

from desk.reviews.agreement import Agreement, agreement

LABELS = ("confirmed", "overturned", "escalated")


def pairs(table: list[list[int]]) -> list[tuple[str, str]]:
    """Return a table of counts, rows the first reviewer, as pairs."""
    return [
        (LABELS[row], LABELS[column])
        for row, counts in enumerate(table)
        for column, count in enumerate(counts)
        for _ in range(count)
    ]


@pytest.mark.parametrize(
    ("table", "raw", "kappa", "low", "high"),
    [
        ([[20, 5], [10, 15]], 0.7, 0.4, 0.151092290476661, 0.6489077095233389),
        (
            [[53, 5, 2], [11, 14, 5], [1, 6, 3]],
            0.7, 0.4285714285714285, 0.27969485445574205, 0.5774480026871149,
        ),
    ],
)  # fmt: skip
def test_it_gives_what_statsmodels_gives(table, raw, kappa, low, high) -> None:
    result = agreement(pairs(table))
    assert result.n == sum(map(sum, table))
    assert (result.raw, result.kappa) == (pytest.approx(raw), pytest.approx(kappa))
    assert (result.low, result.high) == (pytest.approx(low), pytest.approx(high))


def test_all_alike_over_two_labels_is_one() -> None:
    result = agreement(pairs([[5, 0], [0, 5]]))
    assert (result.raw, result.kappa, result.low, result.high) == (1, 1, 1, 1)


def test_what_chance_explains_has_no_kappa() -> None:
    assert agreement([]) == Agreement(0, None, None, None, None)
    assert agreement(pairs([[7]])) == Agreement(7, 1.0, None, None, None)


def test_who_is_first_does_not_matter() -> None:
    there = agreement(pairs([[20, 5], [10, 15]]))
    back = agreement([(b, a) for a, b in pairs([[20, 5], [10, 15]])])
    assert there.kappa == pytest.approx(back.kappa)
    assert there.low == pytest.approx(back.low)
