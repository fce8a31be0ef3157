"""Drift: compares the last seven whole days with the four weeks before. Pure functions.

The rule, for each comparison (the mix of something, the scores or the overturned of a segment):

1. At least LEAST of both periods, and eight days before with any; less says nothing. Categories
   expected fewer than five times in the recent week are added to their neighbour, or, where they
   have no order, put together.
2. Pearson's chi-square test of homogeneity of the two periods; Fisher's exact test where two
   categories remain and one is still rare. Checks of one day resemble each other, so the statistic
   is divided by the dispersion of the weeks before: how much more days of the same weekday differ
   than by chance alone. It then follows an F distribution (P. McCullagh, J. A. Nelder,
   "Generalized Linear Models", 2nd edition 1989, section 4.5).
3. Benjamini and Hochberg's procedure over all comparisons of the application (Journal of the Royal
   Statistical Society B 57, 1995): the adjusted p is at most LEVEL.
4. At least MOVED of the checks, as total variation distance, changed their category: with a million
   checks a change of no importance is certain too.

`python -m tools.evaluation.drift` measures how often it alarms where nothing has changed
(docs/reference/trends.md).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

RECENT_DAYS, BEFORE_DAYS = 7, 28
LEVEL = 0.001
MOVED = 0.05
LEAST, LEAST_REVIEWS = (100, 400), (20, 60)
"""The checks, or reviews, of the recent week and of the weeks before."""
_LEAST_EXPECTED = 5
_LEAST_DAYS = 8
_CHANGES_NAMED = 3
DayCounts = np.ndarray[Any, np.dtype[np.int64]]
"""A row for each day, oldest first; a column for each category."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Counts of BEFORE_DAYS and then RECENT_DAYS days, by category.

    `what` is compared, of the checks with this `value` of the `dimension`. `is_ordered`: categories
    are steps of one scale.
    """

    what: str
    dimension: str
    value: str
    keys: tuple[str, ...]
    days: DayCounts
    is_ordered: bool = False
    least: tuple[int, int] = LEAST


@dataclass(frozen=True, slots=True)
class KeyChange:
    """The share of a category before and now."""

    key: str
    before: float
    recent: float


@dataclass(frozen=True, slots=True)
class DriftTest:
    """The result of one comparison; `distance` is the share of checks that moved.

    `p` is of this comparison alone, `adjusted_p` among all of the application.
    """

    what: str
    dimension: str
    value: str
    test: str
    recent: int
    before: int
    statistic: float
    dispersion: float
    p: float
    adjusted_p: float
    distance: float
    changes: tuple[KeyChange, ...]

    @property
    def is_drift(self) -> bool:
        return self.adjusted_p <= LEVEL and self.distance >= MOVED

    @property
    def name(self) -> tuple[str, str, str]:
        return self.what, self.dimension, self.value


def drift_tests(comparisons: Sequence[Comparison]) -> list[DriftTest]:
    """Return the tests of an application's comparisons, the surest first.

    Those with too little to compare are left out.
    """
    # Loaded here: it takes half a second, which other pages and workers need not pay.
    from scipy.stats import false_discovery_control  # type: ignore[import-untyped]  # noqa: PLC0415

    tests = [test for one in comparisons if (test := compare(one))]
    if not tests:
        return []
    adjusted = false_discovery_control([test.p for test in tests], method="bh")
    both = zip(tests, adjusted.tolist(), strict=True)
    return sorted(
        (replace(test, adjusted_p=p) for test, p in both),
        key=lambda test: (not test.is_drift, test.p, test.name),
    )


def compare(comparison: Comparison) -> DriftTest | None:
    """Return the test of one comparison, not yet adjusted, or None if it says nothing."""
    from scipy.special import chdtrc, fdtrc  # type: ignore[import-untyped]  # noqa: PLC0415
    from scipy.stats import fisher_exact  # noqa: PLC0415

    days = comparison.days
    before, recent = days[:BEFORE_DAYS].sum(axis=0), days[BEFORE_DAYS:].sum(axis=0)
    filled_days = np.count_nonzero(days[:BEFORE_DAYS].sum(axis=1))
    if (
        recent.sum() < comparison.least[0]
        or before.sum() < comparison.least[1]
        or filled_days < _LEAST_DAYS
    ):
        return None
    groups = _groups(before + recent, recent.sum(), is_ordered=comparison.is_ordered)
    if len(groups) < 2:
        return None
    grouped = np.stack([days[:, group].sum(axis=1) for group in groups], axis=1)
    table = np.stack([grouped[BEFORE_DAYS:].sum(axis=0), grouped[:BEFORE_DAYS].sum(axis=0)])
    dispersion, degrees = _dispersion(grouped[:BEFORE_DAYS])
    between = len(groups) - 1
    statistic = _chi_square(table)
    p = float(chdtrc(between, statistic))
    test = "chi-square"
    if between == 1 and _expected(table).min() < _LEAST_EXPECTED:
        test, p = "Fisher", float(fisher_exact(table).pvalue)
    if dispersion > 1:
        p = max(p, float(fdtrc(between, degrees, statistic / between / dispersion)))
    of_groups = table / table.sum(axis=1, keepdims=True)
    shares = [counts / counts.sum() for counts in (before, recent)]
    moved = np.abs(shares[1] - shares[0])
    return DriftTest(
        comparison.what, comparison.dimension, comparison.value, test, int(recent.sum()),
        int(before.sum()), round(statistic, 3), round(dispersion, 3), p, p,
        round(float(np.abs(of_groups[0] - of_groups[1]).sum()) / 2, 4),
        tuple(
            KeyChange(comparison.keys[at], *(round(float(share[at]), 4) for share in shares))
            for at in np.argsort(-moved, kind="stable")[:_CHANGES_NAMED].tolist()
            if moved[at]
        ),
    )  # fmt: skip


def _groups(counts: DayCounts, recent: int, *, is_ordered: bool) -> list[list[int]]:
    """Return the categories to compare: those expected often enough, and the others put together.

    On a scale a rare step joins the next one, and a rare end the one before it.
    """
    least = _LEAST_EXPECTED * counts.sum() / recent
    if not is_ordered:
        often = [[at] for at in np.flatnonzero(counts >= least).tolist()]
        rare = np.flatnonzero((counts < least) & (counts > 0)).tolist()
        if not rare:
            return often
        if counts[rare].sum() >= least or len(often) < 2:
            return [*often, rare]
        fewest = min(often, key=lambda group: counts[group[0]])
        return [*(group for group in often if group is not fewest), [*fewest, *rare]]
    groups: list[list[int]] = []
    pending: list[int] = []
    for at in range(len(counts)):
        pending.append(at)
        if counts[pending].sum() >= least:
            groups.append(pending)
            pending = []
    if groups:
        groups[-1] += pending
    return groups


def _expected(table: DayCounts) -> np.ndarray[Any, np.dtype[np.float64]]:
    rows, columns = table.sum(axis=1, keepdims=True), table.sum(axis=0, keepdims=True)
    expected: np.ndarray[Any, np.dtype[np.float64]] = rows * columns / table.sum()
    return expected


def _chi_square(table: DayCounts) -> float:
    """Return Pearson's statistic of a table without empty rows; empty columns count nothing."""
    expected = _expected(table)
    filled = expected > 0
    return float((((table - expected) ** 2)[filled] / expected[filled]).sum())


def _dispersion(days: DayCounts) -> tuple[float, int]:
    """Return how much more days of one weekday differ than by chance, and its degrees of freedom.

    At least 1. Differences between weekdays do not count: both periods have each equally often.
    """
    weeks = days.reshape(-1, 7, days.shape[1])
    checks, categories = weeks.sum(axis=2, keepdims=True), weeks.sum(axis=0, keepdims=True)
    expected = checks * categories / np.maximum(1, checks.sum(axis=0, keepdims=True))
    filled = expected > 0
    statistic = (((weeks - expected) ** 2)[filled] / expected[filled]).sum()
    rows, columns = (checks > 0).sum(axis=0)[:, 0], (categories[0] > 0).sum(axis=1)
    degrees = int((np.maximum(0, rows - 1) * np.maximum(0, columns - 1)).sum())
    return max(1.0, float(statistic) / degrees) if degrees else 1.0, degrees
