"""Thresholds: chosen on some rows, used on others, with a record of the rows used."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from lib.stats.detection import NO_SPANS, Counts, Floats, Span, SpanCounts, span_counts

MOST_CANDIDATES = 2_000
Group = tuple[Sequence[bool], Sequence[float]]
"""Labels and scores of the rows of one set and task."""
SpannedClaims = Sequence[tuple[Span, float]]


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The scores from which an answer is flagged, by goal; None if it could not be chosen."""

    f1: float | None
    balanced_accuracy: float | None
    span: float | None
    words_f1: float | None
    words_balanced_accuracy: float | None


NONE_CHOSEN = Thresholds(None, None, None, None, None)


def choose(groups: Sequence[Group], goal: Callable[[Counts], float | None]) -> float | None:
    """Return the threshold with the highest mean of `goal` over the groups; None without rows.

    Every group has equal weight, so that a large set does not decide for small ones; a group whose
    goal is None at a threshold is left out. Of equals the highest wins, which raises the fewest
    alarms.
    """
    tables = [_sorted(group) for group in groups if len(group[0])]
    best: tuple[float, float] | None = None
    for threshold in candidates([score for _, scores in groups for score in scores]):
        goals = [goal(_at(table, threshold)) for table in tables]
        values = [value for value in goals if value is not None]
        if values and (best is None or (np.mean(values), threshold) > best):
            best = (float(np.mean(values)), threshold)
    return best[1] if best else None


def choose_span(rows: Sequence[tuple[SpannedClaims, Sequence[Span]]]) -> float | None:
    """Return the claim score from which marking claims gives the best span F1.

    A row holds its claims with their scores, and the annotators' spans. None without rows.
    """
    scores = [score for claims, _ in rows for _, score in claims]
    best: tuple[float, float] | None = None
    for threshold in candidates(scores, most=200):
        span_f1 = spans_at(rows, threshold).f1
        if best is None or (span_f1, threshold) > best:
            best = (span_f1, threshold)
    return best[1] if best else None


def spans_at(rows: Sequence[tuple[SpannedClaims, Sequence[Span]]], threshold: float) -> SpanCounts:
    """Return the overlap if claims that score at least `threshold` are marked."""
    parts = (
        span_counts([span for span, score in claims if score >= threshold], true)
        for claims, true in rows
    )
    return sum(parts, NO_SPANS)


def candidates(scores: Sequence[float], most: int = MOST_CANDIDATES) -> list[float]:
    """Return thresholds between adjacent scores and one below all.

    At most `most`, evenly spaced.
    """
    distinct = np.unique(np.asarray(scores, dtype=float))
    if not distinct.size:
        return []
    between = (distinct[1:] + distinct[:-1]) / 2
    thresholds = np.r_[distinct[0], between]
    if thresholds.size > most:
        thresholds = thresholds[np.linspace(0, thresholds.size - 1, most).round().astype(int)]
    return [float(value) for value in thresholds]


def _sorted(group: Group) -> tuple[Floats, Floats]:
    """Return the sorted scores of the positive rows and of the clean rows."""
    labels, scores = np.asarray(group[0], dtype=bool), np.asarray(group[1], dtype=float)
    return np.sort(scores[labels]), np.sort(scores[~labels])


def _at(table: tuple[Floats, Floats], threshold: float) -> Counts:
    positive, clean = table
    false_negatives, true_negatives = (int(np.searchsorted(part, threshold)) for part in table)
    return Counts(
        positive.size - false_negatives,
        clean.size - true_negatives,
        true_negatives,
        false_negatives,
    )
