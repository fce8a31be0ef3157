"""All figures of a set of scored answers, for a report."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from desk.scoring.scoring import ScoredAnswer
from desk.scoring.thresholds import (
    NONE_CHOSEN,
    Thresholds,
    choose,
    choose_span,
    spans_at,
)
from lib.stats.bootstrap import Interval, auroc_interval, difference_interval
from lib.stats.detection import (
    Bin,
    Counts,
    SpanCounts,
    at_threshold,
    auroc,
    counts,
    expected_calibration_error,
    flag_all_f1,
    reliability,
)

EVERYTHING = "all"


@dataclass(frozen=True, slots=True)
class Cost:
    """The milliseconds of an answer: wall time (mean and percentiles) and CPU time.

    `tokens` is the mean that judges read of one; `peak_memory` is a process's, in MiB.
    """

    cpu: float
    mean: float
    p50: float
    p95: float
    tokens: float
    peak_memory: float


@dataclass(frozen=True, slots=True)
class Decisions:
    """The confusion tables at thresholds chosen on other data; None if a threshold is missing."""

    thresholds: Thresholds
    f1: Counts | None
    balanced: Counts | None
    words_f1: Counts | None
    words_balanced: Counts | None
    spans: SpanCounts | None


@dataclass(frozen=True, slots=True)
class SignalAlone:
    """The accuracy of one signal alone, on the rows where it has a value."""

    auroc: float | None
    rows: int


@dataclass(frozen=True, slots=True)
class Group:
    """The figures of one file, or of one task in it. `positive` is the share of bad answers."""

    file: str
    task: str
    rows: int
    sources: int
    positive: float
    score: Interval
    words: Interval
    gain: Interval
    flag_all_f1: float
    shipped: Counts
    blocked: Counts
    """Of the policy, where only BLOCK counts as rejected."""
    decisions: Decisions
    calibration_error: float | None
    bins: tuple[Bin, ...]
    signals: dict[str, SignalAlone]
    cost: Cost
    without_score: int
    not_checked: dict[str, int]
    rejections: dict[str, tuple[int, int]]
    """By primary reason of the safety checks: how many answers, and how many of them were clean."""
    models: tuple[str, ...]


def group(
    file: str, task: str, rows: Sequence[ScoredAnswer], thresholds: Thresholds | None, rounds: int
) -> Group:
    """Compute the figures of one or more rows. `rounds` is the number of samples per interval."""
    labels, sources = _labels(rows), [row.source for row in rows]
    scores, words = _scores(rows), [row.words for row in rows]
    bins = _bins(rows)
    return Group(
        file=file,
        task=task,
        rows=len(rows),
        sources=len(set(sources)),
        positive=sum(labels) / len(rows),
        score=auroc_interval(labels, scores, sources, rounds=rounds),
        words=auroc_interval(labels, words, sources, rounds=rounds),
        gain=difference_interval(labels, scores, words, sources, rounds=rounds),
        flag_all_f1=flag_all_f1(labels),
        shipped=counts(labels, [row.flagged for row in rows]),
        blocked=counts(labels, [row.blocked for row in rows]),
        decisions=decide(rows, thresholds or NONE_CHOSEN),
        calibration_error=expected_calibration_error(bins),
        bins=bins,
        signals=_signals(rows),
        cost=_cost(rows),
        without_score=sum(row.score is None for row in rows),
        not_checked=dict(Counter(what for row in rows for what in row.not_checked)),
        rejections=_rejections(rows),
        models=tuple(sorted({model for row in rows for model in row.models})),
    )


def _rejections(rows: Sequence[ScoredAnswer]) -> dict[str, tuple[int, int]]:
    counts = Counter(row.rejection for row in rows if row.rejection)
    clean = Counter(row.rejection for row in rows if row.rejection and not row.label)
    return {reason: (count, clean[reason]) for reason, count in counts.most_common()}


def tasks_of(rows: Sequence[ScoredAnswer]) -> dict[str, list[ScoredAnswer]]:
    """Return the rows by task, in the order of first appearance."""
    tasks: dict[str, list[ScoredAnswer]] = {}
    for row in rows:
        tasks.setdefault(row.task, []).append(row)
    return tasks


def fit(sets: Sequence[Sequence[ScoredAnswer]]) -> Thresholds:
    """Choose thresholds for these files; each task of each file has equal weight."""
    groups = [rows for file in sets for rows in tasks_of(file).values()]
    ours = [(_labels(rows), _scores(rows)) for rows in groups]
    words = [(_labels(rows), [row.words for row in rows]) for rows in groups]
    return Thresholds(
        f1=choose(ours, _f1),
        balanced_accuracy=choose(ours, _balanced),
        span=choose_span([pair for rows in groups for pair in _spanned(rows)]),
        words_f1=choose(words, _f1),
        words_balanced_accuracy=choose(words, _balanced),
    )


def decide(rows: Sequence[ScoredAnswer], thresholds: Thresholds) -> Decisions:
    """Return the confusion tables at given thresholds."""
    labels, words = _labels(rows), [row.words for row in rows]

    def table(scores: Sequence[float], threshold: float | None) -> Counts | None:
        return None if threshold is None else at_threshold(labels, scores, threshold)

    scores, spanned = _scores(rows), _spanned(rows)
    has_spans = thresholds.span is not None and any(true for _, true in spanned)
    return Decisions(
        thresholds=thresholds,
        f1=table(scores, thresholds.f1),
        balanced=table(scores, thresholds.balanced_accuracy),
        words_f1=table(words, thresholds.words_f1),
        words_balanced=table(words, thresholds.words_balanced_accuracy),
        spans=spans_at(spanned, thresholds.span or 0.0) if has_spans else None,
    )


def _labels(rows: Sequence[ScoredAnswer]) -> list[bool]:
    return [row.label for row in rows]


def _scores(rows: Sequence[ScoredAnswer]) -> list[float]:
    return [row.ranked for row in rows]


def _spanned(
    rows: Sequence[ScoredAnswer],
) -> list[tuple[tuple[tuple[tuple[int, int], float], ...], tuple[tuple[int, int], ...]]]:
    """Return the answers whose spans are known, if the set has any spans at all."""
    if not any(row.spans for row in rows):
        return []
    return [(row.marks, row.spans) for row in rows if row.spans is not None]


def _f1(counts: Counts) -> float:
    return counts.f1


def _balanced(counts: Counts) -> float | None:
    return counts.balanced_accuracy


def _bins(rows: Sequence[ScoredAnswer]) -> tuple[Bin, ...]:
    scored_rows = [(row.label, row.score) for row in rows if row.score is not None]
    return tuple(
        reliability([label for label, _ in scored_rows], [score for _, score in scored_rows])
    )


def _signals(rows: Sequence[ScoredAnswer]) -> dict[str, SignalAlone]:
    areas = {}
    for name in rows[0].signals:
        labelled_values = [(row.label, row.signals[name]) for row in rows]
        present_values = [(label, value) for label, value in labelled_values if value is not None]
        if present_values:
            area = auroc(
                [label for label, _ in present_values], [value for _, value in present_values]
            )
            areas[name] = SignalAlone(area, len(present_values))
    return areas


def _cost(rows: Sequence[ScoredAnswer]) -> Cost:
    times = [row.milliseconds for row in rows]
    p50, p95 = np.percentile(times, [50, 95])
    cpu = float(np.mean([row.cpu_milliseconds for row in rows]))
    tokens = float(np.mean([row.tokens for row in rows]))
    peak = max(row.peak_memory for row in rows)
    return Cost(cpu, float(np.mean(times)), float(p50), float(p95), tokens, peak)
