"""The job that decides reviews in bulk."""

from analysis.models import Job, JobKind, ReviewDecision
from analysis.services.job_steps import JobStep, register_step
from desk.reviews.services.bulk import decide_many
from desk.reviews.services.reviews import Words

DECIDED_AT_ONCE = 20
MOST_NAMED = 100
"""Reviews left out that the result names; all are counted."""


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
