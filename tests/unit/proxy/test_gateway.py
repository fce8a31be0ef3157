"""Other requests to the proxy: the rest of OpenAI's client, Azure, keys that the proxy holds."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from inspect import signature
from pathlib import Path
from typing import Any

import httpx
import openai
import pytest
from openai._resource import SyncAPIResource

from tests import fake_llm
from tests.sockets import Quiet, listening
from tests.unit.proxy.serving import Running, proxying

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "clients" / "proxy.md"
WRONG, RIGHT = "Refunds take 30 days.", "Refunds take 14 days."
MESSAGES: Any = [
    {"role": "system", "content": f"<context>{RIGHT}</context>"},
    {"role": "user", "content": "How long do refunds take?"},
]
ANSWERS: dict[str, Any] = {
    "models": {"object": "list", "data": [{"id": "m", "object": "model"}]},
    "models/org/m": {"id": "org/m", "object": "model"},
    "embeddings": {
        "object": "list", "model": "m",
        "data": [{"object": "embedding", "index": 0, "embedding": [0.5]}],
    },
    "moderations": {"id": "x", "model": "m", "results": []},
    "responses/input_tokens": {"object": "response.input_tokens", "input_tokens": 7},
    "completions": {
        "id": "x", "object": "text_completion", "created": 1, "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop", "text": WRONG}],
    },
}  # fmt: skip


@contextmanager
def model() -> Iterator[tuple[str, list[tuple[str, dict[str, str]]]]]:
    """The address of a model that answers by path, and the paths and headers that came."""
    calls: list[tuple[str, dict[str, str]]] = []

    class Handler(Quiet):
        def do_GET(self) -> None:
            calls.append((self.path, {name.lower(): v for name, v in self.headers.items()}))
            self.rfile.read(int(self.headers["Content-Length"] or 0))
            path = self.path.split("?")[0].removeprefix("/base/")
            chat = json.loads(fake_llm.text(WRONG).body)
            body = json.dumps(ANSWERS.get(path, chat)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET

    with listening(Handler) as port:
        yield f"http://127.0.0.1:{port}/base", calls


HANDED_THROUGH: dict[str, Callable[[openai.OpenAI], Any]] = {
    "models.list": lambda client: client.models.list(),
    "models.retrieve": lambda client: client.models.retrieve("org/m"),
    "embeddings.create": lambda client: client.embeddings.create(model="m", input="x"),
    "moderations.create": lambda client: client.moderations.create(input="x"),
    "responses.input_tokens.count": lambda client: client.responses.input_tokens.count(),
}
GUARDED: dict[str, Callable[[openai.OpenAI], Any]] = {
    "chat.completions.create": lambda client: client.chat.completions.create(
        model="m", messages=MESSAGES
    ),
    "completions.create": lambda client: client.completions.create(model="m", prompt="How?"),
}
SERVED = {
    *HANDED_THROUGH, *GUARDED, "responses.create",
    *(f"{beta}chat.completions.{name}" for beta in ("", "beta.") for name in ("create", "parse")),
    "responses.parse", "beta.responses.create", "beta.responses.input_tokens.count",
}  # fmt: skip


def operations(resource: Any, prefix: str = "") -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield the methods of OpenAI's client, and of all that hangs on it."""
    for name in dir(type(resource)):
        if name.startswith(("_", "with_")):
            continue
        member = getattr(resource, name)
        if isinstance(member, SyncAPIResource):
            yield from operations(member, f"{prefix}{name}.")
        elif callable(member) and isinstance(resource, SyncAPIResource):
            yield f"{prefix}{name}", member


def call_somehow(operation: Callable[..., Any]) -> None:
    """Call it with as few arguments as it takes."""
    operation(**{
        name: b"x" if name in ("file", "files") else "x"
        for name, parameter in signature(operation).parameters.items()
        if parameter.default is parameter.empty and parameter.kind is not parameter.VAR_KEYWORD
    })  # fmt: skip


@contextmanager
def gateway(**settings: Any) -> Iterator[tuple[Running, list[tuple[str, dict[str, str]]]]]:
    with model() as (url, calls), proxying(model_url=url, **settings) as running:
        yield running, calls


def test_each_call_of_openais_client_is_handed_through_guarded_or_refused() -> None:
    with gateway() as (running, calls):
        client = running.client()
        for name, call in HANDED_THROUGH.items():
            assert call(client), name
        assert running.watchdog.bodies == []
        assert [path for path, _ in calls] == [
            "/base/models", "/base/models/org/m", "/base/embeddings", "/base/moderations",
            "/base/responses/input_tokens",
        ]  # fmt: skip
        for name, call in GUARDED.items():
            answer = call(client)
            assert WRONG not in answer.model_dump_json(), name
            assert answer.watchdog["action"] == "BLOCK", name
        with pytest.raises(openai.APIStatusError) as caught:
            client.completions.create(model="m", prompt="How?", stream=True)
        assert caught.value.code == "stream_not_served"
        assert len(calls) == len(HANDED_THROUGH) + len(GUARDED)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_every_other_operation_of_openais_package_is_refused() -> None:
    served, asked = set(), []
    with gateway() as (running, calls), httpx.Client() as http:
        http.event_hooks["request"].append(asked.append)
        client = running.client(http_client=http, admin_api_key="k")
        for name, operation in operations(client):
            before = len(asked)
            with suppress(Exception):  # a few want arguments of another form, and send nothing
                call_somehow(operation)
            if len(asked) > before:
                answer = http.send(asked[-1])
                if answer.is_success or answer.json()["error"]["code"] != "not_served":
                    served.add(name)
        assert len(asked) > 300
        assert served == SERVED
        assert {path.split("?")[0] for path, _ in calls} == {
            f"/base/{path}" for path in (
                "models", "models/x", "embeddings", "moderations", "completions", "responses",
                "responses/input_tokens",
            )
        }  # fmt: skip


