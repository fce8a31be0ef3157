"""The job that replays stored checks under another version."""

from uuid import UUID

from django.contrib.auth.models import User

from analysis.engine.policy import PolicyRules
from analysis.engine.replay import Tally, tally_from_json, tally_to_json, together
from analysis.models import Job, JobKind, Policy
from analysis.services.jobs import JobStep, start_job
from desk.policies.selectors.policies import replayed_document
from desk.policies.selectors.replaying import (
    ReplaySample,
    ReplaySelection,
    bounds,
    next_ids,
    replay,
)

REPLAYED_AT_ONCE = 250


def start_replay(policy: Policy, selection: ReplaySelection, *, by: User | str) -> Job:
    """Queue a replay under this version. Raises TooManyJobs."""
    person = by if isinstance(by, User) else None
    return start_job(
        application_id=policy.application_id,
        kind=JobKind.REPLAY,
        options={"policy_id": policy.pk, **selection.to_json()},
        by=person.get_username() if person else str(by),
        person=person,
    )


def replay_step(job: Job) -> JobStep:
    """Replay some more checks in the order of their ids; the first step counts them."""
    selection = ReplaySelection.from_json(job.input)
    if not job.progress:
        selected_part = bounds(job.application_id, selection)
        state = {"part": selected_part.to_json(), "after": None, "tally": tally_to_json(Tally())}
        return JobStep(0, min(selected_part.total, selection.sample), state)
    part, after = ReplaySample(**job.progress["part"]), job.progress["after"]
    policy = Policy.objects.get(pk=job.input["policy_id"])
    ids = next_ids(
        job.application_id, selection, part, UUID(after) if after else None, REPLAYED_AT_ONCE
    )
    # One process: a worker's may have no children, and the other cores have checks to do.
    now = replay(ids, PolicyRules.from_json(policy.rules), processes=1)
    tally = together([tally_from_json(job.progress["tally"]), now])
    done = job.done + len(ids)
    if len(ids) < REPLAYED_AT_ONCE:
        result = replayed_document(policy, selection, part.total, done, tally)
        return JobStep(done, done, {}, result)
    state = job.progress | {"after": str(ids[-1]), "tally": tally_to_json(tally)}
    return JobStep(done, max(job.total, done), state)
