import socket
import subprocess
import sys
from pathlib import Path

import pytest

from inference.llm import TEMPERATURE, Endpoint, Message, draw
from tests.fake_llm import garbage, serving, silence, status, text

CHECKOUT = Path(__file__).resolve().parents[3]
MESSAGES = [Message(role="user", content="Who?")]


def drawn(replies, count, *, deadline_s=20.0, key="k"):
    with serving(replies) as fake:
        found = draw(Endpoint(fake.url, "m", key, 77), MESSAGES, count, deadline_s=deadline_s)
    return found, fake


def test_all_answers_are_taken():
    found, fake = drawn([text("one"), text("two"), text("three")], 3)
    assert sorted(found.texts) == ["one", "three", "two"]
    assert found.problem == ""
    assert len(fake.requests) == 3
    for body in fake.requests:
        assert (body["model"], body["temperature"], body["max_tokens"]) == ("m", TEMPERATURE, 77)
        assert body["messages"] == MESSAGES
    assert set(fake.keys) == {"Bearer k"}


def test_an_endpoint_without_a_key_is_asked_without_a_real_one():
    found, fake = drawn([text("one")], 1, key="")
    assert found.texts == ("one",)
    assert fake.keys == ["Bearer none"]


def test_what_is_late_is_left_and_told():
    found, _ = drawn([text("one"), silence()], 3, deadline_s=2.0)
    assert found.texts == ("one",)
    assert found.problem == "2 not answered within 2 s"


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (status(503), "InternalServerError"),
        (status(401), "AuthenticationError"),
        (status(404), "NotFoundError"),
        (garbage(), "Error"),
        (text(""), "answered with nothing"),
        (text(None), "answered with nothing"),
    ],
)
def test_what_went_wrong_is_told(reply, told):
    found, _ = drawn([reply], 2)
    assert found.texts == ()
    assert told in found.problem


def test_an_endpoint_that_is_down_is_told():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    found = draw(Endpoint(url, "m"), MESSAGES, 2, deadline_s=20.0)
    assert found.texts == ()
    assert "APIConnectionError" in found.problem


def test_importing_the_module_imports_no_client():
    code = "import sys, inference.llm; assert 'openai' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=CHECKOUT, timeout=60)
