"""Tool calls through the proxy and the running product, with OpenAI's own client."""

import json
from typing import Any

import pytest

from tests import fake_llm
from tests.unit.proxy.serving import guarded_model

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
    with guarded_model(reply, stack.url, api_key[1], tool_calls="refuse") as client:
        completion = client.chat.completions.create(model="m", messages=messages, tools=TOOLS)
    (verdict,) = completion.watchdog["tool_calls"]
    assert verdict["check_id"]
    assert (completion.choices[0].message.tool_calls is not None) is is_passed, verdict
