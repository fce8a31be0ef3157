"""An OpenAI-compatible endpoint on a real socket, for tests. It says what it is told to say.

    with serving([text("one"), text("two"), status(503), Silence(), garbage()]) as fake: ...

Each request takes the next reply; the last one is repeated. `fake.requests` holds their bodies.
A request that asks for a stream gets a completion word by word, with usage and, where it asks for
them, log-probabilities.
"""

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from tests.sockets import Quiet, listening


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply to one request. `slow`: the headers come, the body never does.

    A stream stops after `events_first` events until `Fake.go_on` is set. A completion that is not
    `adapted` is sent as it is, whatever the request asks for.
    """

    code: int
    body: bytes
    slow: bool = False
    events_first: int = 0
    adapted: bool = True


def text(content: str | None) -> Reply:
    """Return a completion with this message."""
    message = {"role": "assistant", "content": content}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    body = {"id": "x", "object": "chat.completion", "created": 1, "model": "fake"}
    return Reply(200, json.dumps(body | {"choices": [choice]}).encode())


def as_it_is(body: bytes) -> Reply:
    """Return a reply with this body to every request."""
    return Reply(200, body, adapted=False)


def status(code: int) -> Reply:
    """Return an error of the endpoint."""
    return Reply(code, json.dumps({"error": {"message": f"status {code}"}}).encode())


def garbage() -> Reply:
    """Return a body that is no JSON."""
    return Reply(200, b"<html>")


def silence() -> Reply:
    """Return a reply that sends nothing for as long as the client waits."""
    return Reply(200, b"", slow=True)


@dataclass(slots=True)
class Fake:
    """A running endpoint."""

    url: str
    replies: Sequence[Reply]
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    traces: list[str | None] = field(default_factory=list)
    request_ids: list[str | None] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)
    go_on: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, body: dict[str, Any], key: str | None) -> Reply:
        """Return the reply for this request."""
        with self.lock:
            at = min(len(self.requests), len(self.replies) - 1)
            self.requests.append(body)
            self.keys.append(key)
        return self.replies[at]


def _streamed(reply: Reply, request: dict[str, Any]) -> Reply:
    """Return a completion as the stream that `asked` wants; anything else as it is."""
    if not request.get("stream") or reply.code != 200 or not reply.body.startswith(b"{"):
        return reply
    completion = json.loads(reply.body)
    head = completion | {"object": "chat.completion.chunk"}
    content = completion["choices"][0]["message"]["content"] or ""
    words = [word if at == 0 else f" {word}" for at, word in enumerate(content.split(" "))]
    events = []
    for word in words:
        choice: dict[str, Any] = {"index": 0, "delta": {"content": word}}
        if request.get("logprobs"):
            token = {"token": word, "logprob": -0.1, "bytes": None, "top_logprobs": []}
            choice["logprobs"] = {"content": [token]}
        events.append(head | {"choices": [choice]})
    usage = {"prompt_tokens": 10, "completion_tokens": len(words), "total_tokens": 10 + len(words)}
    end = {"index": 0, "delta": {}, "finish_reason": "stop"}
    events.append(head | {"choices": [end]})
    events.append(head | {"choices": [], "usage": usage})
    lines = [f"data: {json.dumps(event)}\n\n" for event in events]
    return replace(reply, body="".join([*lines, "data: [DONE]\n\n"]).encode())


def _as_response(reply: Reply, request: dict[str, Any]) -> Reply:
    """Return a completion in the form of the Responses API, streamed by words where wanted."""
    if reply.code != 200 or not reply.body.startswith(b"{"):
        return reply
    content = json.loads(reply.body)["choices"][0]["message"]["content"]
    empty = {"type": "output_text", "text": "", "annotations": []}
    part = {"type": "output_text", "text": content, "annotations": []}
    item = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed"}
    thought = {
        "type": "reasoning",
        "id": "rs_1",
        "summary": [{"type": "summary_text", "text": "?"}],
    }
    response = {
        "id": "resp_1", "object": "response", "created_at": 1, "model": "fake",
        "status": "completed", "output": [thought, item | {"content": [part]}],
        "parallel_tool_calls": True, "tool_choice": "auto", "tools": [],
        "usage": {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15},
    }  # fmt: skip
    if not request.get("stream"):
        return Reply(200, json.dumps(response).encode())
    place = {"item_id": "msg_1", "output_index": 1, "content_index": 0}
    words = [word if at == 0 else f" {word}" for at, word in enumerate(content.split(" "))]
    started = response | {"status": "in_progress", "output": []}
    events = [
        {"type": "response.created", "response": started},
        {"type": "response.output_item.added", "output_index": 1, "item": item | {"content": []}},
        {"type": "response.content_part.added", **place, "part": empty},
        *({"type": "response.output_text.delta", **place, "delta": word} for word in words),
        {"type": "response.output_text.done", **place, "text": content},
        {"type": "response.content_part.done", **place, "part": part},
        {
            "type": "response.output_item.done",
            "output_index": 1,
            "item": item | {"content": [part]},
        },
        {"type": "response.completed", "response": response},
    ]
    lines = [
        f"event: {event['type']}\ndata: {json.dumps(event | {'sequence_number': number})}\n\n"
        for number, event in enumerate(events)
    ]
    return replace(reply, body="".join(lines).encode())


@contextmanager
def serving(replies: Sequence[Reply]) -> Iterator[Fake]:
    """Serve the endpoint until the block ends; release requests that still wait."""

    class Handler(Quiet):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            payload = json.loads(self.rfile.read(length))
            fake.traces.append(self.headers["traceparent"])
            fake.request_ids.append(self.headers["X-Request-ID"])
            reply = fake.take(payload, self.headers["Authorization"])
            adapt = _as_response if self.path.endswith("/responses") else _streamed
            reply = adapt(reply, payload) if reply.adapted else reply
            self.send_response(reply.code)
            events = reply.body.startswith((b"data:", b"event:"))
            kind = "text/event-stream" if events else "application/json"
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(reply.body) + (1 if reply.slow else 0)))
            self.end_headers()
            if reply.events_first:
                parts = reply.body.split(b"\n\n", reply.events_first)
                self.wfile.write(reply.body[: -len(parts[-1])])
                fake.go_on.wait(60)
                self.wfile.write(parts[-1])
            else:
                self.wfile.write(reply.body)
            if reply.slow:
                fake.over.wait(60)

    with listening(Handler) as port:
        fake = Fake(f"http://127.0.0.1:{port}/v1", replies)
        try:
            yield fake
        finally:
            fake.over.set()
            fake.go_on.set()
