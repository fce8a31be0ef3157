"""Anthropic's Messages through the proxy, with Anthropic's own client and a model on a socket."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import anthropic
import pytest

from tests.sockets import Quiet, listening
from tests.unit.proxy.serving import Running, proxying

HOLE = "[removed]"
QUESTION: Any = [{"role": "user", "content": "<context>14 days.</context>How long?"}]
THOUGHT = {"type": "thinking", "thinking": "It is 30 days.", "signature": "sig"}
CALL = {"type": "tool_use", "id": "t1", "name": "look_up", "input": {"article": 5}}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words, "citations": None}


def message(content: Sequence[dict[str, Any]]) -> dict[str, Any]:
    return {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": content,
        "stop_reason": "end_turn", "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 5},
    }  # fmt: skip


def events_of(content: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the events of a streamed message, its texts word by word."""
    yield {"type": "message_start", "message": message([]) | {"stop_reason": None}}
    for index, block in enumerate(content):
        kind = block["type"]
        empty = {"text": {"text": ""}, "thinking": {"thinking": "", "signature": ""}}
        started = {**block, **empty.get(kind, {"input": {}})}
        yield {"type": "content_block_start", "index": index, "content_block": started}
        whole = json.dumps(block.get("input"))
        deltas: list[dict[str, Any]] = [
            {"type": "input_json_delta", "partial_json": part} for part in (whole[:3], whole[3:])
        ]
        if kind == "text":
            words = block["text"].split(" ")
            pieces = [words[0], *(f" {word}" for word in words[1:])]
            deltas = [{"type": "text_delta", "text": piece} for piece in pieces]
        elif kind == "thinking":
            deltas = [
                {"type": "thinking_delta", "thinking": block["thinking"]},
                {"type": "signature_delta", "signature": block["signature"]},
            ]
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    ending = {"stop_reason": "end_turn", "stop_sequence": None}
    yield {"type": "message_delta", "delta": ending, "usage": {"output_tokens": 5}}
    yield {"type": "message_stop"}


@contextmanager
def asking(
    *content: dict[str, Any], status: int = 200, events: int | None = None, **settings: Any
) -> Iterator[tuple[Running, anthropic.Anthropic, list[tuple[str, dict[str, str], Any]]]]:
    """The proxy before a model that answers so, Anthropic's client, and what reached the model.

    A stream ends after so many `events`.
    """
    calls: list[tuple[str, dict[str, str], Any]] = []

    class Handler(Quiet):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            headers = {name.lower(): value for name, value in self.headers.items()}
            calls.append((self.path, headers, body))
            kind, answer = "application/json", json.dumps(message(content)).encode()
            if self.path.endswith("count_tokens"):
                answer = b'{"input_tokens": 7}'
            elif status != 200:
                error = {"type": "overloaded_error", "message": "Overloaded"}
                answer = json.dumps({"type": "error", "error": error}).encode()
            elif body.get("stream"):
                kind = "text/event-stream"
                lines = [
                    f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events_of(content)
                ]
                answer = "".join(lines[:events]).encode()
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

    with listening(Handler) as port:
        url = f"http://127.0.0.1:{port}/v1"
        with proxying(model_url=url, replacement=HOLE, **settings) as running:
            yield running, client_of(running), calls


def client_of(running: Running, key: str = "wd_key") -> anthropic.Anthropic:
    return anthropic.Anthropic(
        base_url=running.url,
        api_key="model-key",
        default_headers={"X-Watchdog-Key": key},
        max_retries=0,
    )


def ask(client: anthropic.Anthropic, **options: Any) -> Any:
    return client.messages.create(**{"model": "m", "max_tokens": 9, "messages": QUESTION} | options)


def test_an_answer_is_replaced_and_the_rest_of_the_message_passes() -> None:
    with asking(THOUGHT, text("Refunds take 30 days."), CALL) as (running, client, calls):
        answer = ask(client, system="Be brief.")
        thought, shown, call = answer.content
        assert (thought.thinking, thought.signature) == ("", "sig")
        assert (shown.text, call.input) == ("I don't know.", {"article": 5})
        assert (answer.watchdog["action"], answer.usage.output_tokens) == ("BLOCK", 5)
        body, _ = running.watchdog.bodies
        assert (body["query"], body["sources"], body["source_model"]) == (
            "How long?", ["14 days."], "m",
        )  # fmt: skip
        ((path, headers, sent),) = calls
        assert (path, headers["authorization"]) == ("/v1/messages", "Bearer model-key")
        assert headers["anthropic-version"]
        assert "x-watchdog-key" not in headers
        assert sent["system"] == "Be brief."


