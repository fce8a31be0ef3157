"""The fault campaign: `make faults` makes a thousand faults, the suite one of most kinds."""

import os
from collections.abc import Iterator
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command

from accounts.models import ApiKey, Role
from accounts.services import grant_role
from audit.tasks import seal_trail
from documents.services.collections import create_collection
from tests.faults import campaign
from tests.faults.stream import Accepted
from tests.stack import Stack

FAULTS = int(os.environ.get("FAULTS", "8"))
SEED = int(os.environ.get("FAULT_SEED", "7"))

pytestmark = pytest.mark.timeout(120 * FAULTS + 600)


@pytest.fixture
def stack(transactional_db: None, empty_redis: None) -> Iterator[Stack]:
    running = Stack.start(DATABASE_CONNECT_SECONDS="2", WEB_STATEMENT_SECONDS="5")
    yield running
    running.stop()


def test_nothing_accepted_is_lost_or_doubled(
    stack: Stack, api_key: tuple[ApiKey, str], capsys: pytest.CaptureFixture[str]
) -> None:
    application = api_key[0].application
    create_collection(application=application, name="handbook", by="test")
    reviewer = User.objects.create_user("reviewer", is_staff=True)
    grant_role(user=reviewer, application=application, role=Role.REVIEWER, by="test")
    accepted = Accepted()
    made = campaign.Campaign(stack, accepted, SEED)
    with campaign.streaming(stack, api_key[1], accepted, SEED) as clients:
        made.run(FAULTS)
    assert not any(client.is_alive() for client in clients)
    campaign.settle(stack)
    found = campaign.outcome(accepted)
    with capsys.disabled():
        print(f"\nseed {SEED}: {made.counted.total()} faults; {found.told()}")
        for kind, seconds in sorted(made.stalls.items(), key=lambda item: -item[1]):
            print(f"  {seconds:6.1f} s  longest stall of {made.counted[kind]} x {kind}")
    assert (found.lost, found.doubled, found.queued) == ([], [], 0)
    assert found.accepted == found.done + found.given_up > 0
    assert campaign.undecided() == campaign.lost_decisions(accepted) == 0
    seal_trail()
    for command in ("verify_trail", "verify_decisions"):
        call_command(command, stdout=StringIO())
