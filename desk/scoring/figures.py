"""All figures of a set of scored answers, for a report."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from desk.scoring.scoring import ScoredAnswer
from lib.stats.bootstrap import Interval, auroc_interval, difference_interval
from lib.stats.detection import (
    Bin,
    Counts,
    auroc,
    counts,
    expected_calibration_error,
    flag_all_f1,
    reliability,
)

EVERYTHING = "all"


@dataclass(frozen=True, slots=True)
class Cost:
    """The milliseconds of an answer: CPU time (mean) and wall time (percentiles).

    `tokens` is the mean that judges read of one; `peak_memory` is a process's, in MiB.
    """

    cpu: float
    p50: float
    p95: float
    tokens: float
    peak_memory: float


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
    calibration_error: float | None
    bins: tuple[Bin, ...]
    signals: dict[str, SignalAlone]
    cost: Cost
    without_score: int
    not_checked: dict[str, int]
    rejections: dict[str, tuple[int, int]]
    """By primary reason of the safety checks: how many answers, and how many of them were clean."""
    models: tuple[str, ...]


def group(file: str, task: str, rows: Sequence[ScoredAnswer], rounds: int) -> Group:
    """Compute the figures of one or more rows. `rounds` is the number of samples per interval."""
    labels, sources = [row.label for row in rows], [row.source for row in rows]
    scores, words = [row.ranked for row in rows], [row.words for row in rows]
    bins = tuple(reliability(*_labels_and_values((row.label, row.score) for row in rows)))
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


def _signals(rows: Sequence[ScoredAnswer]) -> dict[str, SignalAlone]:
    areas = {}
    for name in rows[0].signals:
        labels, values = _labels_and_values((row.label, row.signals[name]) for row in rows)
        if values:
            areas[name] = SignalAlone(auroc(labels, values), len(values))
    return areas


def _labels_and_values(
    pairs: Iterable[tuple[bool, float | None]],
) -> tuple[list[bool], list[float]]:
    """Return the pairs that have a value, as two columns."""
    whole = [(label, value) for label, value in pairs if value is not None]
    return [label for label, _ in whole], [value for _, value in whole]


def _cost(rows: Sequence[ScoredAnswer]) -> Cost:
    times = [row.milliseconds for row in rows]
    p50, p95 = np.percentile(times, [50, 95])
    cpu = float(np.mean([row.cpu_milliseconds for row in rows]))
    tokens = float(np.mean([row.tokens for row in rows]))
    peak = max(row.peak_memory for row in rows)
    return Cost(cpu, float(p50), float(p95), tokens, peak)
