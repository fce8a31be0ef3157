"""The fault campaign: `make faults` makes a thousand faults, the suite one of most kinds."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from accounts.models import Role, Scope
from accounts.services import create_api_key, grant_role
from audit.tasks import seal_trail
from documents.services.collections import create_collection
from tests.commands import run
from tests.faults import campaign, machine
from tests.faults.stream import Accepted, Client
from tests.stack import Stack

FAULTS = int(os.environ.get("FAULTS", "8"))
SEED = int(os.environ.get("FAULT_SEED", "7"))
LONGEST_SECONDS = 60 * float(os.environ.get("FAULT_MINUTES", "inf"))
"""After this no further fault is made, and what was made is counted."""
PROGRESS = os.environ.get("FAULT_LOG", os.devnull)
"""A file that gets a line for each fault."""

pytestmark = pytest.mark.timeout(120 * FAULTS + 600)


@pytest.fixture
def clock(tmp_path) -> machine.Clock | None:
    return machine.clock(tmp_path)


@pytest.fixture
def stack(transactional_db, empty_redis, clock) -> Iterator[Stack]:
    lives_by = clock.environment if clock else {}
    # A document of a killed worker waits for its lease, which is long for large files.
    limits = {
        "DATABASE_CONNECT_SECONDS": "2",
        "WEB_STATEMENT_SECONDS": "5",
        "DOCUMENT_TIME_LIMIT_SECONDS": "20",
    }
    processes = Stack.start(**limits, **lives_by)
    yield processes
    processes.stop()


def test_nothing_accepted_is_lost_or_doubled(stack, clock, application, capsys) -> None:
    _, token = create_api_key(application=application, name="t", scopes=tuple(Scope), by="t")
    create_collection(application=application, name="handbook", by="test")
    reviewer = User.objects.create_user("reviewer", is_staff=True)
    grant_role(user=reviewer, application=application, role=Role.REVIEWER, by="test")
    accepted = Accepted()
    faults = campaign.Campaign(stack, accepted, SEED, clock)
    with (
        Path(PROGRESS).open("a", buffering=1) as progress,
        campaign.streaming([Client([stack.url], token, accepted, n, SEED) for n in range(3)]),
    ):
        faults.run(FAULTS, LONGEST_SECONDS, lambda line: print(line, file=progress))
        campaign.await_decision(accepted)
    campaign.settle(stack)
    outcome = campaign.outcome(accepted)
    waits = campaign.longest_waits(faults.log)
    with capsys.disabled():
        print(f"\nseed {SEED}: {faults.counts.total()} faults; {outcome.summary()}")
        print("longest time in which nothing was accepted, and from acceptance to verdict:")
        for kind, seconds in sorted(faults.stalls.items(), key=lambda item: -item[1]):
            waited = waits.get(kind, 0.0)
            print(f"  {seconds:6.1f} s {waited:6.1f} s  {faults.counts[kind]} x {kind}")
        print(f"  answers by status: {dict(sorted(accepted.statuses.items()))}")
        if faults.broken:
            print(f"  ended early at {faults.broken[:400]}")
        for kind in faults.left_out:
            print(f"  not made: {kind}")
    assert (faults.broken, accepted.unanswered) == ("", [])
    assert (outcome.lost, outcome.doubled, outcome.queued) == ([], [], 0)
    assert outcome.accepted == outcome.done + outcome.given_up > 0
    assert accepted.decided, "no review was decided"
    assert campaign.undecided() == campaign.lost_decisions(accepted) == 0
    seal_trail()
    for command in ("verify_trail", "verify_decisions"):
        run(command)
