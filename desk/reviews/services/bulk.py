"""One decision on many reviews: each is decided by itself, and what changed is left out."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User

from analysis.models import Review, ReviewDecision
from desk.reviews.services.conflicts import NotYours, ReviewConflict
from desk.reviews.services.reviews import UnfitDecision, Words, decide_review, require_fit

LIMIT = 500


@dataclass(frozen=True, slots=True)
class SkippedReview:
    """A review that was not decided, and why."""

    review_id: int
    why: str


@dataclass(frozen=True, slots=True)
class BulkResult:
    """What became of a bulk decision."""

    decided: int
    left_out: list[SkippedReview]


def decide_many(
    *,
    seen: Sequence[tuple[int, int]],
    decision: ReviewDecision,
    by: User,
    words: Words,
) -> BulkResult:
    """Decide the reviews as they were seen: pairs of id and version, at most LIMIT of them.

    Each is a transaction of its own, with its own entry in the trail and its own second review.
    Left out is what has changed since, what somebody else holds, and what is not theirs to decide.
    Raises UnfitDecision, before anything is decided, and ValueError for too many.
    """
    if len(seen) > LIMIT:
        raise ValueError(f"at most {LIMIT} reviews at once")
    versions = dict(seen)
    reviews = Review.objects.select_related("application").filter(pk__in=versions)
    decided, left_out = 0, []
    require_fit(decision, words)
    for review in reviews.order_by("rank_at", "id"):
        try:
            decide_review(
                review=review,
                decision=decision,
                by=by,
                words=words,
                version=versions[review.pk],
                via="bulk",
            )
            decided += 1
        except (ReviewConflict, NotYours, UnfitDecision) as error:
            left_out.append(SkippedReview(review.pk, str(error)))
    return BulkResult(decided, left_out)
