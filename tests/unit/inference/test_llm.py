import json
import socket

import pytest

from inference.llm import (
    TEMPERATURE,
    ChatMessage,
    Endpoint,
    complete,
    complete_json,
    draw,
    fault_in,
)
from tests.commands import python
from tests.fake_llm import garbage, serving, silence, status, text

MESSAGES = [ChatMessage(role="user", content="Who?")]
SCHEMA = {
    "type": "object",
    "properties": {"keep": {"type": "boolean"}},
    "required": ["keep"],
    "additionalProperties": False,
}


def completed(replies, *, deadline_s=30.0, **options):
    with serving(replies) as fake:
        completion = complete(Endpoint(fake.url, "m"), MESSAGES, deadline_s=deadline_s, **options)
    return completion, fake


def asked_for_json(replies, *, deadline_s=30.0):
    with serving(replies) as fake:
        completion = complete_json(Endpoint(fake.url, "m"), MESSAGES, SCHEMA, deadline_s=deadline_s)
    return completion, fake


def test_a_streamed_answer_comes_whole_with_its_usage_and_logprobs():
    completion, fake = completed([text("The crane stops.")], logprobs=True)
    assert (completion.text, completion.model, completion.problem) == ("The crane stops.", "m", "")
    assert completion.tokens == 13
    assert "".join(logprob["token"] for logprob in completion.logprobs) == completion.text
    assert fake.requests[0]["temperature"] == 0.0


def test_a_passing_error_is_asked_again():
    completion, fake = completed([status(503), text("Now.")])
    assert (completion.text, len(fake.requests)) == ("Now.", 2)


def test_an_endpoint_that_refuses_the_options_is_asked_plainly():
    completion, fake = completed([status(400), text("Plain.")], logprobs=True)
    assert (completion.text, completion.logprobs) == ("Plain.", None)
    assert "logprobs" in fake.requests[0]
    assert "logprobs" not in fake.requests[1]
    assert "stream_options" not in fake.requests[1]


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (status(401), "AuthenticationError"),
        (text(""), "answered with nothing"),
        (garbage(), "answered with nothing"),
    ],
)
def test_what_went_wrong_is_told(reply, problem):
    completion, _ = completed([reply])
    assert completion.text == ""
    assert problem in completion.problem


@pytest.mark.parametrize("ask", [completed, asked_for_json])
def test_a_silent_endpoint_is_left_at_the_deadline(ask):
    completion, _ = ask([silence()], deadline_s=1.0)
    assert completion.problem == "not answered within 1 s"


def test_an_endpoint_that_is_down_is_told():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        endpoint = Endpoint(f"http://127.0.0.1:{free.getsockname()[1]}/v1", "m")
    completion = complete(endpoint, MESSAGES, deadline_s=30.0)
    samples = draw(endpoint, MESSAGES, 2, deadline_s=20.0)
    assert samples.texts == ()
    for problem in (completion.problem, samples.problem):
        assert "APIConnectionError" in problem


def test_json_that_fits_is_taken_also_out_of_a_fence():
    for reply in ('{"keep": true}', '```json\n{"keep": true}\n```'):
        completion, fake = asked_for_json([text(reply)])
        assert (completion.value, completion.problem) == ({"keep": True}, "")
        assert fake.requests[0]["response_format"]["json_schema"]["schema"] == SCHEMA


def test_json_that_does_not_fit_is_sent_back_once_with_its_fault():
    completion, fake = asked_for_json([text('{"keep": 3}'), text('{"keep": false}')])
    assert completion.value == {"keep": False}
    request = fake.requests[1]["messages"][-1]["content"]
    assert "keep: 3 is not of type 'boolean'" in request
    refused, fake = asked_for_json([text("I would keep it.")])
    assert (refused.value, refused.problem) == (None, "the reply is no JSON")
    assert len(fake.requests) == 2


def test_an_endpoint_without_response_format_is_asked_in_words():
    completion, fake = asked_for_json([status(400), text('{"keep": true}')])
    assert completion.value == {"keep": True}
    assert "response_format" not in fake.requests[1]
    assert json.dumps(SCHEMA) in fake.requests[1]["messages"][-1]["content"]


def test_a_schema_names_the_first_fault():
    assert fault_in('{"keep": true, "x": 1}', SCHEMA)[1].startswith("the value: Additional")


def test_importing_the_module_imports_no_client():
    code = "import sys, inference.llm; assert not {'openai', 'jsonschema'} & {*sys.modules}"
    python("-c", code, timeout=60)


def test_a_call_that_is_not_answered_counts_an_estimate_of_its_prompt():
    unanswered, fake = asked_for_json([silence()], deadline_s=1.0)
    sent = sum(len(message["content"]) for message in fake.requests[0]["messages"])
    assert unanswered.tokens == sent // 4 + 1
    refused, _ = asked_for_json([status(401)])
    assert refused.tokens == 0


def test_what_was_paid_for_before_the_deadline_counts_too():
    once, fake = asked_for_json([text('{"keep": 3}'), silence()], deadline_s=2.0)
    first, second = (
        sum(len(message["content"]) for message in request["messages"]) for request in fake.requests
    )
    assert once.tokens > second // 4 + 1 > first // 4 + 1


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
def test_what_went_wrong_with_a_sample_is_told(reply, problem):
    samples, _ = draw_samples([reply], 2)
    assert samples.texts == ()
    assert problem in samples.problem
