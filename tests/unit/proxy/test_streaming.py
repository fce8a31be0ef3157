"""Streamed answers: sentences are released as they are verified."""

import json
from dataclasses import replace
from typing import Any

import httpx
import openai
import pytest

from fake_watchdog import checked
from proxy.streaming import Splitter
from tests import fake_llm
from tests.unit.proxy.serving import Running, proxying

QUESTION: Any = [{"role": "user", "content": "How long?"}]
ANSWER = "Refunds are free. They take 30 days.  Ask at 5 p.m. or perhaps later.\n\nGoodbye."
RELEASED = "Refunds are free. {}Doubtful: Ask at 5 p.m. or perhaps later.\n\nGoodbye."
HOLE = "[removed]"


def chunks(running: Running, **extra: Any) -> list[Any]:
    return list(
        running.client().chat.completions.create(
            model="m",
            messages=QUESTION,
            stream=True,
            stream_options={"include_usage": True},
            extra_body={"watchdog": extra},
        )
    )


def text_of(received: list[Any]) -> str:
    parts = (choice.delta.content for chunk in received for choice in chunk.choices)
    return "".join(part for part in parts if part)


@pytest.mark.parametrize(
    ("on_failure", "text"),
    [
        ("omit", RELEASED.format("")),
        ("replace", RELEASED.format(HOLE + "  ")),
        ("stop", "Refunds are free. "),
    ],
)
def test_a_failed_sentence_is_left_out_replaced_or_ends_the_stream(on_failure, text) -> None:
    with proxying(fake_llm.text(ANSWER), replacement=HOLE) as running:
        received = chunks(running, on_failure=on_failure)
    assert text_of(received) == text
    finish = [c.finish_reason for chunk in received for c in chunk.choices if c.finish_reason]
    assert finish == (["content_filter"] if on_failure == "stop" else ["stop"])
    assert received[-1].watchdog["action"] == "BLOCK"


@pytest.mark.parametrize(
    ("mitigations", "text"),
    [(["refused_answer"], HOLE), (["refused_answer", "added_corrections"], "It is 14 days. [1]")],
)
def test_what_the_sources_say_instead_is_told_where_they_say_it(mitigations, text) -> None:
    final = {"final_response": "It is 14 days. [1]", "mitigation_actions": mitigations}
    with proxying(fake_llm.text("They take 30 days."), replacement=HOLE) as running:
        running.watchdog.reply = checked("BLOCK", answer="They take 30 days.", **final)
        received = chunks(running)
    assert text_of(received).strip() == text
    assert received[-1].watchdog["action"] == "BLOCK"


def test_a_sentence_is_released_while_the_model_still_writes() -> None:
    """The model goes on only once the first sentence has arrived."""
    reply = replace(fake_llm.text("Refunds are free. They take 14 days."), events_first=4)
    with proxying(reply) as running:
        stream = running.client(timeout=30).chat.completions.create(
            model="m", messages=QUESTION, stream=True
        )
        content = (choice.delta.content for chunk in stream for choice in chunk.choices)
        texts = filter(None, content)
        assert next(texts) == "Refunds are free. "
        assert [body["answer"] for body in running.watchdog.bodies] == ["Refunds are free."]
        running.model.go_on.set()
        assert "".join(texts) == "They take 14 days."


def test_so_is_one_of_a_streamed_response() -> None:
    reply = replace(fake_llm.text("Refunds are free. They take 14 days."), events_first=7)
    with proxying(reply) as running:
        stream = running.client(timeout=30).responses.create(model="m", input="?", stream=True)
        texts = (event.delta for event in stream if event.type == "response.output_text.delta")
        assert next(texts) == "Refunds are free. "
        running.model.go_on.set()
        assert "".join(texts) == "They take 14 days."


def test_usage_and_the_whole_verdict_end_the_stream() -> None:
    with proxying(fake_llm.text("Refunds are free. They perhaps take longer.")) as running:
        received = chunks(running)
        texts = [body["answer"] for body in running.watchdog.bodies]
    assert [chunk.usage.total_tokens for chunk in received if chunk.usage] == [17]
    verdict = received[-1].watchdog
    assert (verdict["action"], verdict["check_id"]) == ("WARN", "c1")
    assert verdict["sentences"] == ["ALLOW", "WARN"]
    assert set(texts) == {
        "Refunds are free.",
        "Refunds are free. They perhaps take longer.",
        "They perhaps take longer.",
    }
    assert len(texts) == 3


def test_a_streamed_response_is_told_the_released_text_everywhere() -> None:
    with proxying(fake_llm.text(ANSWER), replacement=HOLE) as running:
        stream = running.client().responses.create(model="m", input="How long?", stream=True)
        received: list[Any] = list(stream)
    text = RELEASED.format(HOLE + "  ")
    kinds = [event.type for event in received]
    deltas = [e.delta for e in received if e.type == "response.output_text.delta"]
    assert "".join(deltas) == text
    assert received[kinds.index("response.output_text.done")].text == text
    assert received[kinds.index("response.content_part.done")].part.text == text
    assert received[-1].type == "response.completed"
    assert received[-1].response.output_text == text
    assert received[-1].response.watchdog["action"] == "BLOCK"
    assert [event.sequence_number for event in received] == list(range(len(received)))
    assert "30 days" not in "".join(event.to_json() for event in received)


def test_a_streamed_response_can_stop() -> None:
    with proxying(fake_llm.text(ANSWER), on_failure="stop") as running:
        stream = running.client().responses.create(model="m", input="How long?", stream=True)
        received: list[Any] = list(stream)
    assert received[-1].type == "response.incomplete"
    assert received[-1].response.incomplete_details.reason == "content_filter"
    assert received[-1].response.output_text == "Refunds are free. "


