"""One decision on many reviews: each is decided by itself, changed ones are left out."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User

from analysis.models import Job, JobKind, Review, ReviewDecision
from analysis.services.jobs import JobStep, register_step
from desk.reviews.services.conflicts import NotYours, ReviewConflict
from desk.reviews.services.queue import release
from desk.reviews.services.reviews import (
    TooLate,
    UnfitDecision,
    Words,
    decide_review,
    require_fit,
    undo_decision,
)

LIMIT = 500
DECIDED_AT_ONCE = 20
MOST_NAMED = 100
"""Reviews left out that the result of a job names; all are counted."""


@dataclass(frozen=True, slots=True)
class SkippedReview:
    """A review that was not decided, and why."""

    review_id: int
    why: str


@dataclass(frozen=True, slots=True)
class BulkResult:
    """The outcome of a bulk decision."""

    decided: list[int]
    left_out: list[SkippedReview]


def decide_many(
    *,
    seen: Sequence[tuple[int, int]],
    decision: ReviewDecision,
    by: User,
    words: Words,
) -> BulkResult:
    """Decide the reviews as they were seen: pairs of id and version, at most LIMIT of them.

    Each is a transaction with its own trail entry and second review. Reviews that changed since,
    that somebody else holds, or that this person may not decide are left out. Raises UnfitDecision
    before anything is decided, and ValueError for too many.
    """
    if len(seen) > LIMIT:
        raise ValueError(f"at most {LIMIT} reviews at once")
    versions = dict(seen)
    reviews = Review.objects.select_related("application").filter(pk__in=versions)
    decided, left_out = [], []
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
            decided.append(review.pk)
        except (ReviewConflict, NotYours, UnfitDecision) as error:
            left_out.append(SkippedReview(review.pk, str(error)))
    return BulkResult(decided, left_out)


def undo_many(*, ids: Sequence[int], by: User) -> int:
    """Undo these decisions as far as each still can be; return how many were.

    The reviews are free for everybody again.
    """
    undone = 0
    for review in Review.objects.select_related("application").filter(pk__in=ids[:LIMIT]):
        try:
            undo_decision(review=review, by=by, via="bulk")
        except TooLate:
            continue
        release(review=review, by=by)
        undone += 1
    return undone


def register_bulk() -> None:
    """Register the bulk-decision job; called when the app is ready."""
    register_step(JobKind.BULK, bulk_step)


def bulk_step(job: Job) -> JobStep:
    """Decide the next reviews as they were seen, each with its own trail entry."""
    if job.person is None:
        raise ValueError("a bulk decision is a person's")
    options, pairs = job.input, job.input["seen"]
    words = Words(options["note"], options["reason_codes"])
    part = [(int(review), int(version)) for review, version in pairs[job.done :][:DECIDED_AT_ONCE]]
    outcome = decide_many(
        seen=part, decision=ReviewDecision(options["decision"]), by=job.person, words=words
    )
    progress = job.progress or {"decided": 0, "left_out": 0, "named": []}
    left_out = [{"review_id": item.review_id, "why": item.why} for item in outcome.left_out]
    progress = {
        "decided": progress["decided"] + len(outcome.decided),
        "left_out": progress["left_out"] + len(left_out),
        "named": (progress["named"] + left_out)[:MOST_NAMED],
    }
    done = job.done + len(part)
    result = progress | {"decision": options["decision"]} if done >= len(pairs) else None
    return JobStep(done, len(pairs), progress, result)
