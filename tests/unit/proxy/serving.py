"""The proxy on a real socket, in front of a fake model and a fake WATCHDOG."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import openai
import uvicorn

from fake_watchdog import checked
from proxy.app import create_app
from proxy.settings import Settings
from tests import fake_llm
from tests.sockets import wait_until

WRONG, DOUBTED, HELD = "30 days", "perhaps", "dosage"
CONTRADICTED = {
    "claim_id": "1", "text": WRONG, "status": "Contradictory", "label": "Contradicted",
    "reason": None, "wording": "no",
    "rationale": "", "answer_char_span": [0, 9], "final_char_span": None, "primary_evidence": None,
    "confidence": {
        "support_prob": 0.1, "contradict_prob": 0.9, "overall_confidence": 0.1, "band": "Low",
    },
}  # fmt: skip
FINAL = {"BLOCK": "I don't know.", "WARN": "Doubtful: {}", "ALLOW": "{}"}


@dataclass
class FakeWatchdog:
    """Blocks "30 days", warns about "perhaps", holds "dosage"; `bodies` is what was checked."""

    down: bool = False
    reply: httpx.Response | None = None
    error: httpx.TransportError | None = None
    bodies: list[dict[str, Any]] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    traces: list[str] = field(default_factory=list)
    request_ids: list[str | None] = field(default_factory=list)

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.request_ids.append(request.headers.get("X-Request-ID"))
        if self.error is not None:
            raise self.error
        if self.reply is not None:
            return self.reply
        if self.down:
            return httpx.Response(500, json={"detail": "broken"})
        if request.method == "GET":  # a ping
            return self._of_key(request)
        body = json.loads(request.content)
        self.bodies.append(body)
        self.keys.add(request.headers["Authorization"])
        self.traces.append(request.headers.get("traceparent", ""))
        if body.get("collections") == ["unknown"]:
            problem = {"type": "urn:watchdog:problem:unknown_collection", "detail": "No unknown."}
            return httpx.Response(422, json=problem)
        if not (of_key := self._of_key(request)).is_success:
            return of_key
        text = body["answer"]
        action = "BLOCK" if WRONG in text else "WARN" if DOUBTED in text else "ALLOW"
        final = text if text.startswith("{") and action == "WARN" else FINAL[action].format(text)
        mitigations = ["refused_answer"] if action == "BLOCK" else []
        claims = [CONTRADICTED] if text.startswith("{") and action == "BLOCK" else []
        changes = {
            "answer": text, "final_response": final, "mitigation_actions": mitigations,
            "claims": claims,
        }  # fmt: skip
        if HELD in text:
            hold = {"state": "awaiting", "due_at": "2026-11-27T17:00:00Z", "settled_at": None}
            changes |= {"final_response": "A person reviews it.", "hold": hold}
            action = "WARN"
        return checked(action, risk_score=35, **changes)

    def _of_key(self, request: httpx.Request) -> httpx.Response:
        if request.headers.get("Authorization") not in ("Bearer wd_key", None):
            return httpx.Response(401, json={"detail": "No such key."})
        return httpx.Response(200, json={"prefix": "wd_key", "name": "n", "scopes": []})


@dataclass
class Running:
    """A proxy with the servers behind it."""

    url: str
    model: fake_llm.Fake
    watchdog: FakeWatchdog

    def client(self, key: str = "wd_key", **options: Any) -> openai.OpenAI:
        return client_of(self.url, key, **options)

    def post(self, path: str, body: object) -> httpx.Response:
        """Post a body, bytes as they are and all else as JSON, to a path of the API."""
        content = body if isinstance(body, bytes) else json.dumps(body)
        headers = {"X-Watchdog-Key": "wd_key"}
        return httpx.post(f"{self.url}/v1/{path}", content=content, headers=headers)


def client_of(url: str, key: str, **options: Any) -> openai.OpenAI:
    """Return OpenAI's own client, pointed at a proxy."""
    return openai.OpenAI(
        base_url=f"{url}/v1",
        api_key="model-key",
        default_headers={"X-Watchdog-Key": key},
        max_retries=0,
        **options,
    )


@contextmanager
def guarded_model(
    reply: fake_llm.Reply, watchdog_url: str, key: str, **settings: Any
) -> Iterator[openai.OpenAI]:
    """Yield a client of a model that replies so, by a proxy that asks a real WATCHDOG."""
    with fake_llm.serving([reply]) as model:
        proxy = Settings(
            model_url=model.url, watchdog_url=watchdog_url, check_seconds=120, **settings
        )
        with served(create_app(proxy)) as url:
            yield client_of(url, key, timeout=200)


@contextmanager
def proxying(*replies: fake_llm.Reply, model_url: str = "", **settings: Any) -> Iterator[Running]:
    """Serve the proxy until the block ends."""
    watchdog = FakeWatchdog()
    with fake_llm.serving(replies or [fake_llm.text("Fine.")]) as model:
        proxy_settings = Settings(model_url=model_url or model.url, check_seconds=5, **settings)
        app = create_app(proxy_settings, transport=httpx.MockTransport(watchdog.answer))
        with served(app) as url:
            yield Running(url, model, watchdog)


@contextmanager
def served(app: Any) -> Iterator[str]:
    """Serve an ASGI application on a free port."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    wait_until(lambda: server.started, pause=0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(10)
