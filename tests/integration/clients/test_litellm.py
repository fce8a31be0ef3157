"""LiteLLM's own proxy with WATCHDOG as its guardrail; `make test-client` installs it."""

import copy
import json
import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from fake_watchdog import ANSWERS, listening, table
from tests import fake_llm
from tests.sockets import wait_until
from tools.launcher.ports import any_free

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "how-to" / "clients" / "integrations.md"
DOORS = ROOT / "docs" / "how-to" / "which-door.md"
LITELLM = ROOT / ".data" / "client-venv" / "bin" / "litellm"
pytestmark = [
    pytest.mark.timeout(500),
    pytest.mark.skipif(not LITELLM.exists(), reason="not installed: `make test-client` does that"),
]
MASTER_KEY = "sk-0123456789abcdef0123456789abcdef"
RAW = "Refunds take 30 days."
RIGHT = "Refunds take 14 days."
MESSAGES = [
    {"role": "system", "content": f"<context>{RIGHT}</context>"},
    {"role": "user", "content": "How long do refunds take?"},
]
CALLS: dict[str, dict[str, Any]] = {
    "chat/completions": {"messages": MESSAGES},
    "responses": {"instructions": MESSAGES[0]["content"], "input": MESSAGES[1]["content"]},
    "messages": {
        "max_tokens": 50, "system": MESSAGES[0]["content"], "messages": MESSAGES[1:],
    },
}  # fmt: skip
"""OpenAI's chat and Responses, and Anthropic's Messages."""
ALL = [(call, stream) for call in CALLS for stream in (False, True)]


def guardrails(url: str, key: str, mistakes: dict[str, str]) -> list[dict[str, Any]]:
    """The guardrail of the page, some that make a mistake, and those with another address."""
    (block,) = re.findall(r"^```yaml\n(guardrails:.*?)^```$", PAGE.read_text(), re.M | re.S)
    (shown,) = yaml.safe_load(block)["guardrails"]
    assert shown["litellm_params"]["api_base"] == "os.environ/WATCHDOG_URL"
    assert shown["litellm_params"]["api_key"] == "os.environ/WATCHDOG_KEY"

    def changed(name: str, **parameters: Any) -> dict[str, Any]:
        guardrail = copy.deepcopy(shown) | {"guardrail_name": name}
        guardrail["litellm_params"] |= {
            "default_on": False, "api_base": url, "api_key": key, **parameters,
        }  # fmt: skip
        return guardrail

    replacing = {"on_block": "replace"}
    return [
        changed("watchdog"),
        changed("replacing", additional_provider_specific_params=replacing),
        changed(
            "refusing",
            additional_provider_specific_params={"tool_calls": "refuse"},
            streaming_transform_mode="block_only",
        ),
        changed("rejected by WATCHDOG", api_key=f"{key}x"),
        changed("elsewhere at WATCHDOG", api_base=f"{url}/elsewhere"),
        changed("response alone", mode="post_call"),
        changed("misspelt", additional_provider_specific_params={"collection": ["a"]}),
        changed("unknown", additional_provider_specific_params={"collections": ["nowhere"]}),
        *(changed(name, api_base=base, timeout=0.5) for name, base in mistakes.items()),
    ]


REFUND = {"name": "refund", "description": "Pays a refund."}
SCHEMA = {"type": "object", "properties": {"order": {"type": "string"}}}
ASKING_FOR_TOOLS: dict[str, Any] = {
    "messages": [{"role": "user", "content": "Refund order A-1234, please."}],
    "tools": [{"type": "function", "function": {**REFUND, "parameters": SCHEMA}}],
}


def calling(order: str, stream: bool) -> fake_llm.Reply:
    """A model's answer that calls the tool."""
    function = {"name": "refund", "arguments": json.dumps({"order": order})}
    call = {"id": "call-id", "type": "function", "function": function}

    def part(kind: str, content: dict[str, Any], ending: str | None) -> dict[str, Any]:
        choice = {"index": 0, kind: content, "finish_reason": ending}
        name = "chat.completion.chunk" if stream else "chat.completion"
        return {"id": "x", "object": name, "created": 1, "model": "m", "choices": [choice]}

    if not stream:
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
        return fake_llm.as_it_is(json.dumps(part("message", message, "tool_calls")).encode())
    delta = {"role": "assistant", "content": None, "tool_calls": [{**call, "index": 0}]}
    events = [part("delta", delta, None), part("delta", {}, "tool_calls")]
    lines = "".join(f"data: {json.dumps(event)}\n\n" for event in events)
    return fake_llm.as_it_is(f"{lines}data: [DONE]\n\n".encode())


