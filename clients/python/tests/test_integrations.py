"""Each integration against the real package."""

import asyncio
import json
import re
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from fake_watchdog import FakeServer, check, checked
from watchdog_client import AsyncGuard, Guard

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "clients" / "integrations.md"
RAW = "Refunds take 30 days."
CLAIM = {
    "claim_id": "1", "text": RAW, "status": "Contradictory", "reason": None, "wording": "no",
    "rationale": "r", "answer_char_span": [0, 21], "primary_evidence": None,
    "confidence": {
        "support_prob": 0.1, "contradict_prob": 0.8, "overall_confidence": 0.1, "band": "Low",
    },
}  # fmt: skip


def sent(server: FakeServer) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(server.requests[0].content)
    return body


class TestLiteLLM:
    @pytest.fixture
    def blocked(self) -> Iterator[FakeServer]:
        import litellm

        from watchdog_client.contrib.litellm import WatchdogCallback

        server = FakeServer([checked("BLOCK")])
        litellm.callbacks = [WatchdogCallback(AsyncGuard(server.async_client()))]
        yield server
        litellm.callbacks = []

    def complete(self, **options: Any) -> Any:
        import litellm

        messages = [
            {"role": "system", "content": "<context>14 days.</context>"},
            {"role": "user", "content": "How long?"},
        ]
        return asyncio.run(
            litellm.acompletion(model="openai/m", messages=messages, mock_response=RAW, **options)
        )

    def test_a_blocked_completion_is_replaced(self, blocked: FakeServer) -> None:
        completion = self.complete()
        assert completion.choices[0].message.content == "Final for BLOCK."
        assert sent(blocked)["query"] == "How long?"
        assert sent(blocked)["sources"] == ["14 days."]

    def test_a_stream_is_refused(self, blocked: FakeServer) -> None:
        with pytest.raises(Exception, match="cannot check a stream"):
            self.complete(stream=True)


class TestLangChain:
    def test_a_chain_ends_with_what_may_be_shown(self) -> None:
        from langchain_core.documents import Document
        from langchain_core.messages import AIMessage
        from langchain_core.runnables import RunnableLambda

        from watchdog_client.contrib.langchain import WatchdogGuard

        server = FakeServer([checked("WARN")])
        guard = WatchdogGuard(Guard(server.client()), AsyncGuard(server.async_client()))
        model = RunnableLambda(
            lambda question: {
                "answer": AIMessage(RAW),
                "query": question,
                "sources": [Document("14 days.")],
            }
        )
        assert (model | guard).invoke("How long?") == "Final for WARN."
        assert sent(server) == {"answer": RAW, "query": "How long?", "sources": ["14 days."]}
        assert asyncio.run((model | guard).ainvoke("How long?")) == "Final for WARN."
        assert guard.invoke(AIMessage(RAW)) == "Final for WARN."


class TestLlamaIndex:
    def evaluate(self, server: FakeServer) -> Any:
        from watchdog_client.contrib.llamaindex import WatchdogEvaluator

        evaluator = WatchdogEvaluator(server.async_client())
        return asyncio.run(
            evaluator.aevaluate(query="How long?", response=RAW, contexts=["14 days."])
        )

    def test_an_answer_is_scored_against_its_contexts(self) -> None:
        server = FakeServer([checked("BLOCK", hallucination_score=0.75, explanation="why")])
        result = self.evaluate(server)
        assert (result.passing, result.score, result.feedback) == (False, 0.25, "why")
        assert sent(server)["sources"] == ["14 days."]
        assert self.evaluate(FakeServer([checked("ALLOW")])).passing

    def test_an_answer_that_was_not_checked_has_no_score(self) -> None:
        import httpx

        result = self.evaluate(FakeServer([httpx.ConnectError("down")]))
        assert (result.invalid_result, result.score, result.passing) == (True, None, None)


class TestGuardrails:
    def validate(self, server: FakeServer) -> Any:
        from guardrails import Guard as GuardrailsGuard

        from watchdog_client.contrib.guardrails import WatchdogVerified

        validator = WatchdogVerified(client=server.client(), on_fail="fix")
        guard = GuardrailsGuard().use(validator)
        return guard.validate(RAW, metadata={"sources": ["14 days."]})

    def test_a_blocked_answer_is_fixed(self) -> None:
        server = FakeServer([checked("BLOCK")])
        assert self.validate(server).validated_output == "Final for BLOCK."
        assert sent(server)["sources"] == ["14 days."]

    def test_an_allowed_answer_passes(self) -> None:
        outcome = self.validate(FakeServer([checked("ALLOW")]))
        assert (outcome.validation_passed, outcome.validated_output) == (True, RAW)


class Handler(BaseHTTPRequestHandler):
    """A WATCHDOG server for another process."""

    def respond(self, document: Any) -> None:
        body = json.dumps(document).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        self.respond(check("BLOCK", claims=[CLAIM]))

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.respond(check("BLOCK"))

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def web() -> Iterator[str]:
    """The address of a WATCHDOG server that blocks everything."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_the_page_on_integrations_runs(web: str, capsys: pytest.CaptureFixture[str]) -> None:
    import litellm

    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    names = {"URL": web, "KEY": "key"}
    for number, block in enumerate(blocks):
        exec(compile(block, f"integrations.md, block {number}", "exec"), names)
    litellm.callbacks = []
    text = "Final for BLOCK."
    assert capsys.readouterr().out.splitlines() == [text, text, "False", text]


def test_the_mcp_server_of_the_page_checks_and_explains(web: str) -> None:
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    (block,) = re.findall(r"^```json\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    shown = json.loads(block)["mcpServers"]["watchdog"]
    variables = {"WATCHDOG_URL": web, "WATCHDOG_API_KEY": "key"}
    assert set(shown["env"]) == set(variables)
    script = Path(sys.executable).with_name(shown["command"])
    parameters = StdioServerParameters(command=str(script), env=variables)

    async def run() -> tuple[set[str], Any, Any]:
        async with stdio_client(parameters) as streams, ClientSession(*streams) as session:
            await session.initialize()
            tools = {tool.name for tool in (await session.list_tools()).tools}
            verdict = await session.call_tool("check_answer", {"answer": RAW, "sources": ["14."]})
            explained = await session.call_tool("explain_verdict", {"check_id": "c1"})
            return tools, verdict, explained

    tools, verdict, explained = asyncio.run(run())
    assert tools == {"check_answer", "search_collection", "explain_verdict"}
    assert json.loads(verdict.content[0].text)["final_response"] == "Final for BLOCK."
    assert json.loads(explained.content[0].text)["claims"][0]["status"] == "Contradictory"
