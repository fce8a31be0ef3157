"""A WATCHDOG server as an httpx transport: each request takes the next response."""

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx

from watchdog_client import AsyncWatchdog, RetryPolicy, Watchdog

NO_PAUSE = RetryPolicy(attempts=3, first=0.0, longest=0.0)
Reply = httpx.Response | Exception


def check(action: str | None = "ALLOW", **changes: Any) -> dict[str, Any]:
    """Return a check document as the API sends it."""
    return {
        "id": "c1",
        "state": "done" if action else "queued",
        "created_at": "2026-11-23T10:00:00Z",
        "finished_at": None,
        "source_model": "",
        "query": {"id": "q1", "text": "", "timestamp": "2026-11-23T10:00:00Z"},
        "messages": None,
        "collections": [],
        "action": action,
        "risk_score": None,
        "risk_level": None,
        "answer": "The raw answer.",
        "explanation": None,
        "reasons": [],
        "not_checked": [],
        "final_response": None if action is None else f"Final for {action}.",
        "hallucination_score": None,
        "claims": [],
        "mitigation_actions": [],
        "metadata": {},
        "policy_version": None,
        "policy_override": None,
        "engine_version": None,
        "milliseconds": None,
        "injection": [],
    } | changes


def checked(action: str | None = "ALLOW", status: int = 200, **changes: Any) -> httpx.Response:
    """Return a response with a check."""
    return httpx.Response(status, json=check(action, **changes))


class _Handler(BaseHTTPRequestHandler):
    """Answers everything with one status and body; keeps connections open."""

    protocol_version = "HTTP/1.1"
    reply: tuple[httpx.Response, float]

    def do_POST(self) -> None:
        response, seconds = self.reply
        self.rfile.read(int(self.headers["Content-Length"] or 0))
        time.sleep(seconds)
        self.send_response(response.status_code)
        for name, value in response.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(response.content)

    do_GET = do_POST

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def listening(response: httpx.Response, seconds: float = 0.0) -> Iterator[str]:
    """Yield the URL of a server that answers every request alike, after some seconds."""
    handler = type("Handler", (_Handler,), {"reply": (response, seconds)})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@dataclass
class FakeServer:
    """Answers in order; the last reply is repeated. `requests` is what came."""

    replies: Sequence[Reply]
    requests: list[httpx.Request] = field(default_factory=list)

    def answer(self, request: httpx.Request) -> httpx.Response:
        reply = self.replies[min(len(self.requests), len(self.replies) - 1)]
        self.requests.append(request)
        if isinstance(reply, Exception):
            raise reply
        return httpx.Response(reply.status_code, headers=reply.headers, content=reply.content)

    def client(self, **options: Any) -> Watchdog:
        transport = httpx.MockTransport(self.answer)
        return Watchdog("http://w", "key", retries=NO_PAUSE, transport=transport, **options)

    def async_client(self, **options: Any) -> AsyncWatchdog:
        transport = httpx.MockTransport(self.answer)
        return AsyncWatchdog("http://w", "key", retries=NO_PAUSE, transport=transport, **options)


HTML = "<html><body>Sign in</body></html>"
ANSWERS: dict[str, tuple[httpx.Response, float]] = {
    "rejected key": (httpx.Response(401, json={"detail": "No such key."}), 0),
    "wrong address": (httpx.Response(404, html=HTML), 0),
    "redirect": (httpx.Response(302, headers={"Location": "https://elsewhere/"}, text="-"), 0),
    "sign-on page": (httpx.Response(200, html=HTML), 0),
    "time-out": (checked("ALLOW"), 1.5),
    "error 503": (httpx.Response(503, json={"detail": "Busy."}), 0),
    "too many (429)": (httpx.Response(429, json={"detail": "Too many."}), 0),
}
"""The server's replies; "server down" has none."""


def table(page: Path) -> dict[str, dict[str, str]]:
    """Return the cells of the documented table by door and mistake.

    A heading names several, separated by semicolons.
    """
    lines = page.read_text().split("## Without a verdict")[1].splitlines()
    head, _, *rows = [[c.strip() for c in line.split("|")[1:-1]] for line in lines if "|" in line]
    return {
        door: {
            mistake: outcome
            for mistakes, outcome in zip(head[1:], outcomes, strict=True)
            for mistake in mistakes.split("; ")
        }
        for doors, *outcomes in rows
        for door in doors.split("; ")
    }
