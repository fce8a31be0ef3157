"""Each integration against the real package."""

import asyncio
import json
import re
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from fake_watchdog import FakeServer, check, checked, listening
from watchdog_client import AsyncGuard, AsyncWatchdog, Guard, GuardSettings, WatchdogError

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "clients" / "integrations.md"
RAW = "Refunds take 30 days."
CLAIM = {
    "claim_id": "1", "text": RAW, "status": "Contradictory", "label": "Contradicted",
    "reason": None, "wording": "no",
    "rationale": "r", "answer_char_span": [0, 21], "final_char_span": None,
    "primary_evidence": None,
    "confidence": {
        "support_prob": 0.1, "contradict_prob": 0.8, "overall_confidence": 0.1, "band": "Low",
    },
}  # fmt: skip


def sent(server: FakeServer) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(server.requests[0].content)
    return body


MESSAGES = [
    {"role": "system", "content": "<context>14 days.</context>"},
    {"role": "user", "content": "How long?"},
]
CHAT = {"model": "openai/m", "messages": MESSAGES, "mock_response": RAW}
TEXT = {"model": "text-completion-openai/m", "prompt": "How long?", "mock_response": RAW}
RESPONSES = {"model": "openai/m", "input": MESSAGES, "mock_response": RAW}


class TestLiteLLM:
    @pytest.fixture
    def install(self) -> Iterator[Callable[[AsyncWatchdog], None]]:
        """Guard LiteLLM's calls with this client, in open mode, until the test ends."""
        import litellm

        from watchdog_client.contrib.litellm import WatchdogCallback

        def use(client: AsyncWatchdog, **settings: Any) -> None:
            litellm.callbacks = [WatchdogCallback(AsyncGuard(client, GuardSettings(**settings)))]

        yield use
        litellm.callbacks = []

    def test_a_blocked_completion_is_replaced(self, install: Any) -> None:
        import litellm

        server = FakeServer([checked("BLOCK")])
        install(server.async_client())
        completion = asyncio.run(litellm.acompletion(**CHAT))
        assert completion.choices[0].message.content == "Final for BLOCK."
        assert sent(server)["query"] == "How long?"
        assert sent(server)["sources"] == ["14 days."]

    @pytest.mark.parametrize(
        ("call", "arguments"), [("atext_completion", TEXT), ("aresponses", RESPONSES)]
    )
    def test_so_is_every_other_text(
        self, install: Any, call: str, arguments: dict[str, Any]
    ) -> None:
        import litellm

        server = FakeServer([checked("BLOCK")])
        install(server.async_client())
        response = asyncio.run(getattr(litellm, call)(**arguments))
        assert "Final for BLOCK." in response.model_dump_json()
        assert RAW not in response.model_dump_json()
        assert sent(server)["query"] == "How long?"

    def test_text_that_nobody_verified_is_not_passed_on(self, install: Any) -> None:
        from litellm.types.utils import CallTypes, ModelResponse

        from watchdog_client.contrib.litellm import WatchdogCallback

        server = FakeServer([checked("ALLOW")])
        callback = WatchdogCallback(AsyncGuard(server.async_client()))
        message = {"role": "assistant", "content": "Hello.", "reasoning_content": RAW}
        chat = ModelResponse(choices=[{"index": 0, "message": message}])
        guard = callback.async_post_call_success_deployment_hook
        asyncio.run(guard(CHAT, chat, CallTypes.acompletion))
        assert chat.choices[0].message.content == "Hello."
        assert RAW not in chat.model_dump_json()

        class Response:
            output: list[Any] = [
                {"type": "reasoning", "summary": [{"type": "summary_text", "text": RAW}]},
                {"type": "message", "content": [{"type": "output_text", "text": "Hello."}]},
            ]

        asyncio.run(guard(RESPONSES, Response, CallTypes.aresponses))
        assert [item["type"] for item in Response.output] == ["message"]
        assert len(server.requests) == 2

    def test_completions_in_one_event_loop_after_another_are_checked(self, install: Any) -> None:
        import litellm

        with listening(checked("BLOCK")) as url:
            install(AsyncWatchdog(url, "key"))
            for _ in range(2):
                completion = asyncio.run(litellm.acompletion(**CHAT))
                assert completion.choices[0].message.content == "Final for BLOCK."

    def test_what_has_no_answer_passes(self, install: Any) -> None:
        import litellm

        server = FakeServer([checked("BLOCK")])
        install(server.async_client())
        arguments = {"model": "openai/m", "input": ["x"], "mock_response": [0.5]}
        assert asyncio.run(litellm.aembedding(**arguments)).data
        assert litellm.embedding(**arguments).data
        assert server.requests == []


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

    def test_what_a_retrieval_chain_returns_is_read(self) -> None:
        from langchain_core.documents import Document

        from watchdog_client.contrib.langchain import WatchdogGuard

        server = FakeServer([checked("WARN")])
        metadata = {"source": "terms.pdf", "page": 3, "page_label": "4", "author": "Ann"}
        document = Document("14 days.", id="d7", metadata=metadata)
        returned = {"input": "How long?", "context": [document], "answer": RAW, "chat_history": []}
        assert WatchdogGuard(Guard(server.client())).invoke(returned) == "Final for WARN."
        assert sent(server) == {
            "answer": RAW,
            "query": "How long?",
            "sources": [{"id": "d7", "title": "terms.pdf, page 4", "text": "14 days."}],
        }
        with pytest.raises(WatchdogError, match="scores"):
            WatchdogGuard(Guard(server.client())).invoke({"answer": RAW, "scores": [1]})


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
        result = self.evaluate(FakeServer([httpx.ConnectError("down")]))
        assert (result.invalid_result, result.score, result.passing) == (True, None, None)


