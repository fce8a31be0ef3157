"""Sealing while others write: nothing is skipped, nothing is sealed twice, the chain holds."""

import random
import threading
from uuid import UUID, uuid4

from django.db import connection, transaction

from audit import signing
from audit.models import Event, TrailEntry, TrailSeal
from audit.sealing import unpack
from audit.seals import seal_trail, settled_id
from audit.verifying import chains, unsealed_count, verify_chain

WRITERS, EACH = 6, 40


def write(application_id: UUID, subject: str = "x") -> TrailEntry:
    return TrailEntry.objects.create(
        application_id=application_id, event=Event.CHECK_FAILED, subject_type="check",
        subject_id=subject, actor="test",
    )  # fmt: skip


def sealed_ids() -> list[int]:
    seals = TrailSeal.objects.order_by("chain", "number")
    return [leaf.entry_id for seal in seals for leaf in unpack(bytes(seal.leaves))]


def assert_whole() -> None:
    for chain in chains():
        for seal in verify_chain(chain, signing.trusted_keys(), None):
            assert seal.findings == ()


def test_an_entry_that_commits_late_is_waited_for(transactional_db) -> None:
    """It took a lower id than one that was there first; the chain goes on behind both."""
    application, was_written, let_go = uuid4(), threading.Event(), threading.Event()

    def late() -> None:
        with transaction.atomic():
            write(application, "late")
            was_written.set()
            let_go.wait(30)
        connection.close()

    thread = threading.Thread(target=late)
    thread.start()
    assert was_written.wait(30)
    early = write(application, "early")
    assert settled_id(patience=0.1) is None
    assert seal_trail(patience=0.1) == 0
    let_go.set()
    thread.join(30)
    assert seal_trail() == 2
    ids = sealed_ids()
    assert ids == sorted(ids)
    assert ids[-1] == early.pk
    assert TrailEntry.objects.get(pk=ids[0]).subject_id == "late"
    assert_whole()


def test_who_begins_later_is_not_waited_for(transactional_db) -> None:
    """A stream of short transactions never holds the sealer up."""
    write(uuid4())
    stop = threading.Event()

    def stream() -> None:
        while not stop.is_set():
            with transaction.atomic():
                write(uuid4())
        connection.close()

    threads = [threading.Thread(target=stream) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        assert all(settled_id(patience=20) is not None for _ in range(5))
    finally:
        stop.set()
        for thread in threads:
            thread.join(30)


def test_concurrent_writers_and_sealers(transactional_db) -> None:
    applications = [uuid4() for _ in range(3)]
    event = threading.Event()

    def writer(seed: int) -> None:
        chance = random.Random(seed)
        for _ in range(EACH):
            try:
                with transaction.atomic():
                    for _ in range(chance.randint(1, 3)):
                        write(chance.choice(applications))
                        threading.Event().wait(chance.random() / 200)
                    if chance.random() < 0.2:
                        raise LookupError  # leaves a gap in the ids
            except LookupError:
                continue
        connection.close()

    def sealer() -> None:
        while not event.is_set():
            seal_trail(at_once=7)
        connection.close()

    writers = [threading.Thread(target=writer, args=(n,)) for n in range(WRITERS)]
    sealers = [threading.Thread(target=sealer) for _ in range(2)]
    for thread in (*writers, *sealers):
        thread.start()
    for thread in writers:
        thread.join(120)
    event.set()
    for thread in sealers:
        thread.join(60)
    seal_trail()
    assert TrailSeal.objects.count() > 10
    assert sorted(sealed_ids()) == list(
        TrailEntry.objects.order_by("id").values_list("pk", flat=True)
    )
    assert unsealed_count() == 0
    assert_whole()
