import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from inference.completion import fault_in
from inference.llm import Endpoint, Message, complete, complete_json
from tests.fake_llm import garbage, serving, silence, status, text

CHECKOUT = Path(__file__).resolve().parents[3]
MESSAGES = [Message(role="user", content="Who?")]
SCHEMA = {
    "type": "object",
    "properties": {"keep": {"type": "boolean"}},
    "required": ["keep"],
    "additionalProperties": False,
}


def completed(replies, *, deadline_s=30.0, **options):
    with serving(replies) as fake:
        found = complete(Endpoint(fake.url, "m"), MESSAGES, deadline_s=deadline_s, **options)
    return found, fake


def asked_for_json(replies, *, deadline_s=30.0):
    with serving(replies) as fake:
        found = complete_json(Endpoint(fake.url, "m"), MESSAGES, SCHEMA, deadline_s=deadline_s)
    return found, fake


def test_a_streamed_answer_comes_whole_with_its_progress_usage_and_logprobs():
    heard = []
    found, fake = completed([text("The crane stops.")], on_text=heard.append, logprobs=True)
    assert (found.text, found.model, found.problem) == ("The crane stops.", "m", "")
    assert heard == [3, 9, 16]
    assert found.tokens == 13
    assert found.logprobs is not None
    assert "".join(one["token"] for one in found.logprobs) == found.text
    assert fake.requests[0]["temperature"] == 0.0


def test_a_passing_error_is_asked_again():
    found, fake = completed([status(503), text("Now.")])
    assert (found.text, len(fake.requests)) == ("Now.", 2)


def test_an_endpoint_that_refuses_the_options_is_asked_plainly():
    found, fake = completed([status(400), text("Plain.")], logprobs=True)
    assert (found.text, found.logprobs) == ("Plain.", None)
    assert "logprobs" in fake.requests[0]
    assert "logprobs" not in fake.requests[1]
    assert "stream_options" not in fake.requests[1]


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (status(401), "AuthenticationError"),
        (text(""), "answered with nothing"),
        (garbage(), "answered with nothing"),
    ],
)
def test_what_went_wrong_is_told(reply, told):
    found, _ = completed([reply])
    assert found.text == ""
    assert told in found.problem


def test_a_silent_endpoint_is_left_at_the_deadline():
    found, _ = completed([silence()], deadline_s=1.0)
    assert found.problem == "not answered within 1 s"


def test_an_endpoint_that_is_down_is_told():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    found = complete(Endpoint(url, "m"), MESSAGES, deadline_s=30.0)
    assert "APIConnectionError" in found.problem


def test_json_that_fits_is_taken_also_out_of_a_fence():
    for said in ('{"keep": true}', '```json\n{"keep": true}\n```'):
        found, fake = asked_for_json([text(said)])
        assert (found.value, found.problem) == ({"keep": True}, "")
        assert fake.requests[0]["response_format"]["json_schema"]["schema"] == SCHEMA


def test_json_that_does_not_fit_is_sent_back_once_with_its_fault():
    found, fake = asked_for_json([text('{"keep": 3}'), text('{"keep": false}')])
    assert found.value == {"keep": False}
    told = fake.requests[1]["messages"][-1]["content"]
    assert "keep: 3 is not of type 'boolean'" in told
    refused, fake = asked_for_json([text("I would keep it.")])
    assert (refused.value, refused.problem) == (None, "the reply is no JSON")
    assert len(fake.requests) == 2


def test_an_endpoint_without_response_format_is_asked_in_words():
    found, fake = asked_for_json([status(400), text('{"keep": true}')])
    assert found.value == {"keep": True}
    assert "response_format" not in fake.requests[1]
    assert json.dumps(SCHEMA) in fake.requests[1]["messages"][-1]["content"]


def test_json_is_not_waited_for_beyond_the_deadline():
    found, _ = asked_for_json([silence()], deadline_s=1.0)
    assert found.problem == "not answered within 1 s"


def test_a_schema_names_the_first_fault():
    assert fault_in('{"keep": true, "x": 1}', SCHEMA)[1].startswith("the value: Additional")


def test_importing_the_module_imports_no_client():
    code = "import sys, inference.llm; assert not {'openai', 'jsonschema'} & {*sys.modules}"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=CHECKOUT, timeout=60)
