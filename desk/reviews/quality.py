"""Quality of decisions according to reviewers: shares counted from reviews, not from cells."""

from dataclasses import dataclass
from enum import StrEnum


class Reviewed(StrEnum):
    """The set of reviewed checks that a rate covers."""

    ALL = "all"
    FLAGGED = "flagged"
    SAMPLED_ALLOWS = "sampled_allows"


@dataclass(frozen=True, slots=True)
class QualityMetric:
    """The share of a set of decided reviews that overturned the action."""

    name: str
    of: Reviewed
    meaning: str


QUALITY = (
    QualityMetric(
        "overturn_rate",
        Reviewed.ALL,
        "Share of reviews that overturned the action, of all that confirmed or overturned it.",
    ),
    QualityMetric(
        "false_positive_rate",
        Reviewed.FLAGGED,
        "Good answers among the flagged: share of WARN and BLOCK that reviewers overturned, of "
        "those decided. Open reviews are not counted.",
    ),
    QualityMetric(
        "false_negative_rate",
        Reviewed.SAMPLED_ALLOWS,
        "Bad answers among the allowed: share of ALLOW in the quality sample that reviewers "
        "overturned, of those decided. Only the random sample is counted, so that it represents "
        "all answers.",
    ),
)
