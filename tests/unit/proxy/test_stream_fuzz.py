"""Whatever a model streams, the proxy releases what was checked, or ends with an error of its own.

Hypothesis draws events, texts and the places at which the bytes are cut, for each of the formats.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from itertools import pairwise
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fake_watchdog import check as check_document
from proxy.completions import ChatStream
from proxy.errors import ProxyError
from proxy.formats import Event, Format
from proxy.messages import MessageStream
from proxy.model import events
from proxy.responses import ResponseStream
from proxy.settings import OnFailure, Settings
from proxy.streaming import VerifiedStream
from watchdog_client import GuardedAnswer
from watchdog_client.guard import release
from watchdog_client.models import Check

SETTINGS = Settings(model_url="http://m", replacement="[removed]")
SECRET = "unchecked words"
FORMATS: list[Callable[[], Format]] = [ChatStream, ResponseStream, MessageStream]


async def allow(text: str) -> GuardedAnswer:
    return GuardedAnswer(text, "ALLOW")


async def block_secrets(text: str) -> GuardedAnswer:
    action = "BLOCK" if SECRET in text else "ALLOW"
    refused = {"mitigation_actions": ["refused_answer"], "final_response": "No."}
    return release(text, Check.model_validate(check_document(action, answer=text, **refused)))


def released(
    form: Format,
    pieces: list[bytes],
    check: Callable[[str], Any] = allow,
    on_failure: OnFailure = "replace",
) -> list[Event]:
    """Return what the proxy sends for a model's stream that arrives in these pieces."""

    async def body() -> AsyncIterator[bytes]:
        for piece in pieces:
            yield piece

    async def run() -> list[Event]:
        stream = VerifiedStream(form, check, on_failure, SETTINGS)
        response = httpx.Response(200, content=body())
        return [event async for event in stream.events(events(response, form.is_end))]

    return asyncio.run(run())


def sse(*documents: object) -> bytes:
    return "".join(f"data: {json.dumps(document)}\n\n" for document in documents).encode()


def chat(delta: object, finish: str | None = None) -> Event:
    return {"id": "x", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def chat_text(received: list[Event]) -> str:
    deltas = [choice["delta"] for event in received for choice in event["choices"]]
    return "".join(delta.get("content") or "" for delta in deltas)


scalars = st.none() | st.booleans() | st.integers() | st.text(max_size=9)
NAMES = [
    "choices", "delta", "content", "refusal", "type", "index", "text", "item_id", "output_index",
    "content_index", "response", "output", "item", "part", "content_block", "message", "error",
    "finish_reason", "usage", "citations", "thinking",
]  # fmt: skip
KINDS = [
    "response.output_text.delta", "response.output_text.done", "response.completed",
    "response.output_item.added", "content_block_start", "content_block_delta", "message_delta",
    "content_block_stop", "message_stop", "text_delta", "text", "output_text", "reasoning",
]  # fmt: skip
documents = st.recursive(
    scalars | st.sampled_from(KINDS),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=4), inner, max_size=5)
    ),
    max_leaves=12,
)


@pytest.mark.parametrize("form", FORMATS)
@given(
    stream=st.lists(documents, max_size=5).map(lambda some: sse(*some))
    | st.binary(max_size=200).map(lambda data: b"data: " + data + b"\n\n")
)
def test_what_is_unreadable_ends_with_an_error_of_the_proxy(form, stream) -> None:
    try:
        released(form(), [stream])
    except ProxyError as error:
        assert error.status == 502  # noqa: PT017 - a stream may as well be readable


words = st.sampled_from(
    ["It is ", "free", ".", ". ", "\n\n", "3.5 m", " Dr. ", "{", '"a": 1}', "- ", "e.g. ", "?", " "]
)


@given(pieces=st.lists(words, max_size=20), cuts=st.lists(st.integers(0, 2_000), max_size=5))
def test_a_text_that_passes_arrives_as_it_is_wherever_it_is_cut(pieces, cuts) -> None:
    data = sse(*[chat({"content": piece}) for piece in pieces], chat({}, "stop"))
    places = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    parts = [data[a:b] for a, b in pairwise(places)]
    assert chat_text(released(ChatStream(), parts)).strip() == "".join(pieces).strip()


@given(
    members=st.lists(
        st.tuples(
            st.sampled_from(["content", "refusal", "reasoning_content", "thinking", "audio"])
            | st.text(alphabet="abcxyz", min_size=1, max_size=6),
            st.sampled_from([f"{SECRET}.", f"It is free. {SECRET}", "It is free. "]),
        ),
        max_size=6,
    ),
    on_failure=st.sampled_from(["omit", "replace", "stop"]),
)
def test_no_unchecked_word_is_in_a_chat(members, on_failure) -> None:
    data = sse(*[chat({name: text}) for name, text in members], chat({}, "stop"))
    received = released(ChatStream(), [data], block_secrets, on_failure)
    assert SECRET not in json.dumps(received)


@given(
    blocks=st.lists(
        st.tuples(
            st.sampled_from(["text", "thinking", "other"]),
            st.sampled_from(["text_delta", "thinking_delta", "citations_delta", "other_delta"]),
            st.sampled_from([f"{SECRET}.", "It is free. "]),
        ),
        max_size=5,
    ),
    on_failure=st.sampled_from(["omit", "replace", "stop"]),
)
def test_nor_in_a_message(blocks, on_failure) -> None:
    stream: list[Event] = []
    for index, (kind, delta, text) in enumerate(blocks):
        content = {"type": kind, "text": "", "thinking": text, "other": text}
        stream += [
            {"type": "content_block_start", "index": index, "content_block": content},
            {
                "type": "content_block_delta", "index": index,
                "delta": {"type": delta, "text": text, "thinking": text},
            },
            {"type": "content_block_stop", "index": index},
        ]  # fmt: skip
    data = sse(*stream, {"type": "other", "text": SECRET}, {"type": "message_stop"})
    received = released(MessageStream(), [data], block_secrets, on_failure)
    assert SECRET not in json.dumps(received)
