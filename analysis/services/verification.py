"""Verifies an application's trail against its seals in a job, as `manage.py verify_trail` does."""

from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import Sum

from analysis.models import Job, JobKind
from analysis.services.jobs import JobStep, start_job
from audit import signing
from audit.models import TrailEntry, TrailSeal
from audit.verifying import SealChecked, verify_end, verify_seals

SEALS_AT_ONCE = 5
MOST_NAMED = 100
"""Faults that a result names; it counts all of them."""


def start_verification(*, application_id: UUID, by: User) -> Job:
    """Queue the verification of an application's chain. Raises TooManyJobs."""
    return start_job(
        application_id=application_id, kind=JobKind.VERIFICATION, options={},
        by=by.get_username(), person=by,
    )  # fmt: skip


def verify_step(job: Job) -> JobStep:
    """Verify some more seals; the first step counts them, the last checks the end of the chain."""
    chain: UUID = job.application_id
    state = job.progress
    if not state:
        sealed = TrailSeal.objects.filter(chain=chain).aggregate(n=Sum("entries"))["n"] or 0
        state = {"seal": 0, "entries": 0, "erased": 0, "faults": 0, "named": []}
        return JobStep(0, sealed, state)
    compared = list(
        verify_seals(chain, signing.trusted_keys(), after=state["seal"], most=SEALS_AT_ONCE)
    )
    for seal, checked in compared:
        state = _with(state, checked) | {"seal": seal.number}
    if len(compared) == SEALS_AT_ONCE:
        return JobStep(state["entries"], max(job.total, state["entries"]), state)
    for checked in verify_end(chain):
        state = _with(state, checked)
    reach = TrailSeal.objects.filter(chain=chain).order_by("-number").first()
    behind = TrailEntry.objects.filter(application_id=chain, id__gt=reach.up_to_id if reach else 0)
    result = state | {"unsealed": behind.count()}
    return JobStep(state["entries"], state["entries"], {}, result)


def _with(state: dict[str, Any], checked: SealChecked) -> dict[str, Any]:
    lines = [*state["named"], *(f"{fault.kind}: {fault.text}" for fault in checked.findings)]
    return state | {
        "entries": state["entries"] + checked.entries,
        "erased": state["erased"] + checked.erased,
        "faults": state["faults"] + len(checked.findings),
        "named": lines[:MOST_NAMED],
    }
