"""Quality of the decisions according to reviewers: shares counted from reviews, not from cells."""

from dataclasses import dataclass
from enum import StrEnum


class Reviewed(StrEnum):
    """Which reviewed checks a rate is of."""

    ALL = "all"
    FLAGGED = "flagged"
    SAMPLED_ALLOWS = "sampled_allows"


@dataclass(frozen=True, slots=True)
class QualityMetric:
    """The share of decided reviews that overturned the action, of some of them."""

    name: str
    of: Reviewed
    meaning: str


QUALITY = (
    QualityMetric(
        "overturn_rate",
        Reviewed.ALL,
        "Decided reviews that overturned the action, of all that confirmed or overturned one.",
    ),
    QualityMetric(
        "false_positive_rate",
        Reviewed.FLAGGED,
        "Good answers among the rejected: WARN and BLOCK that a reviewer overturned, of those "
        "decided. Says nothing of those that nobody has decided yet.",
    ),
    QualityMetric(
        "false_negative_rate",
        Reviewed.SAMPLED_ALLOWS,
        "Bad answers among the allowed: ALLOW in the quality sample that a reviewer overturned, "
        "of those decided. Only what chance drew is counted, so that it speaks for all.",
    ),
)