def test_results_of_tools_documents_and_search_are_sources() -> None:
    blocks = [
        {"type": "tool_result", "tool_use_id": "t1", "content": '{"days": 14}'},
        {"type": "tool_result", "tool_use_id": "t2", "content": [{"type": "text", "text": "Sale"}]},
        {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "Doc"}},
        {
            "type": "search_result", "title": "t", "source": "s",
            "content": [{"type": "text", "text": "Hit"}],
        },
    ]  # fmt: skip
    with asking(text("Fine.")) as (running, client, _):
        answer = ask(client, messages=[*QUESTION, {"role": "user", "content": blocks}])
        (body,) = running.watchdog.bodies
        assert body["sources"] == ["14 days.", '{"days": 14}', "Sale", "Doc", "Hit"]
        assert (body["query"], answer.content[0].text) == ("How long?", "Fine.")


@pytest.mark.parametrize(
    ("on_failure", "shown", "reason"),
    [("omit", "", "end_turn"), ("replace", f"{HOLE} ", "end_turn"), ("stop", None, "refusal")],
)
def test_a_stream_is_released_sentence_by_sentence(on_failure, shown, reason) -> None:
    answer = text("It is free. It takes 30 days. Goodbye.")
    extra = {"watchdog": {"on_failure": on_failure}}
    with asking(THOUGHT, answer, CALL) as (_, client, _):
        asked: Any = {"model": "m", "max_tokens": 9, "messages": QUESTION, "extra_body": extra}
        with client.messages.stream(**asked) as events:
            whole: Any = events.get_final_message()
        received = list(client.messages.create(stream=True, **asked))
    expected = "It is free. " + ("" if shown is None else f"{shown}Goodbye.")
    assert [block.text for block in whole.content if block.type == "text"] == [expected]
    assert "30 days" not in "".join(event.to_json() for event in received)
    assert whole.stop_reason == reason
    assert received[-1].watchdog["action"] == "BLOCK"
    if shown is not None:
        assert [block.type for block in whole.content] == ["thinking", "text", "tool_use"]


@pytest.mark.parametrize("stream", [False, True])
def test_json_that_does_not_pass_is_refused(stream) -> None:
    with asking(text('{"days": "30 days"}')) as (_, client, _):
        if stream:
            with client.messages.stream(model="m", max_tokens=9, messages=QUESTION) as events:
                answer: Any = events.get_final_message()
        else:
            answer = ask(client)
    assert (answer.content[0].text, answer.stop_reason) == ("I don't know.", "refusal")


def test_a_cut_stream_is_an_error() -> None:
    with (
        asking(text("It is free. It never"), events=6) as (_, client, _),
        client.messages.stream(model="m", max_tokens=9, messages=QUESTION) as events,
    ):
        pieces = []
        with pytest.raises(anthropic.APIStatusError, match="cut off"):
            pieces.extend(events.text_stream)
        assert "never" not in "".join(pieces)


def test_errors_have_the_form_of_the_protocol() -> None:
    with asking(text("Fine."), status=529) as (running, client, _):
        with pytest.raises(anthropic.APIStatusError, match="Overloaded") as of_model:
            ask(client)
        assert of_model.value.status_code == 529
        with pytest.raises(anthropic.BadRequestError, match="list of objects"):
            ask(client, messages="x")
        with pytest.raises(anthropic.NotFoundError, match="does not serve"):
            client.messages.batches.list()
        key = anthropic.Anthropic(base_url=running.url, api_key="k", max_retries=0)
        with pytest.raises(anthropic.AuthenticationError, match="X-Watchdog-Key") as wrong:
            ask(key)
        assert wrong.value.body["error"]["type"] == "authentication_error"
    with asking(text("Fine.")) as (running, _, _):
        for stream in (False, True):
            with pytest.raises(anthropic.APIStatusError, match="No such key"):
                list(ask(client_of(running, "wd_other"), stream=stream))


def test_a_message_without_sense_is_an_error() -> None:
    unreadable = pytest.raises(anthropic.InternalServerError, match="unreadable")
    with asking({"type": "text"}) as (_, client, _), unreadable:
        ask(client)


def test_tokens_are_counted_by_the_model_and_the_proxy_may_hold_its_key() -> None:
    with asking(text("Fine."), model_key="held") as (running, _, calls):
        client = anthropic.Anthropic(base_url=running.url, api_key="wd_key", max_retries=0)
        assert client.messages.count_tokens(model="m", messages=QUESTION).input_tokens == 7
        assert ask(client).content[0].text == "Fine."
        assert {headers["x-api-key"] for _, headers, _ in calls} == {"held"}
        assert running.watchdog.keys == {"Bearer wd_key"}
