"""`/api/v1/assistant`: the same answers for clients, each application's own."""

import pytest
from rest_framework.test import APIClient

from accounts.models import Application, Scope
from accounts.services import create_application
from analysis.services import idempotency
from assistant.models import Conversation, Turn
from assistant.services import answering
from memory.models import Manager

URL = "/api/v1/assistant/messages"
QUESTION = "May we run the tower crane if gusts reach 60 km/h?"
NOW = {"HTTP_PREFER": "respond-async"}


@pytest.fixture
def client(tenant, client_with) -> APIClient:
    return client_with(tenant, Scope.ASSISTANT_READ, Scope.ASSISTANT_WRITE)


def ask(client, headers=NOW, **rest):
    body = {"message": QUESTION, "manager": "Ann"} | rest
    return client.post(URL, body, format="json", **headers)


def test_a_question_is_kept_answered_by_a_worker_and_read_with_its_evidence(put, client):
    put()
    response = ask(client)
    assert response.status_code == 202
    assert (response.data["state"], response.data["answer"]) == ("queued", None)
    answering.answer(Turn.objects.get().pk)
    document = client.get(response["Location"]).data
    assert (document["state"], document["found"], document["manager"]) == ("done", True, "Ann")
    assert document["verdict"]["action"] == "ALLOW"
    assert document["written_by"] == "extractive"
    first = document["evidence"]["items"][0]
    assert (first["number"], first["kind"], first["cited"]) == (1, "document", True)
    assert first["place"]["file"] == "handbook.txt"
    assert "38 km/h" in first["text"]
    kinds = {item["kind"]: item["status"] for item in document["evidence"]["sources"]}
    assert kinds == {"document": "ok", "weather": "not_asked", "memory": "nothing"}
    assert document["side_by_side"][0]["relation"] == "above"
    assert document["memory"]["facts"] == [], "a question tells nothing"


KEYED = NOW | {"HTTP_IDEMPOTENCY_KEY": "k-1"}


def test_a_request_that_is_repeated_asks_once(client):
    first, again = ask(client, KEYED), ask(client, KEYED)
    assert (again.data["id"], again["Idempotent-Replayed"]) == (first.data["id"], "true")
    assert "Idempotent-Replayed" not in first
    assert Turn.objects.count() == Conversation.objects.count() == 1
    answering.answer(Turn.objects.get().pk)
    done = ask(client, KEYED)
    assert (done.status_code, done.data["state"], "Location" in done) == (200, "done", False)


def test_a_key_is_for_one_request_and_one_application(client, client_with):
    assert ask(client, KEYED, message=" ").status_code == 400
    first = ask(client, KEYED)
    assert first.status_code == 202, "a refused request does not use the key up"
    other = ask(client, KEYED, message="May we dig?")
    assert (other.status_code, other.data["type"].rsplit(":")[-1]) == (
        409, "idempotency_key_reused",
    )  # fmt: skip
    check = client_with(Application.objects.get(), Scope.CHECKS_WRITE).post(
        "/api/v1/checks", {"answer": "A."}, format="json", HTTP_IDEMPOTENCY_KEY="k-1"
    )
    assert check.status_code == 409, "one key, one request, whatever it asks for"
    stranger = create_application(name="Other", slug="other", by="test")
    foreign_turn = ask(client_with(stranger, Scope.ASSISTANT_WRITE), KEYED)
    assert foreign_turn.status_code == 202
    assert foreign_turn.data["id"] != first.data["id"]
    assert ask(client, NOW | {"HTTP_IDEMPOTENCY_KEY": ""}).status_code == 400
    assert Turn.objects.count() == 2


def test_of_two_who_come_at_once_with_one_key_the_second_asks_nothing(client, monkeypatch):
    first = ask(client, KEYED).data
    look, late = idempotency._find_key, iter([None])
    monkeypatch.setattr(
        idempotency, "_find_key", lambda *about: next(late, look(*about))
    )  # as if the first were not there yet
    again = ask(client, KEYED)
    assert (again.data["id"], again["Idempotent-Replayed"]) == (first["id"], "true")
    assert Turn.objects.count() == Conversation.objects.count() == 1


def test_a_manager_has_so_many_open_questions_and_no_more(client, settings):
    settings.ASSISTANT_OPEN_QUESTIONS = 2
    first = ask(client, KEYED)
    ask(client, conversation=first.data["conversation"])
    for refused in (
        ask(client),
        client.post("/api/v1/assistant/briefings", {"manager": "Ann"}, format="json"),
    ):
        assert (refused.status_code, refused["Retry-After"]) == (429, "5")
        assert refused.data["type"] == "urn:watchdog:problem:too_many_open_questions"
        assert "2 questions of this manager wait" in refused.data["detail"]
    assert Turn.objects.count() == 2
    assert Conversation.objects.count() == 1
    assert ask(client, KEYED).status_code == 202, "a repeat is no further question"
    assert ask(client, manager="Ben").status_code == 202
    answering.answer(Turn.objects.earliest("id").pk)
    assert ask(client).status_code == 202


def test_a_conversation_goes_on_and_is_listed_with_its_turns(client):
    first = ask(client).data
    second = ask(client, manager="", conversation=first["conversation"]).data
    assert second["conversation"] == first["conversation"]
    assert Manager.objects.count() == Conversation.objects.count() == 1
    conversations = client.get("/api/v1/assistant/conversations", {"manager": "Ann"}).data[
        "results"
    ]
    assert [(item["title"], item["turn_count"]) for item in conversations] == [(QUESTION, 2)]
    turns = client.get(f"/api/v1/assistant/conversations/{first['conversation']}/messages").data
    assert [turn["id"] for turn in turns["results"]] == [second["id"], first["id"]]


def test_lists_take_few_queries_however_long_they_are(client, django_assert_max_num_queries):
    conversation = ask(client).data["conversation"]
    for _ in range(5):
        ask(client, conversation=conversation)
        ask(client)
    # The key with its application, the page; for turns the conversation too.
    with django_assert_max_num_queries(3):
        client.get("/api/v1/assistant/conversations")
    with django_assert_max_num_queries(4):
        client.get(f"/api/v1/assistant/conversations/{conversation}/messages")


def test_a_conversation_of_another_manager_is_not_found(client):
    first = ask(client).data
    assert ask(client, manager="Ben", conversation=first["conversation"]).status_code == 404


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
    response = client.post(URL, body, format="json")
    assert response.status_code == 400
    assert field in str(response.data)
