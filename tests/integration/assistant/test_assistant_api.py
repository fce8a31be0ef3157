"""`/api/v1/assistant`: the same answers for clients, each application's own."""

import pytest
from rest_framework.test import APIClient

from accounts.models import Application, Scope
from accounts.services import create_application
from assistant.models import Conversation, Turn
from assistant.services import answering
from memory.models import Manager

URL = "/api/v1/assistant/messages"
QUESTION = "May we run the tower crane if gusts reach 60 km/h?"
NOW = {"HTTP_PREFER": "respond-async"}


@pytest.fixture
def client(tenant: Application, client_with) -> APIClient:
    return client_with(tenant, Scope.ASSISTANT_READ, Scope.ASSISTANT_WRITE)


def asked(client, **rest):
    body = {"message": QUESTION, "manager": "Ann"} | rest
    return client.post(URL, body, format="json", **NOW)


def test_a_question_is_kept_answered_by_a_worker_and_read_with_its_evidence(put, client):
    put()
    said = asked(client)
    assert said.status_code == 202
    assert (said.data["state"], said.data["answer"]) == ("queued", None)
    answering.answer(Turn.objects.get().pk)
    found = client.get(said["Location"]).data
    assert (found["state"], found["found"], found["manager"]) == ("done", True, "Ann")
    assert found["verdict"]["action"] == "ALLOW"
    assert found["written_by"] == "extractive"
    first = found["evidence"]["items"][0]
    assert (first["number"], first["kind"], first["cited"]) == (1, "document", True)
    assert first["place"]["file"] == "handbook.txt"
    assert "38 km/h" in first["text"]
    kinds = {one["kind"]: one["status"] for one in found["evidence"]["sources"]}
    assert kinds == {"document": "ok", "weather": "not_asked", "memory": "nothing"}
    assert found["side_by_side"][0]["relation"] == "above"
    assert found["memory"]["facts"][0]["stored"] is False


def test_a_conversation_goes_on_and_is_listed_with_its_turns(client):
    first = asked(client).data
    second = asked(client, manager="", conversation=first["conversation"]).data
    assert second["conversation"] == first["conversation"]
    assert Manager.objects.count() == Conversation.objects.count() == 1
    listed = client.get("/api/v1/assistant/conversations", {"manager": "Ann"}).data["results"]
    assert [(one["title"], one["turn_count"]) for one in listed] == [(QUESTION, 2)]
    turns = client.get(f"/api/v1/assistant/conversations/{first['conversation']}/messages").data
    assert [one["id"] for one in turns["results"]] == [second["id"], first["id"]]


def test_lists_take_few_queries_however_long_they_are(client, django_assert_max_num_queries):
    conversation = asked(client).data["conversation"]
    for _ in range(5):
        asked(client, conversation=conversation)
        asked(client)
    # The key with its application, the page; for turns the conversation too.
    with django_assert_max_num_queries(3):
        client.get("/api/v1/assistant/conversations")
    with django_assert_max_num_queries(4):
        client.get(f"/api/v1/assistant/conversations/{conversation}/messages")


def test_another_application_sees_and_asks_nothing_of_it(client, client_with):
    first = asked(client).data
    other = create_application(name="Other", slug="other", by="test")
    stranger = client_with(other, Scope.ASSISTANT_READ, Scope.ASSISTANT_WRITE)
    assert stranger.get(f"{URL}/{first['id']}").status_code == 404
    where = f"/api/v1/assistant/conversations/{first['conversation']}/messages"
    assert stranger.get(where).status_code == 404
    assert asked(stranger, conversation=first["conversation"]).status_code == 404
    assert stranger.get("/api/v1/assistant/conversations").data["results"] == []


def test_a_conversation_of_another_manager_is_not_found(client):
    first = asked(client).data
    assert asked(client, manager="Ben", conversation=first["conversation"]).status_code == 404


def test_a_key_without_the_scope_is_refused(tenant, client_with):
    assert asked(client_with(tenant, Scope.CHECKS_WRITE)).status_code == 403


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"message": "  ", "manager": "Ann"}, "message"),
        ({"message": QUESTION}, "manager"),
        ({"message": QUESTION, "manager": "Ann", "model": "x"}, "model"),
        ({"message": "a\x00b", "manager": "Ann"}, "message"),
    ],
)
def test_what_is_wrong_with_a_message_is_told(client, body, field):
    said = client.post(URL, body, format="json")
    assert said.status_code == 400
    assert field in str(said.data)
