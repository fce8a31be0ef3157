import socket
import subprocess
import sys
from pathlib import Path

import pytest

from inference.llm import TEMPERATURE, ChatMessage, Endpoint, draw
from tests.fake_llm import garbage, serving, silence, status, text

CHECKOUT = Path(__file__).resolve().parents[3]
MESSAGES = [ChatMessage(role="user", content="Who?")]


def draw_samples(replies, count, *, deadline_s=20.0, key="k"):
    with serving(replies) as fake:
        samples = draw(Endpoint(fake.url, "m", key, 77), MESSAGES, count, deadline_s=deadline_s)
    return samples, fake


def test_all_answers_are_taken():
    samples, fake = draw_samples([text("one"), text("two"), text("three")], 3)
    assert sorted(samples.texts) == ["one", "three", "two"]
    assert samples.problem == ""
    assert len(fake.requests) == 3
    for body in fake.requests:
        assert (body["model"], body["temperature"], body["max_tokens"]) == ("m", TEMPERATURE, 77)
        assert body["messages"] == MESSAGES
    assert set(fake.keys) == {"Bearer k"}


def test_an_endpoint_without_a_key_is_asked_without_a_real_one():
    samples, fake = draw_samples([text("one")], 1, key="")
    assert samples.texts == ("one",)
    assert fake.keys == ["Bearer none"]


def test_what_is_late_is_left_and_told():
    samples, _ = draw_samples([text("one"), silence()], 3, deadline_s=2.0)
    assert samples.texts == ("one",)
    assert samples.problem == "2 not answered within 2 s"


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (status(503), "InternalServerError"),
        (status(401), "AuthenticationError"),
        (status(404), "NotFoundError"),
        (garbage(), "Error"),
        (text(""), "answered with nothing"),
        (text(None), "answered with nothing"),
    ],
)
def test_what_went_wrong_is_told(reply, problem):
    samples, _ = draw_samples([reply], 2)
    assert samples.texts == ()
    assert problem in samples.problem


def test_an_endpoint_that_is_down_is_told():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    samples = draw(Endpoint(url, "m"), MESSAGES, 2, deadline_s=20.0)
    assert samples.texts == ()
    assert "APIConnectionError" in samples.problem


def test_importing_the_module_imports_no_client():
    code = "import sys, inference.llm; assert 'openai' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=CHECKOUT, timeout=60)