@contextmanager
def litellm(folder: Path, config: dict[str, Any]) -> Iterator[str]:
    """The address of LiteLLM's proxy, until the block ends."""
    (folder / "config.yaml").write_text(yaml.safe_dump(config))
    port = any_free()
    url = f"http://127.0.0.1:{port}"
    environment = {
        "PATH": os.environ["PATH"],
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "LITELLM_MASTER_KEY": MASTER_KEY,
    }
    command = [LITELLM, "--config", "config.yaml", "--host", "127.0.0.1", "--port", str(port)]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
    try:
        lives = lambda: process.poll() is not None or _is_alive(url)  # noqa: E731
        wait_until(lives, (folder / "log").read_text, seconds=240, pause=0.5)
        assert process.poll() is None, (folder / "log").read_text()[-2000:]
        yield url
    finally:
        process.terminate()
        process.wait(30)


def client(url: str) -> httpx.Client:
    headers = {"Authorization": f"Bearer {MASTER_KEY}"}
    return httpx.Client(base_url=url, headers=headers, timeout=120)


def _is_alive(url: str) -> bool:
    try:
        return httpx.get(f"{url}/health/liveliness", timeout=5).is_success
    except httpx.TransportError:
        return False


def failure_of(response: httpx.Response) -> bool:
    """Return whether a response, or a stream, is an error."""
    return not response.is_success or bool(re.search(r'"error": ?(?!null)', response.text))


def test_no_wrong_answer_passes_litellms_proxy(stack, api_key, tmp_path) -> None:
    with fake_llm.serving([fake_llm.text(RAW)]) as model, ExitStack() as servers:
        mistakes = {name: servers.enter_context(listening(*a)) for name, a in ANSWERS.items()}
        mistakes["server down"] = "http://127.0.0.1:1"
        row = table(DOORS)["LiteLLM without code"]
        assert row == dict.fromkeys(mistakes, "error")
        config = {
            "model_list": [
                {
                    "model_name": "m",
                    "litellm_params": {
                        "model": "openai/m", "api_base": model.url, "api_key": "model-key",
                    },
                }
            ],
            "guardrails": guardrails(stack.url, api_key[1], mistakes),
        }  # fmt: skip
        with litellm(tmp_path, config) as url, client(url) as http:

            def answered(call: str, stream: bool, guardrail: str) -> httpx.Response:
                body = CALLS[call] | {"model": "m", "stream": stream, "guardrails": [guardrail]}
                return http.post(f"/v1/{call}", json=body)

            for call, stream in ALL:
                response = answered(call, stream, "watchdog")
                assert "30 days" not in response.text, (call, stream, response.text)
                assert RIGHT in response.text, (call, stream, response.text)
            for stream in (False, True):
                response = answered("chat/completions", stream, "replacing")
                assert response.status_code == 200
                assert "30 days" not in response.text
                assert RIGHT in response.text
            for guardrail in config["guardrails"][3:]:
                name = str(guardrail["guardrail_name"])
                for call, stream in ALL:
                    response = answered(call, stream, name)
                    assert "30 days" not in response.text, (name, call, stream, response.text)
                    if name in mistakes:
                        assert failure_of(response), (name, call, stream, response.text)
            model.replies = [fake_llm.text(RIGHT)]
            for call, stream in ALL:
                response = answered(call, stream, "watchdog")
                assert response.status_code == 200
                assert "14" in response.text, (call, stream, response.text)
                assert not failure_of(response), (call, stream, response.text)
            for stream in (False, True):
                for order, guardrail, is_held in (
                    ("A-9999", "refusing", True),
                    ("A-9999", "watchdog", False),
                    ("A-1234", "refusing", False),
                ):
                    model.replies = [calling(order, stream)]
                    body = {"model": "m", "stream": stream, "guardrails": [guardrail]}
                    response = http.post("/v1/chat/completions", json=ASKING_FOR_TOOLS | body)
                    assert failure_of(response) is is_held, (stream, response.text)
                    expected = "was held back" if is_held else order
                    assert expected in response.text, (stream, response.text)
                    assert ("call-id" in response.text) is not is_held