@pytest.mark.parametrize("on_failure", ["omit", "replace"])
@pytest.mark.parametrize(("fail", "text"), [("closed", "Not now."), ("open", "One. Two. Three.")])
def test_without_verdicts_the_setting_decides(fail, text, on_failure) -> None:
    with proxying(
        fake_llm.text("One. Two. Three."), fail=fail, replacement=HOLE, unavailable_text="Not now."
    ) as running:
        running.watchdog.down = True
        received = chunks(running, on_failure=on_failure)
    assert text_of(received).strip() == text
    assert received[-1].watchdog["action"] == "NOT_CHECKED"


@pytest.mark.parametrize("stream", [True, False])
def test_an_open_proxy_shows_nothing_that_watchdog_refuses(stream) -> None:
    error = {"field": "sources", "code": "max_length", "detail": "Too many."}
    with proxying(
        fake_llm.text("One. Two. Three."), fail="open", unavailable_text="Not now."
    ) as running:
        running.watchdog.reply = httpx.Response(400, json={"detail": "x", "errors": [error]})
        if stream:
            text = text_of(chunks(running)).strip()
        else:
            answer = running.client().chat.completions.create(model="m", messages=QUESTION)
            text = answer.choices[0].message.content or ""
    assert text == "Not now."


def events(*documents: object) -> fake_llm.Reply:
    """Return a stream of these events, as it is."""
    return fake_llm.as_it_is("".join(f"data: {json.dumps(d)}\n\n" for d in documents).encode())


def chunk(delta: object, finish: str | None = None) -> dict[str, Any]:
    head = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def test_a_streamed_refusal_is_checked_like_any_text() -> None:
    deltas = [{"content": "Well. "}, {"refusal": "It takes "}, {"refusal": "30 days."}]
    with proxying(events(*map(chunk, deltas), chunk({}, "stop")), replacement=HOLE) as running:
        received = chunks(running)
    parts = [c.delta for chunk in received for c in chunk.choices]
    assert [part.content for part in parts if part.content] == ["Well. "]
    assert [part.refusal for part in parts if part.refusal] == [HOLE]


def test_a_refusal_in_a_streamed_response_is_checked_as_well() -> None:
    place = {"item_id": "i", "output_index": 0, "content_index": 0}
    refused = {"type": "refusal", "refusal": "It takes 30 days."}
    item = {"type": "message", "id": "i", "role": "assistant", "content": [refused]}
    response = {"id": "r", "object": "response", "created_at": 1, "model": "m", "output": [item]}
    reply = events(
        {"type": "response.refusal.delta", **place, "delta": "It takes 30 days."},
        {"type": "response.refusal.done", **place, "refusal": "It takes 30 days."},
        {"type": "response.completed", "response": response},
    )
    with proxying(reply, replacement=HOLE) as running:
        stream = running.client().responses.create(model="m", input="How long?", stream=True)
        received: list[Any] = list(stream)
    assert (received[0].delta, received[1].refusal) == (HOLE, HOLE)
    assert received[-1].response.output[0].content[0].refusal == HOLE


@pytest.mark.parametrize(
    "unreadable", [5, {"choices": 5}, {"choices": [{"delta": {"content": 5}}]}], ids=str
)
def test_an_unreadable_event_ends_the_stream_with_an_error(unreadable) -> None:
    with (
        proxying(events(unreadable)) as running,
        pytest.raises(openai.APIError, match="unreadable"),
    ):
        chunks(running)


def test_a_wrong_key_of_watchdog_ends_the_stream_with_an_error() -> None:
    with proxying(fake_llm.text("One. Two.")) as running:
        client = running.client("wd_other")
        stream = client.chat.completions.create(model="m", messages=QUESTION, stream=True)
        with pytest.raises(openai.APIError, match="No such key"):
            list(stream)


def test_a_sentence_is_complete_when_the_next_one_begins() -> None:
    splitter = Splitter()
    added = [splitter.add(piece) for piece in ("It is 3", ".", "5 m. ", "Dr", ". Lee", " left.\n")]
    assert [sentence for sentences in added for sentence in sentences] == ["It is 3.5 m. "]
    assert splitter.rest() == ["Dr. Lee left.\n"]
    assert splitter.rest() == []


def test_what_the_model_wrote_for_itself_is_not_streamed() -> None:
    splitter = Splitter()
    pieces = ("<thi", "nk>It is 3. No, ", "5.</th", "ink>\n\nIt is 4. ", "Yes.")
    added = [sentence for piece in pieces for sentence in splitter.add(piece)]
    assert "".join([*added, *splitter.rest()]).strip() == "It is 4. Yes."


@pytest.mark.parametrize("on_failure", ["omit", "replace", "stop"])
@pytest.mark.parametrize("text", [ANSWER, '{"days": "30 days"}'])
def test_an_observing_proxy_streams_what_the_model_wrote(on_failure, text) -> None:
    with proxying(fake_llm.text(text), mode="observe") as running:
        received = chunks(running, on_failure=on_failure)
    assert text_of(received) == text
    assert (received[-1].watchdog["action"], received[-1].watchdog["mode"]) == ("BLOCK", "observe")


def test_a_held_sentence_ends_the_stream_and_the_whole_answer_awaits_review() -> None:
    whole = "Refunds are free. The dosage is 5 mg. Take two of them."
    with proxying(fake_llm.text(whole)) as running:
        received = chunks(running, on_failure="replace")
        texts = [body["answer"] for body in running.watchdog.bodies]
    assert text_of(received) == "Refunds are free. A person reviews it."
    verdict = received[-1].watchdog
    assert (verdict["action"], verdict["hold"]["state"]) == ("WARN", "awaiting")
    assert texts[-1] == whole
    assert "The dosage is 5 mg." not in texts  # a second hold of the same sentence