class TestLlamaIndexEngine:
    """An engine that answers "Refunds take 30 days." of one node, whole or streamed."""

    def engine(self, server: FakeServer, *, streaming: bool = False, **settings: Any) -> Any:
        from llama_index.core import SummaryIndex
        from llama_index.core.llms import CompletionResponse, CustomLLM, LLMMetadata
        from llama_index.core.response_synthesizers import SimpleSummarize
        from llama_index.core.schema import TextNode

        from watchdog_client.contrib.llamaindex import WatchdogQueryEngine

        class Model(CustomLLM):
            @property
            def metadata(self) -> LLMMetadata:
                return LLMMetadata()

            def complete(self, *_: Any, **__: Any) -> CompletionResponse:
                return CompletionResponse(text=RAW)

            def stream_complete(self, *_: Any, **__: Any) -> Any:
                return iter([CompletionResponse(text=RAW, delta=RAW)])

        metadata = {"file_name": "terms.pdf", "page_label": "4"}
        node = TextNode(text="14 days.", id_="n7", metadata=metadata)
        answering = SimpleSummarize(llm=Model(), streaming=streaming)
        engine = SummaryIndex([node]).as_query_engine(llm=Model(), response_synthesizer=answering)
        assert RAW in str(engine.query("How long?"))
        guard_settings = GuardSettings(**settings)
        return WatchdogQueryEngine(
            engine,
            Guard(server.client(), guard_settings),
            AsyncGuard(server.async_client(), guard_settings),
        )

    @pytest.mark.parametrize("streaming", [False, True])
    def test_an_answer_is_checked_against_its_nodes(self, streaming: bool) -> None:
        server = FakeServer([checked("BLOCK")])
        engine = self.engine(server, streaming=streaming)
        for response in (engine.query("How long?"), asyncio.run(engine.aquery("How long?"))):
            assert str(response) == "Final for BLOCK."
            assert response.metadata["watchdog"]["action"] == "BLOCK"
            assert len(response.source_nodes) == 1
        assert sent(server) == {
            "answer": RAW,
            "query": "How long?",
            "sources": [{"id": "n7", "title": "terms.pdf, page 4", "text": "14 days."}],
        }


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
    """A WATCHDOG server for another process, which knows the key `key`."""

    def respond(self, document: Any) -> None:
        known = self.headers["Authorization"] == "Bearer key"
        body = json.dumps(document if known else {"detail": "No such key."}).encode()
        self.send_response(200 if known else 401)
        self.send_header("Content-Type", "application/json")
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
    """Yield the URL of a WATCHDOG server that blocks everything."""
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
    assert capsys.readouterr().out.splitlines() == [text, text, text, "False", text]


def called(environment: dict[str, str], *calls: tuple[str, dict[str, Any]]) -> list[Any]:
    """Return the MCP server's answers to the list of tools and to these calls."""
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    script = Path(sys.executable).with_name("watchdog-mcp")
    parameters = StdioServerParameters(command=str(script), env=environment)

    async def run() -> list[Any]:
        async with stdio_client(parameters) as streams, ClientSession(*streams) as session:
            await session.initialize()
            results = [await session.call_tool(name, arguments) for name, arguments in calls]
            return [await session.list_tools(), *results]

    return asyncio.run(run())


def test_the_mcp_server_of_the_page_checks_and_explains(web: str) -> None:
    (block,) = re.findall(r"^```json\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    shown = json.loads(block)["mcpServers"]["watchdog"]
    variables = {"WATCHDOG_URL": web, "WATCHDOG_KEY": "key"}
    assert (shown["command"], set(shown["env"])) == ("watchdog-mcp", set(variables))
    tools, verdict, explained, wrong = called(
        variables,
        ("check_answer", {"answer": RAW, "sources": ["14."]}),
        ("explain_verdict", {"check_id": "c1"}),
        ("check_answer", {"answer": RAW, "query": "How long?"}),
    )
    assert {tool.name for tool in tools.tools} == {
        "check_answer", "list_collections", "search_collection", "explain_verdict",
    }  # fmt: skip
    assert wrong.is_error
    assert wrong.content[0].text == "check_answer has no argument 'query'."
    assert json.loads(verdict.content[0].text)["final_response"] == "Final for BLOCK."
    assert json.loads(explained.content[0].text)["claims"][0]["status"] == "Contradictory"
