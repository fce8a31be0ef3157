"""Accuracy of verdicts by phenomenon, in sets that name what each answer was written to show.

An answer shows one thing, as `role-swap`, rightly or wrongly. Wrong ones are ranked against all
right ones of their set.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from desk.scoring.scoring import ScoredAnswer
from lib.stats.bootstrap import Interval, auroc_interval


@dataclass(frozen=True, slots=True)
class Phenomenon:
    """The answers of a file that show one thing, all right or all wrong.

    `flagged` and `blocked` are shares (0-1) under the policy; `score` is the AUROC of wrong ones
    against the right ones of the file, None for right ones.
    """

    name: str
    wrong: bool
    rows: int
    flagged: float
    blocked: float
    score: Interval | None


def phenomena_of(rows: Sequence[ScoredAnswer], rounds: int) -> list[Phenomenon]:
    """Return each phenomenon of a file, the most frequent first.

    Right and wrong answers are apart.
    """
    groups: dict[tuple[str, bool], list[ScoredAnswer]] = {}
    for row in rows:
        if row.phenomenon:
            groups.setdefault((row.phenomenon, row.label), []).append(row)
    right = [row for row in rows if not row.label]
    ordered = sorted(groups.items(), key=lambda item: (item[0][1], -len(item[1]), item[0][0]))
    return [
        Phenomenon(
            name,
            wrong,
            len(own),
            sum(row.flagged for row in own) / len(own),
            sum(row.blocked for row in own) / len(own),
            _ranked(own + right, rounds) if wrong else None,
        )
        for (name, wrong), own in ordered
    ]


def _ranked(rows: Sequence[ScoredAnswer], rounds: int) -> Interval:
    return auroc_interval(
        [row.label for row in rows],
        [row.ranked for row in rows],
        [row.source for row in rows],
        rounds=rounds,
    )
