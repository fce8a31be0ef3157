"""The proxy's own model: no server is asked, and nothing passes without its verdict."""

from typing import Any

import openai
import pytest

from proxy.model import PROBE as NAME
from tests.unit.proxy.serving import WRONG, Running, proxying

ASKED = {"role": "user", "content": "How long do refunds take?"}


def create(running: Running, answer: str, **options: Any) -> Any:
    messages = [ASKED, {"role": "assistant", "content": answer}]
    return running.client().chat.completions.create(model=NAME, messages=messages, **options)


def test_it_answers_what_the_last_message_says() -> None:
    with proxying(model_url="http://127.0.0.1:1") as running:
        completion = create(running, "Refunds take 14 days.")
        assert completion.choices[0].message.content == "Refunds take 14 days."
        assert completion.watchdog["action"] == "ALLOW"
        (body,) = running.watchdog.bodies
        assert (body["query"], body["answer"]) == (ASKED["content"], "Refunds take 14 days.")


def test_a_wrong_answer_does_not_pass() -> None:
    with proxying() as running:
        completion = create(running, f"Refunds take {WRONG}.")
        assert WRONG not in completion.choices[0].message.content
        assert completion.watchdog["action"] == "BLOCK"
        chunks = list(create(running, f"Refunds are made. They take {WRONG}.", stream=True))
        text = "".join(c.choices[0].delta.content or "" for c in chunks if c.choices)
        assert text.startswith("Refunds are made.")
        assert WRONG not in text
        assert chunks[-1].watchdog["action"] == "BLOCK"
        assert running.model.requests == []


def test_it_gives_nothing_to_an_unknown_key() -> None:
    with proxying() as running:
        messages = [{"role": "assistant", "content": "Refunds take 14 days."}]
        with pytest.raises(openai.AuthenticationError):
            running.client(key="wd_other").chat.completions.create(model=NAME, messages=messages)


def test_it_knows_chat_completions_alone() -> None:
    with proxying() as running, pytest.raises(openai.NotFoundError, match="chat completions only"):
        running.client().responses.create(model=NAME, input="x")
