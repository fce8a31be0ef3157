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
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True, slots=True)
class Reply:
    """What one request gets. `slow`: the headers come, the body never does."""

    code: int
    body: bytes
    slow: bool = False


def text(content: str | None) -> Reply:
    """A completion with this message."""
    message = {"role": "assistant", "content": content}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    body = {"id": "x", "object": "chat.completion", "created": 1, "model": "fake"}
    return Reply(200, json.dumps(body | {"choices": [choice]}).encode())


def status(code: int) -> Reply:
    """An error of the endpoint."""
    return Reply(code, json.dumps({"error": {"message": f"status {code}"}}).encode())


def garbage() -> Reply:
    """A body that is no JSON."""
    return Reply(200, b"<html>")


def silence() -> Reply:
    """Nothing, for as long as the client waits."""
    return Reply(200, b"", slow=True)


@dataclass(slots=True)
class Fake:
    """A running endpoint."""

    url: str
    replies: Sequence[Reply]
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, body: dict[str, Any], key: str | None) -> Reply:
        """The reply for this request."""
        with self.lock:
            at = min(len(self.requests), len(self.replies) - 1)
            self.requests.append(body)
            self.keys.append(key)
        return self.replies[at]


def _streamed(reply: Reply, asked: dict[str, Any]) -> Reply:
    """A completion as the stream of events that `asked` wants; anything else as it is."""
    if not asked.get("stream") or reply.code != 200 or not reply.body.startswith(b"{"):
        return reply
    whole = json.loads(reply.body)
    head = whole | {"object": "chat.completion.chunk"}
    content = whole["choices"][0]["message"]["content"] or ""
    words = [word if at == 0 else f" {word}" for at, word in enumerate(content.split(" "))]
    events = []
    for word in words:
        choice: dict[str, Any] = {"index": 0, "delta": {"content": word}}
        if asked.get("logprobs"):
            one = {"token": word, "logprob": -0.1, "bytes": None, "top_logprobs": []}
            choice["logprobs"] = {"content": [one]}
        events.append(head | {"choices": [choice]})
    usage = {"prompt_tokens": 10, "completion_tokens": len(words), "total_tokens": 10 + len(words)}
    events.append(head | {"choices": [], "usage": usage})
    lines = [f"data: {json.dumps(event)}\n\n" for event in events]
    return Reply(200, "".join([*lines, "data: [DONE]\n\n"]).encode())


@contextmanager
def serving(replies: Sequence[Reply]) -> Iterator[Fake]:
    """The endpoint, until the block ends; requests that still wait are let go."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            asked = json.loads(self.rfile.read(length))
            reply = _streamed(fake.take(asked, self.headers["Authorization"]), asked)
            self.send_response(reply.code)
            events = reply.body.startswith(b"data:")
            kind = "text/event-stream" if events else "application/json"
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(reply.body) + (1 if reply.slow else 0)))
            self.end_headers()
            self.wfile.write(reply.body)
            if reply.slow:
                fake.over.wait(60)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    fake = Fake(f"http://127.0.0.1:{server.server_address[1]}/v1", replies)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield fake
    finally:
        fake.over.set()
        server.shutdown()
        server.server_close()
        thread.join(10)
