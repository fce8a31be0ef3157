"""A question that was accepted is answered, whatever fails on the way."""

from datetime import timedelta

import pytest
from django.db.models.functions import Now

from analysis.models import Check
from assistant.models import Turn, TurnEvidence
from assistant.services import answering, lifecycle, start_conversation
from assistant.services.lifecycle import accept
from documents.models import Document, DocumentState
from documents.services.collections import count_terms
from lib.workqueue.queue import LeaseLost
from tests.sockets import wait_until

QUESTION = "When does the crane stop?"


@pytest.fixture
def turn(put, manager):
    put()
    return accept(start_conversation(manager), QUESTION, by="test", enqueue=False)


def expire(turn):
    Turn.objects.filter(pk=turn.pk).update(lease_until=Now() - timedelta(seconds=1))


def test_only_one_takes_a_question(turn):
    assert lifecycle.claim(turn.pk) is not None
    assert lifecycle.claim(turn.pk) is None
    expire(turn)
    assert lifecycle.claim(turn.pk).epoch == 2


def test_who_lost_the_lease_writes_nothing(turn):
    first = lifecycle.claim(turn.pk)
    expire(turn)
    lifecycle.claim(turn.pk)
    with pytest.raises(LeaseLost):
        lifecycle.finish(first, answer="x", writing={})
    assert Turn.objects.get(pk=turn.pk).answer == ""


def test_after_a_crash_the_next_goes_on_with_the_same_bundle_and_the_same_check(turn, monkeypatch):
    with monkeypatch.context() as context:
        context.setattr(answering, "_wait_for_check", lambda *_, **__: 1 / 0)
        assert not answering.answer(turn.pk)
    queued_turn = Turn.objects.get(pk=turn.pk)
    bundle, check = TurnEvidence.objects.get(), Check.objects.get()
    assert (queued_turn.state, queued_turn.last_error) == ("queued", "ZeroDivisionError")
    assert queued_turn.answer == ""
    assert answering.answer(turn.pk)
    done = Turn.objects.get(pk=turn.pk)
    assert (done.state, done.check_record_id) == ("done", check.pk)
    assert TurnEvidence.objects.get().sha256 == bundle.sha256
    assert "38 km/h" in done.answer


def test_a_question_out_of_attempts_is_given_up_and_kept(turn, settings):
    settings.QUEUE_MAX_ATTEMPTS = 1
    lifecycle.claim(turn.pk)
    expire(turn)
    lifecycle.sweep()
    assert Turn.objects.get(pk=turn.pk).state == "failed"


def test_the_sweeper_enqueues_what_waits_too_long(turn):
    assert lifecycle.sweep().enqueued == 0
    Turn.objects.filter(pk=turn.pk).update(due_at=Now() - timedelta(minutes=5))
    assert lifecycle.sweep().enqueued == 1
    assert lifecycle.sweep().enqueued == 0


def test_a_worker_answers_what_a_client_asks(put, tenant, client_with, stack):
    from accounts.models import Scope
    from accounts.services import create_api_key

    _wait_until_indexed(put())
    scopes = [Scope.ASSISTANT_READ, Scope.ASSISTANT_WRITE]
    _, token = create_api_key(application=tenant, name="t", scopes=scopes, by="test")
    with stack.client(token) as client:
        response = client.post(
            "/api/v1/assistant/messages",
            json={"message": QUESTION, "manager": "Ann"},
            headers={"Prefer": "wait=55"},
        )
    assert response.status_code == 200, response.text + stack.logs()
    assert "38 km/h" in response.json()["answer"]


def _wait_until_indexed(document: Document) -> None:
    """Wait for the index: the stack's worker may have claimed the document before the test does."""
    indexed = Document.objects.filter(pk=document.pk, state=DocumentState.INDEXED)
    wait_until(indexed.exists)
    count_terms(document.collection_id)
