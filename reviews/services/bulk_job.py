"""Reviews decided in bulk, by a job."""

from analysis.models import Job, JobKind, ReviewDecision
from analysis.services.job_steps import Step, register_step
from reviews.services.bulk import decide_many
from reviews.services.reviews import Words

DECIDED_AT_ONCE = 20
MOST_NAMED = 100
"""Reviews left out that the result names; all are counted."""


def register_bulk() -> None:
    """Called when the app is ready."""
    register_step(JobKind.BULK, bulk_step)


def bulk_step(job: Job) -> Step:
    """Decide the next reviews as they were seen, each with its own entry in the trail."""
    if job.person is None:
        raise ValueError("a bulk decision is a person's")
    given, seen = job.given, job.given["seen"]
    words = Words(given["note"], given["reason_codes"])
    part = [(int(review), int(version)) for review, version in seen[job.done :][:DECIDED_AT_ONCE]]
    outcome = decide_many(
        seen=part, decision=ReviewDecision(given["decision"]), by=job.person, words=words
    )
    held = job.held or {"decided": 0, "left_out": 0, "named": []}
    named = [{"review_id": one.review_id, "why": one.why} for one in outcome.left_out]
    held = {
        "decided": held["decided"] + outcome.decided,
        "left_out": held["left_out"] + len(named),
        "named": (held["named"] + named)[:MOST_NAMED],
    }
    done = job.done + len(part)
    told = held | {"decision": given["decision"]} if done >= len(seen) else None
    return Step(done, len(seen), held, told)
