"""JSON through the proxy: it passes as it is, or a refusal stands in its place."""

import json
from typing import Any

import openai
import pytest
from pydantic import BaseModel

from tests import fake_llm
from tests.unit.proxy.serving import Running, proxying

MESSAGES: Any = [{"role": "user", "content": "How long do refunds take?"}]
RIGHT, DOUBTED, WRONG = (
    json.dumps({"days": days, "note": note})
    for days, note in (("14 days", "by card"), ("14 days", "perhaps"), ("30 days", "by card"))
)
REFUSAL = "I don't know."
UNAVAILABLE = "Not now."


class Refund(BaseModel):
    days: str
    note: str


def parsed(running: Running) -> tuple[Any, Any]:
    """Return the message of a completion, and a response, both to be read as a refund."""
    client = running.client()
    chat = client.chat.completions.parse(model="m", messages=MESSAGES, response_format=Refund)
    response = client.responses.parse(model="m", input="How long?", text_format=Refund)
    return chat.choices[0].message, response


@pytest.mark.parametrize("answer", [RIGHT, DOUBTED])
def test_a_document_that_is_not_blocked_is_parsed(answer) -> None:
    with proxying(fake_llm.text(answer)) as running:
        message, response = parsed(running)
    assert message.parsed == response.output_parsed == Refund.model_validate_json(answer)


@pytest.mark.parametrize(("down", "text"), [(False, REFUSAL), (True, UNAVAILABLE)])
def test_one_that_is_blocked_or_not_checked_is_a_refusal(down, text) -> None:
    with proxying(fake_llm.text(WRONG), unavailable_text=UNAVAILABLE) as running:
        running.watchdog.down = down
        message, response = parsed(running)
    assert (message.parsed, message.content, message.refusal) == (None, None, text)
    (part,) = response.output[-1].content
    assert (response.output_parsed, part.type, part.refusal) == (None, "refusal", text)


def test_json_that_nobody_asked_for_is_treated_alike() -> None:
    with proxying(fake_llm.text(WRONG)) as running:
        completion = running.client().chat.completions.create(model="m", messages=MESSAGES)
        assert completion.choices[0].message.content is None
        assert completion.choices[0].message.refusal == REFUSAL


@pytest.mark.parametrize("on_failure", ["omit", "replace"])
@pytest.mark.parametrize(
    ("answer", "down", "content", "refusal"),
    [
        (RIGHT, False, RIGHT, None),
        (DOUBTED, False, DOUBTED, None),
        (WRONG, False, None, REFUSAL),
        (RIGHT, True, None, UNAVAILABLE),
    ],
)
def test_so_it_is_in_a_stream(answer, down, content, refusal, on_failure) -> None:
    with proxying(
        fake_llm.text(answer), unavailable_text=UNAVAILABLE, on_failure=on_failure
    ) as running:
        running.watchdog.down = down
        client = running.client()
        with client.chat.completions.stream(
            model="m", messages=MESSAGES, response_format=Refund
        ) as chat:
            message = chat.get_final_completion().choices[0].message
        assert (message.content, message.refusal) == (content, refusal)
        with client.responses.stream(model="m", input="?", text_format=Refund) as stream:
            (part,) = stream.get_final_response().output[-1].content
        assert getattr(part, "text", None) == content
        assert getattr(part, "refusal", None) == refusal


def test_a_stream_that_shall_stop_at_a_failure_stops() -> None:
    with (
        proxying(fake_llm.text(WRONG), on_failure="stop") as running,
        pytest.raises(openai.ContentFilterFinishReasonError),
        running.client().chat.completions.stream(
            model="m", messages=MESSAGES, response_format=Refund
        ) as stream,
    ):
        stream.get_final_completion()
