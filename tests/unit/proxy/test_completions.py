"""Whole answers through the proxy, by OpenAI's own client."""

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import openai
import pytest

from fake_watchdog import ANSWERS, table
from proxy.app import create_app
from proxy.settings import Settings
from tests import fake_llm
from tests.unit.proxy.serving import Running, proxying
from watchdog_client.guard import UNAVAILABLE

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "which-door.md"
TABLE = table(PAGE)
PATHS = ["chat/completions", "responses"]
QUESTION: Any = [
    {"role": "system", "content": "Be brief. <context>Refunds take 14 days.</context>"},
    {"role": "user", "content": "How long do refunds take?"},
]


def ask(running: Running, key: str = "wd_key", **options: Any) -> Any:
    return running.client(key).chat.completions.create(model="m", messages=QUESTION, **options)


def ask_raw(running: Running) -> Any:
    chat = running.client().chat.completions
    return chat.with_raw_response.create(model="m", messages=QUESTION)


def completion(*choices: object, **members: object) -> fake_llm.Reply:
    """Return a completion with these choices."""
    body = {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": choices}
    return fake_llm.Reply(200, json.dumps(body | members).encode())


def choice(message: object, finish: str = "stop", **members: object) -> dict[str, Any]:
    return {"index": 0, "finish_reason": finish, "message": message, **members}


@pytest.mark.parametrize(
    ("answer", "action", "content"),
    [
        ("Refunds take 14 days.", "ALLOW", "Refunds take 14 days."),
        ("Refunds perhaps take longer.", "WARN", "Doubtful: Refunds perhaps take longer."),
        ("Refunds take 30 days.", "BLOCK", "I don't know."),
    ],
)
def test_a_completion_shows_what_the_policy_allows(answer, action, content) -> None:
    with proxying(fake_llm.text(answer)) as running:
        raw = ask_raw(running)
        completion = raw.parse()
        assert completion.choices[0].message.content == content
        assert completion.watchdog["action"] == action
        assert completion.watchdog["checks"][0]["check_id"] == "c1"
        assert raw.headers["X-Watchdog-Action"] == action
        assert raw.headers["X-Watchdog-Check"] == "c1"
        assert running.watchdog.bodies == [
            {
                "answer": answer,
                "query": "How long do refunds take?",
                "sources": ["Refunds take 14 days."],
                "source_model": "m",
            }
        ]
        assert running.watchdog.keys == {"Bearer wd_key"}
        assert running.model.keys == ["Bearer model-key"]


@pytest.mark.parametrize(
    ("answer", "content"),
    [("Refunds take 14 days.", "Refunds take 14 days."), ("It takes 30 days.", "I don't know.")],
)
def test_a_response_shows_what_the_policy_allows(answer, content) -> None:
    with proxying(fake_llm.text(answer)) as running:
        response = running.client().responses.create(
            model="m", instructions="<context>Fourteen days.</context>", input="How long?"
        )
        assert response.output_text == content
        assert response.output[0].summary == []
        assert response.usage.total_tokens == 15
        (body,) = running.watchdog.bodies
        assert (body["query"], body["sources"]) == ("How long?", ["Fourteen days."])


def test_the_extension_names_collections_and_does_not_reach_the_model() -> None:
    with proxying() as running:
        ask(running, extra_body={"watchdog": {"collections": ["handbook"], "sources": ["mine"]}})
        (body,) = running.watchdog.bodies
        assert (body["collections"], body["sources"]) == (["handbook"], ["mine"])
        assert "watchdog" not in running.model.requests[0]


def test_an_answer_that_only_calls_tools_passes_unchecked() -> None:
    call = {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    with proxying(completion(choice(message, "tool_calls"))) as running:
        answer = ask(running)
        assert answer.choices[0].message.tool_calls[0].id == "1"
        assert running.watchdog.bodies == []


def test_text_that_nobody_verified_is_not_passed_on() -> None:
    message = {"role": "assistant", "content": "It takes 30 days.", "reasoning_content": "30 days"}
    logprobs = {"content": [{"token": "30", "logprob": -0.1, "bytes": None, "top_logprobs": []}]}
    reply = completion(choice(message, logprobs=logprobs), draft="30 days")
    with proxying(reply) as running:
        assert "30" not in ask_raw(running).text


@pytest.mark.parametrize(
    ("status", "kind"), [(429, openai.RateLimitError), (400, openai.BadRequestError)]
)
def test_an_error_of_the_model_passes_through(status, kind) -> None:
    with proxying(fake_llm.status(status)) as running:
        for stream in (False, True):
            with pytest.raises(kind, match=f"status {status}"):
                ask(running, stream=stream)


def test_a_refusal_is_checked_like_any_text() -> None:
    refusing = {"role": "assistant", "content": None, "refusal": "It takes 30 days."}
    with proxying(completion(choice(refusing))) as running:
        message = ask(running).choices[0].message
        assert (message.content, message.refusal) == (None, "I don't know.")
        assert [body["answer"] for body in running.watchdog.bodies] == ["It takes 30 days."]


def test_so_is_one_of_a_response() -> None:
    part = {"type": "refusal", "refusal": "It takes 30 days."}
    item = {"type": "message", "id": "i", "role": "assistant", "content": [part]}
    body = {"id": "x", "object": "response", "created_at": 1, "model": "m", "output": [item]}
    with proxying(fake_llm.as_it_is(json.dumps(body).encode())) as running:
        response = running.client().responses.create(model="m", input="?")
        assert response.output[0].content[0].refusal == "I don't know."


def test_content_in_parts_is_checked_as_one_text() -> None:
    parts = [{"type": "text", "text": "It takes "}, {"type": "text", "text": "14 days."}]
    with proxying(completion(choice({"role": "assistant", "content": parts}))) as running:
        answer = ask(running)
        assert answer.choices[0].message.content == "It takes 14 days."
        assert [body["answer"] for body in running.watchdog.bodies] == ["It takes 14 days."]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("messages", [5, ["text"], {"role": "user"}], ids=str)
def test_messages_of_another_form_are_a_400_that_names_them(path, messages) -> None:
    member = "messages" if path.startswith("chat") else "input"
    with proxying() as running:
        response = running.post(path, {member: messages})
        assert response.status_code == 400
        error = response.json()["error"]
        assert (error["param"], error["code"]) == (member, f"invalid_{member}")
        assert running.model.requests == []


@pytest.mark.parametrize(
    "reply",
    [
        fake_llm.garbage(),
        fake_llm.Reply(200, b"[]"),
        fake_llm.Reply(200, b"{}"),
        completion({"index": 0}),
        completion(choice("text")),
        completion(choice({"role": "assistant", "content": 5})),
    ],
    ids=["no JSON", "a list", "no choices", "no message", "message is text", "content is 5"],
)
def test_an_unreadable_model_is_a_502(reply) -> None:
    with proxying(reply) as running, pytest.raises(openai.InternalServerError, match="unreadable"):
        ask(running)


def test_a_model_that_is_down_is_a_502() -> None:
    with (
        proxying(model_url="http://127.0.0.1:1/v1") as running,
        pytest.raises(openai.InternalServerError, match="did not answer"),
    ):
        ask(running)


@pytest.mark.parametrize("key", ["", "wd_other", "wd key"])
def test_a_missing_or_wrong_key_of_watchdog_is_a_401(key) -> None:
    with proxying() as running, pytest.raises(openai.AuthenticationError):
        ask(running, key=key)


@pytest.mark.parametrize("fail", ["closed", "open"])
def test_an_unknown_collection_is_a_422_whatever_the_setting(fail) -> None:
    with proxying(fail=fail) as running, pytest.raises(openai.UnprocessableEntityError) as raised:
        ask(running, extra_body={"watchdog": {"collections": ["unknown"]}})
    assert (raised.value.code, raised.value.type) == ("unknown_collection", "invalid_request_error")


@pytest.mark.parametrize(
    "options", [{"unknown": 1}, {"on_failure": "shout"}, ["no object"]], ids=str
)
def test_a_wrong_extension_is_a_400_that_names_it(options) -> None:
    with proxying() as running, pytest.raises(openai.BadRequestError) as raised:
        ask(running, extra_body={"watchdog": options})
    assert str(raised.value.param).startswith("watchdog")


@pytest.mark.parametrize(
    ("fail", "content"), [("closed", "Not now."), ("open", "Refunds take 30 days.")]
)
def test_without_a_verdict_the_setting_decides(fail, content) -> None:
    reply = fake_llm.text("Refunds take 30 days.")
    with proxying(reply, fail=fail, unavailable_text="Not now.") as running:
        running.watchdog.down = True
        completion = ask(running)
        assert completion.choices[0].message.content == content
        assert completion.watchdog["action"] == "NOT_CHECKED"


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "body",
    [b"{", b"[]", b'{"temperature": NaN}', b'{"a": ' + b"[" * 100_000, b'{"a": "\xed\xa0\xbd"}'],
    ids=["cut off", "a list", "NaN", "deep", "no UTF-8"],
)
def test_what_is_no_json_is_a_400_in_the_form_of_the_api(path, body) -> None:
    with proxying() as running:
        response = running.post(path, body)
        assert response.status_code == 400
        assert response.json()["error"]["code"] == "invalid_json"
        assert running.model.requests == []


@pytest.mark.parametrize("stream", [False, True])
def test_of_a_response_only_what_was_checked_is_passed_on(stream) -> None:
    wrong = "Refunds take 30 days."
    unknown = {"type": "text", "text": wrong}
    right = {"type": "output_text", "text": "Refunds take 14 days.", "annotations": []}
    item: dict[str, Any] = {
        "type": "message", "id": "i", "role": "assistant", "status": "completed",
        "content": [unknown, right, {"type": "output_audio", "transcript": wrong}],
    }  # fmt: skip
    call = {"type": "function_call", "id": "f", "call_id": "c", "name": "f", "arguments": "{}"}
    whole = {
        "id": "r", "object": "response", "status": "completed", "output": [item, call],
        "output_text": wrong,
    }  # fmt: skip
    place = {"item_id": "i", "output_index": 0, "content_index": 1}
    lines = [
        {"type": "response.created", "response": {**whole, "output": []}},
        {"type": "response.content_part.added", **place, "part": unknown},
        {"type": "response.audio.transcript.delta", **place, "delta": wrong},
        {"type": "response.output_text.delta", **place, "delta": right["text"]},
        {"type": "response.output_text.done", **place, "text": right["text"]},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": whole},
    ]
    events = "".join(f"data: {json.dumps(line)}\n\n" for line in lines)
    reply = fake_llm.as_it_is(events.encode() if stream else json.dumps(whole).encode())
    with proxying(reply) as running:
        body = {"model": "m", "input": "How long?", "stream": stream}
        response = running.post("responses", body)
    assert "30 days" not in response.text
    assert "14 days" in response.text
    assert '"call_id"' in response.text
    assert "error" not in response.text


@pytest.mark.parametrize("stream", [False, True])
def test_half_a_character_and_nul_are_cleaned_in_the_request_and_in_the_answer(stream) -> None:
    damaged = "Refunds take 14\0 days \ud83d."
    with proxying(fake_llm.text(damaged)) as running:
        messages = [{"role": "tool", "content": damaged, "tool_call_id": "c"}, *QUESTION]
        body = {"model": "m", "stream": stream, "messages": messages}
        response = running.post("chat/completions", body)
        assert response.status_code == 200
        sent, checked = running.model.requests[0], running.watchdog.bodies[0]
        clean = "Refunds take 14  days \ufffd."
        assert sent["messages"][0]["content"] == clean
        assert (checked["answer"].strip(), checked["sources"][0]) == (clean, clean)
        assert "\ufffd" in response.text.replace("\\ufffd", "\ufffd")
        assert "error" not in response.text


def test_whatever_a_tool_returns_is_a_source() -> None:
    results = ["[]", "[1, 2]", '{"a": NaN}', "[" * 100_000, "  "]
    said = [{"role": "tool", "tool_call_id": "c", "content": result} for result in results]
    with proxying() as running:
        messages: Any = [*said, {"role": "user", "content": "Why?"}]
        completion: Any = running.client().chat.completions.create(model="m", messages=messages)
        assert completion.watchdog["action"] == "ALLOW"
        assert running.watchdog.bodies[0]["sources"] == results[:-1]


@pytest.mark.parametrize("path", PATHS)
def test_a_body_is_read_no_further_than_its_limit(path) -> None:
    app = create_app(Settings(model_url="http://m", max_body_bytes=200_000))
    parts: list[bytes] = []
    messages: list[Any] = []

    async def receive() -> dict[str, Any]:
        parts.append(b" " * 90_000)
        return {"type": "http.request", "body": parts[-1], "more_body": len(parts) < 1_000}

    async def send(message: Any) -> None:
        messages.append(message)

    scope = {
        "type": "http", "method": "POST", "path": f"/v1/{path}", "query_string": b"",
        "headers": [(b"x-watchdog-key", b"wd_key")],
    }  # fmt: skip
    asyncio.run(app(scope, receive, send))
    assert messages[0]["status"] == 413
    assert json.loads(messages[1]["body"])["error"]["code"] == "body_too_large"
    assert len(parts) == 3


@pytest.mark.parametrize("call", ["chat", "responses"])
@pytest.mark.parametrize("mistake", TABLE["Proxy"])
@pytest.mark.parametrize("door", ["Proxy", "Proxy, streamed"])
def test_the_proxy_lets_no_unchecked_answer_out(door, mistake, call) -> None:
    """The table of docs/how-to/which-door.md; most of its doors are tested with the client."""
    documented, wrong = TABLE[door][mistake], "Refunds take 30 days."
    for fail in ("closed", "open") if documented == "error" else ("closed",):
        with proxying(fake_llm.text(wrong), fail=fail) as running:
            if mistake == "server down":
                running.watchdog.error = httpx.ConnectError("refused")
            elif mistake == "time-out":
                running.watchdog.error = httpx.ReadTimeout("slow")
            else:
                running.watchdog.reply, _ = ANSWERS[mistake]
            client, stream = running.client(), door.endswith("streamed")
            asked: dict[str, Any] = {"model": "m", "stream": stream}
            try:
                if call == "chat":
                    answer: Any = client.chat.completions.create(messages=QUESTION, **asked)
                else:
                    answer = client.responses.create(input=QUESTION, **asked)
                out = "".join(e.to_json() for e in answer) if stream else answer.to_json()
            except openai.APIError as error:
                outcome, out = "error", str(error)
            else:
                outcome = "fixed text" if UNAVAILABLE in out else out
        assert wrong not in out
        assert outcome == documented


@pytest.mark.parametrize(
    ("roles", "sources"), [("system,user", ["14 days.", "Free."]), ("system", ["14 days."])]
)
def test_the_operator_says_whose_context_is_a_source(roles, sources) -> None:
    messages: Any = [
        {"role": "system", "content": "<context>14 days.</context>"},
        {"role": "user", "content": "How long? <context>Free.</context>"},
    ]
    with proxying(context_roles=roles) as running:
        running.client().chat.completions.create(model="m", messages=messages)
        (body,) = running.watchdog.bodies
        assert (body["sources"], body["query"]) == (sources, "How long?")


def test_an_observing_proxy_hands_on_the_answer_with_what_would_have_become_of_it() -> None:
    with proxying(fake_llm.text("Refunds take 30 days."), mode="observe") as running:
        raw = ask_raw(running)
        completion = raw.parse()
        assert completion.choices[0].message.content == "Refunds take 30 days."
        verdict = completion.watchdog
        assert (verdict["action"], verdict["checks"][0]["mode"]) == ("BLOCK", "observe")
        assert raw.headers["X-Watchdog-Action"] == "BLOCK"
        assert raw.headers["X-Watchdog-Mode"] == "observe"
        running.watchdog.down = True
        completion = ask(running)
        assert completion.choices[0].message.content == "Refunds take 30 days."


def test_a_held_answer_is_replaced_until_a_person_approves_it() -> None:
    with proxying(fake_llm.text("The dosage is 5 mg.")) as running:
        raw = ask_raw(running)
    completion = raw.parse()
    assert completion.choices[0].message.content == "A person reviews it."
    assert raw.headers["X-Watchdog-Hold"] == "awaiting"
    (check,) = completion.watchdog["checks"]
    assert check["hold"]["due_at"] == "2026-11-27T17:00:00Z"
