"""The steps of each kind of job: a bounded piece of work, and where it then stands."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from analysis.engine.policy.rules import PolicyRules
from analysis.engine.replay.rerun import Tally, together
from analysis.engine.replay.tally_json import tally_from_json, tally_to_json
from analysis.models import Job, JobKind, Policy, ReviewDecision
from analysis.selectors.policies import replayed_document
from analysis.selectors.replaying import Chosen, Part, bounds, next_ids, replay
from analysis.services.bulk import decide_many
from analysis.services.reviews import Words

REPLAYED_AT_ONCE, DECIDED_AT_ONCE = 250, 20
MOST_NAMED = 100
"""Reviews left out that the result names; all are counted."""


@dataclass(frozen=True, slots=True)
class Step:
    """Where a job stands after a step; `result` is None until it is done."""

    done: int
    total: int
    held: dict[str, Any]
    result: dict[str, Any] | None = None


def replay_step(job: Job) -> Step:
    """First count what there is; then decide some of it again, in the order of the ids."""
    chosen = Chosen.from_json(job.given)
    if not job.held:
        found = bounds(job.application_id, chosen)
        held = {"part": found.to_json(), "after": None, "tally": tally_to_json(Tally())}
        return Step(0, min(found.total, chosen.sample), held)
    part, after = Part(**job.held["part"]), job.held["after"]
    policy = Policy.objects.get(pk=job.given["policy_id"])
    ids = next_ids(
        job.application_id, chosen, part, UUID(after) if after else None, REPLAYED_AT_ONCE
    )
    # One process: a worker's may have no children, and the other cores have checks to do.
    now = replay(ids, PolicyRules.from_json(policy.rules), processes=1)
    tally = together([tally_from_json(job.held["tally"]), now])
    done = job.done + len(ids)
    if len(ids) < REPLAYED_AT_ONCE:
        result = replayed_document(policy, chosen, part.total, done, tally)
        return Step(done, done, {}, result)
    held = job.held | {"after": str(ids[-1]), "tally": tally_to_json(tally)}
    return Step(done, max(job.total, done), held)


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


STEPS: dict[JobKind, Callable[[Job], Step]] = {
    JobKind.REPLAY: replay_step,
    JobKind.BULK: bulk_step,
}


def register_step(kind: JobKind, step: Callable[[Job], Step]) -> None:
    """For a kind whose work is done by rooms above this one; called when the app is ready."""
    STEPS[kind] = step