def test_the_page_tells_of_each_call() -> None:
    page = PAGE.read_text()
    assert [name for name in SERVED if f"`{name}`" not in page] == []


@pytest.mark.parametrize("path", ["models/..", "models/%2e%2e/x", "models/a/../../b"])
def test_no_path_leads_out_of_the_models_address(path) -> None:
    with gateway() as (running, calls):
        url = httpx.URL(running.url, raw_path=f"/v1/{path}".encode())
        assert httpx.get(url, headers={"X-Watchdog-Key": "wd_key"}).status_code == 404
        assert calls == []


def test_azures_client_is_served_and_its_key_and_version_reach_the_model() -> None:
    with gateway() as (running, calls):
        client = openai.AzureOpenAI(
            azure_endpoint=running.url,
            api_key="azure-key",
            api_version="2024-10-21",
            default_headers={"X-Watchdog-Key": "wd_key"},
            max_retries=0,
        )
        completion = client.chat.completions.create(model="m", messages=MESSAGES)
        assert completion.choices[0].message.content == "I don't know."
        ((path, headers),) = calls
        assert path == "/base/deployments/m/chat/completions?api-version=2024-10-21"
        assert headers["api-key"] == "azure-key"
        assert "x-watchdog-key" not in headers


def test_headers_and_parameters_are_passed_by_list() -> None:
    lists = {"pass_headers": "Ocp-Apim-Subscription-Key", "pass_query": "tenant"}
    with gateway(**lists) as (running, calls):
        headers = {"Ocp-Apim-Subscription-Key": "k", "X-Other": "no"}
        client = running.client(default_query={"tenant": "a", "other": "no"})
        client.embeddings.create(model="m", input="x", extra_headers=headers)
        ((path, received),) = calls
        assert path == "/base/embeddings?tenant=a"
        assert (received["ocp-apim-subscription-key"], "x-other" in received) == ("k", False)


def test_keys_that_the_proxy_holds_serve_applications_that_can_send_none() -> None:
    with gateway(model_key="held", watchdog_key="wd_key") as (running, calls):
        client = openai.OpenAI(base_url=f"{running.url}/v1", api_key="none", max_retries=0)
        completion = client.chat.completions.create(model="m", messages=MESSAGES)
        assert completion.choices[0].message.content == "I don't know."
        assert calls[0][1]["authorization"] == "Bearer held"
        assert running.watchdog.keys == {"Bearer wd_key"}


def test_nobody_uses_the_models_key_without_one_of_watchdog() -> None:
    with gateway(model_key="held") as (running, calls):
        for key in ("none", "wd_wrong"):
            client = openai.OpenAI(base_url=f"{running.url}/v1", api_key=key, max_retries=0)
            for call in (*HANDED_THROUGH.values(), *GUARDED.values()):
                with pytest.raises(openai.AuthenticationError):
                    call(client)
        assert calls == []
        running.watchdog.down = True
        with pytest.raises(openai.InternalServerError, match="does not answer"):
            running.client().models.list()
        assert calls == []


def test_sources_are_what_a_pattern_says() -> None:
    pattern = r"Context:(.*?)(?=\nQuestion:|\Z)|<documents>(.*?)</documents>"
    prompt = f"Answer.\nContext: {RIGHT}\nQuestion: How long?\n<documents>Sale: no.</documents>"
    with gateway(context_pattern=pattern) as (running, _):
        running.client().chat.completions.create(
            model="m", messages=[{"role": "user", "content": prompt}]
        )
        (body,) = running.watchdog.bodies
        assert body["sources"] == [RIGHT, "Sale: no."]
        assert body["query"] == "Answer.\n\nQuestion: How long?"


def test_the_proxy_tells_whether_it_is_ready_and_what_it_checked() -> None:
    with gateway() as (running, _):
        assert httpx.get(f"{running.url}/readyz").json() == {
            "status": "ok", "watchdog": "ok", "model": "ok",
        }  # fmt: skip
        running.client().chat.completions.create(model="m", messages=MESSAGES)
        assert 'checks_total{action="BLOCK"} 1.0' in httpx.get(f"{running.url}/metrics").text
    with proxying(model_url="http://127.0.0.1:1") as running:
        answer = httpx.get(f"{running.url}/readyz")
        assert (answer.status_code, answer.json()["model"]) == (503, "ConnectError")
