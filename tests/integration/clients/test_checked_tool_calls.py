"""Tool calls through the proxy and the running product, with OpenAI's own client."""

import json
from typing import Any

import openai
import pytest

from proxy.app import create_app
from proxy.settings import Settings
from tests import fake_llm
from tests.unit.proxy.serving import served

TOOLS: Any = [{"type": "function", "function": {"name": "refund", "parameters": {}}}]
ORDER = {"order": "A-1234", "customer": "Kim Lee", "paid": "40 euros", "state": "delivered"}
QUESTION = "Refund the order A-1234 of Kim Lee, please. It arrived damaged."


@pytest.mark.parametrize(
    ("arguments", "is_passed"),
    [
        ({"order": "A-1234", "customer": "Kim Lee"}, True),
        ({"order": "A-1234", "paid": "40 euros"}, True),
        ({"query": "rules for refunds of damaged goods"}, True),
        ({"order": "A-9999", "customer": "Kim Lee"}, False),
        ({"paid": "90 euros"}, False),
    ],
    ids=json.dumps,
)
def test_a_call_passes_unless_something_in_it_is_wrong_or_invented(
    stack, api_key, arguments, is_passed
) -> None:
    function = {"name": "refund", "arguments": json.dumps(arguments)}
    call: Any = {"id": "c1", "type": "function", "function": function}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    choice = {"index": 0, "finish_reason": "tool_calls", "message": message}
    body = {"id": "x", "object": "chat.completion", "created": 1, "model": "m"}
    reply = fake_llm.as_it_is(json.dumps({**body, "choices": [choice]}).encode())
    messages: Any = [
        {"role": "user", "content": QUESTION},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": json.dumps(ORDER)},
    ]
    with fake_llm.serving([reply]) as model:
        settings = Settings(
            model_url=model.url, watchdog_url=stack.url, check_seconds=120, tool_calls="refuse"
        )
        with served(create_app(settings)) as url:
            client = openai.OpenAI(
                base_url=f"{url}/v1",
                api_key="model-key",
                default_headers={"X-Watchdog-Key": api_key[1]},
                max_retries=0,
                timeout=200,
            )
            completion = client.chat.completions.create(model="m", messages=messages, tools=TOOLS)
    (verdict,) = completion.watchdog["tool_calls"]  # type: ignore[attr-defined]
    assert verdict["check_id"]
    assert (completion.choices[0].message.tool_calls is not None) is is_passed, verdict
