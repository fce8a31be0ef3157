"""Streams through the proxy and the running product: sentences are judged with those before."""

from collections.abc import Callable

import pytest

from tests import fake_llm
from tests.unit.proxy.serving import guarded_model

SOURCE = (
    "The Larkhill pass costs 40 euros. It is valid for one year. Dogs travel free of charge. "
    "Bicycles need a ticket of their own."
)
MESSAGES = [
    {"role": "system", "content": f"<context>{SOURCE}</context>"},
    {"role": "user", "content": "What is the Larkhill pass?"},
]
WRONG_END = "The Larkhill pass costs 40 euros. It is valid for three years."
WRONG_START = "The Larkhill pass costs 90 euros. It is valid for one year."


@pytest.fixture
def streamed(stack, api_key) -> Callable[[str], tuple[str, dict]]:
    """Return a function that returns a model's answer as streamed by the proxy, and its verdict."""

    def stream(answer: str) -> tuple[str, dict]:
        with guarded_model(fake_llm.text(answer), stack.url, api_key[1]) as client:
            chunks = list(client.chat.completions.create(model="m", messages=MESSAGES, stream=True))
        text = "".join(c.delta.content or "" for chunk in chunks for c in chunk.choices)
        return text, chunks[-1].watchdog

    return stream


def test_a_sentence_that_leans_on_the_one_before_it_passes(streamed) -> None:
    text, verdict = streamed("The Larkhill pass costs 40 euros. It is valid for one year.")
    assert text == "The Larkhill pass costs 40 euros. It is valid for one year."
    assert verdict["sentences"] == ["ALLOW", "ALLOW"]
    assert verdict["action"] == "ALLOW"


def test_a_wrong_sentence_behind_a_right_one_is_not_released(streamed) -> None:
    text, verdict = streamed(WRONG_END)
    assert text.startswith("The Larkhill pass costs 40 euros. ")
    assert "three years" not in text
    assert "It is valid for one year." in text.partition("The sources say: ")[2]
    assert verdict["sentences"][0] == "ALLOW"
    assert verdict["action"] == "BLOCK"


def test_a_right_sentence_behind_a_wrong_one_is_released(streamed) -> None:
    text, verdict = streamed(WRONG_START)
    assert "90 euros" not in text
    assert "The sources say: “The Larkhill pass costs 40 euros.”" in text
    assert text.endswith("It is valid for one year.")
    assert verdict["sentences"][-1] == "ALLOW"
    assert verdict["action"] == "BLOCK"
