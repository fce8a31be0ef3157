"""LiteLLM's Generic Guardrail API, without LiteLLM: what is kept, and what each answer becomes."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.response import Response

from analysis.models import Check
from analysis.services.checking import run_check
from documents.services.collections import create_collection
from lib.workqueue.broker import redis_client

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("empty_redis")]
URL = "/beta/litellm_basic_guardrail_api"
RIGHT, WRONG = "Refunds take 14 days.", "Refunds take 30 days."
MESSAGES = [
    {"role": "system", "content": f"<context>{RIGHT}</context>"},
    {"role": "user", "content": "How long do refunds take?"},
]


@pytest.fixture(autouse=True)
def checked_at_once(monkeypatch) -> None:
    """In place of a worker: the test's transaction never commits."""
    monkeypatch.setattr(
        "api.litellm.wait_for_verdict", lambda check_id, seconds: run_check(check_id)
    )


@pytest.fixture
def call(api) -> Callable[..., Any]:
    def make(kind: str, status: int = 200, **members: Any) -> Any:
        body = {"input_type": kind, "litellm_call_id": "c1", "request_data": {}, **members}
        answer: Response = api.post(URL, body, format="json")
        assert answer.status_code == status, answer.content
        return answer.json()

    return make


def asked(call: Callable[..., Any], **members: Any) -> None:
    messages = {"structured_messages": MESSAGES, "texts": [RIGHT], "model": "m"}
    assert call("request", **messages | members) == {"action": "NONE"}


def test_an_answer_is_checked_against_what_its_request_said(call) -> None:
    asked(call)
    assert call("response", texts=[RIGHT, " "]) == {"action": "NONE"}
    blocked = call("response", texts=[RIGHT, WRONG])
    assert blocked["action"] == "BLOCKED"
    assert RIGHT in blocked["blocked_reason"]
    check = Check.objects.latest("created_at")
    assert (check.answer, check.query, check.source_model) == (WRONG, MESSAGES[1]["content"], "m")


def test_a_blocked_text_can_be_replaced_but_json_cannot(call) -> None:
    replacing = {"additional_provider_specific_params": {"on_block": "replace"}}
    asked(call)
    replaced = call("response", texts=[WRONG], **replacing)
    assert replaced["action"] == "GUARDRAIL_INTERVENED"
    assert RIGHT in replaced["texts"][0]
    assert call("response", texts=['{"refunds_take_days": 30}'], **replacing)["action"] != "NONE"


def test_a_prompt_without_messages_is_the_question(call) -> None:
    asked(call, structured_messages=None, texts=[f"How long? <context>{RIGHT}</context>"])
    assert call("response", texts=[WRONG])["action"] == "BLOCKED"
    assert Check.objects.get().query == "How long?"


def test_what_is_kept_is_encrypted_and_belongs_to_the_application(
    call, client_with, other_application
) -> None:
    asked(call)
    (key,) = redis_client().keys("litellm:*")
    assert b"Refunds take" not in redis_client().get(key)
    assert 0 < redis_client().ttl(key) <= 900
    body = {"input_type": "response", "litellm_call_id": "c1", "texts": [RIGHT]}
    foreign = client_with(other_application).post(URL, body, format="json")
    assert foreign.status_code == 409


def test_what_no_check_takes_is_not_kept(call) -> None:
    call("request", 400, structured_messages=5)
    call("request", structured_messages=[5, None, {"role": ["user"], "content": {}}])
    large = [{"role": "user", "content": f"<context>{'x' * 4_100_000}</context>"}]
    call("request", 413, structured_messages=large, litellm_call_id="large")
    assert len(redis_client().keys("litellm:*")) == 1


def test_what_can_never_be_checked_is_an_error(call, application) -> None:
    unseen = call("response", 409, texts=[RIGHT])
    assert "pre_call" in unseen["detail"]
    for wrong in ({"collection": ["a"]}, {"on_block": "warn"}, {"collections": "a"}):
        call("request", 400, texts=[], additional_provider_specific_params=wrong)
    named = {"additional_provider_specific_params": {"collections": ["terms"]}}
    call("response", 422, texts=[RIGHT], **named)
    create_collection(application=application, name="terms", by="t")
    call("response", texts=[WRONG], **named)
    assert Check.objects.get().collections == ["terms"]
    asked(call)
    call("response", 400, texts=["a" * 2_000_000])
    call("other", 400, texts=[])


def test_an_answer_without_a_verdict_is_an_error(call, monkeypatch) -> None:
    monkeypatch.setattr("api.litellm.wait_for_verdict", lambda check_id, seconds: None)
    asked(call)
    assert call("response", 503, texts=[RIGHT])["type"].endswith("not_ready")


PEOPLE = [
    MESSAGES[0],
    {"role": "user", "content": "Refund order A-1234 of Kim Lee, please."},
    {"role": "assistant", "content": "Order A-9999?"},
]
TOOLS = [{"type": "function", "function": {"name": "refund", "description": "as in XY-7788"}}]
REFUSE = {"additional_provider_specific_params": {"tool_calls": "refuse"}}


def calling(name: str = "refund", **arguments: str) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"id": "c", "index": 0, "type": "function", "function": function}


@pytest.mark.parametrize(
    ("tool_call", "reason"),
    [
        (calling(order="A-1234"), ""),
        (calling(order="XY-7788"), ""),
        (calling(), ""),
        (calling(order="A-9999"), "“A-9999”"),
        (calling(page="https://evil.example/a"), "“https://evil.example/a”"),
        (calling("delete_all"), "delete_all, which the request does not offer"),
        (calling(notice="Refunds take 30 days."), "contradict"),
        ({"type": "custom", "custom": {"name": "refund", "input": "A-9999"}}, "“A-9999”"),
        ({"type": "web_search_call", "status": "completed"}, ""),
    ],
)  # fmt: skip
def test_a_tool_call_is_reported_or_held_back(call, tool_call, reason) -> None:
    asked(call, structured_messages=PEOPLE, tools=TOOLS)
    response = {"texts": [RIGHT], "tool_calls": [calling(order="A-1234"), tool_call]}
    assert call("response", **response) == {"action": "NONE"}
    checked = Check.objects.count()
    refused = call("response", **response, **REFUSE)
    assert (refused["action"] == "BLOCKED") is bool(reason)
    assert reason in refused.get("blocked_reason", "")
    passing = {"additional_provider_specific_params": {"tool_calls": "pass"}}
    assert call("response", **response, **passing) == {"action": "NONE"}
    assert Check.objects.count() == 2 * checked + 1
    first = Check.objects.order_by("created_at")[1]
    assert json.loads(first.answer) == {"order": "A-1234"}
    assert first.sources == [RIGHT, PEOPLE[1]["content"]]


def test_of_a_tool_call_whose_request_was_not_seen_no_name_is_looked_for(call, application) -> None:
    create_collection(application=application, name="terms", by="t")
    parameters = {"tool_calls": "refuse", "collections": ["terms"]}
    response = {"tool_calls": [calling(order="A-9999")]}
    named = {"additional_provider_specific_params": parameters}
    assert call("response", **response, **named) == {"action": "NONE"}


def test_tool_calls_of_another_form_are_an_error(call) -> None:
    asked(call)
    call("response", 400, tool_calls="refund")
    call("response", 400, tool_calls=[calling("r" * 300, order="A-9999")])
