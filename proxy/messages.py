"""Anthropic's Messages: finds the members with a model's text, and replaces them.

Reasoning and citations of changed texts are dropped as unverified. A thought keeps its signature,
with which it goes back to the model.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from proxy.formats import Event, Released, Text, TextPosition, is_data_format
from proxy.tool_calls import ToolCall

_TOP = frozenset({"id", "type", "role", "model", "stop_reason", "stop_sequence", "usage"})
_PASSED = ("tool_use", "server_tool_use", "redacted_thinking")
"""Blocks without a model's text for a reader; so are those whose type ends in `_tool_result`."""
_DELTAS = ("input_json_delta", "signature_delta")
_EVENTS = (
    "message_start", "content_block_start", "content_block_delta", "content_block_stop",
    "message_delta", "message_stop", "ping", "error",
)  # fmt: skip
_REFUSED = {"stop_reason": "refusal", "stop_sequence": None}
"""The end of an answer that Anthropic's own classifiers stop."""


def messages_of(body: dict[str, Any]) -> list[Any]:
    """Return the request as messages of OpenAI's form, in which tool results have a role.

    Documents and search results that the application puts into a message are sources like these.
    """
    system = [{"role": "system", "content": body["system"]}] if body.get("system") else []
    return [*system, *(one for message in body["messages"] for one in _parts(message))]


def _parts(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    content = message.get("content")
    if not isinstance(content, list):
        yield message
        return
    blocks = [block for block in content if isinstance(block, dict)]
    for block in blocks:
        source = block.get("source")
        if block.get("type") in ("tool_result", "search_result"):
            yield {"role": "tool", "content": block.get("content")}
        elif block.get("type") == "document" and isinstance(source, dict):
            member = "data" if source.get("type") == "text" else "content"
            yield {"role": "tool", "content": source.get(member)}
    if texts := [block for block in blocks if block.get("type") == "text"]:
        yield {**message, "content": texts}


def asks_for_data(body: dict[str, Any]) -> bool:
    """Return True if the request wants JSON."""
    output = body.get("output_config")
    stated = output.get("format") if isinstance(output, dict) else body.get("output_format")
    return is_data_format(stated)


def texts_of(message: dict[str, Any]) -> list[str]:
    """Return the texts of the answer, in order."""
    return [block["text"] for block in message["content"] if block["type"] == "text"]


def calls_of(message: dict[str, Any]) -> list[ToolCall]:
    """Return the tool calls, in order."""
    return [
        ToolCall(block["id"], block["name"], json.dumps(block["input"], ensure_ascii=False))
        for block in message["content"]
        if block["type"] == "tool_use"
    ]


def without_calls(message: dict[str, Any]) -> dict[str, Any]:
    """Return the message without tool calls, with the end of an answer that is stopped."""
    content = [block for block in message["content"] if block["type"] != "tool_use"]
    return {**message, **_REFUSED, "content": content}


def with_texts(message: dict[str, Any], texts: list[Text]) -> dict[str, Any]:
    """Return the message with its texts replaced, in the order of `texts_of`."""
    remaining = iter(texts)
    content = []
    for block in message["content"]:
        if block["type"] == "text":
            text = next(remaining).text
            citations = block.get("citations") if text == block["text"] else None
            content.append({"type": "text", "text": text, "citations": citations})
        elif (passed := _without_thoughts(block)) is not None:
            content.append(passed)
    is_refused = any(text.refused for text in texts)
    members = {name: value for name, value in message.items() if name in _TOP}
    return {**members, **(_REFUSED if is_refused else {}), "content": content}


def _without_thoughts(block: dict[str, Any]) -> dict[str, Any] | None:
    """Return a block other than a text without what nobody checks; None if nothing is left."""
    if block["type"] == "thinking":
        return {"type": "thinking", "thinking": "", "signature": block.get("signature", "")}
    is_passed = block["type"] in _PASSED or block["type"].endswith("_tool_result")
    return block if is_passed else None


class MessageStream:
    """The events of one streamed message."""

    def __init__(self) -> None:
        self._open: int | None = None
        self._dropped: set[int] = set()
        self._is_refused = False
        self._calls: dict[int, ToolCall] = {}

    def text_of(self, event: Event) -> str:
        delta = event.get("delta") or {}
        return str(delta["text"]) if delta.get("type") == "text_delta" else ""

    def place_of(self, event: Event) -> TextPosition:
        """Return the block of the text, which is its part of the message."""
        return TextPosition("", event["index"])

    def ends_text(self, event: Event) -> bool:
        return event.get("type") in ("content_block_stop", "message_stop")

    def without_text(self, event: Event) -> Event | None:
        """Return the event, unless it carries text, citations or reasoning."""
        kind = event.get("type")
        if kind not in _EVENTS or event.get("index") in self._dropped:
            return None
        if kind == "content_block_delta":
            delta, call = event["delta"], self._calls.get(event["index"])
            if call is not None:
                arguments = call.arguments + delta["partial_json"]
                self._calls[event["index"]] = replace(call, arguments=arguments)
            return event if delta["type"] in _DELTAS else None
        if kind == "message_start":
            members = {name: v for name, v in event["message"].items() if name in _TOP}
            return {"type": kind, "message": {**members, "content": []}}
        if kind != "content_block_start":
            return event
        block = event["content_block"]
        if block["type"] == "tool_use":
            beginning = json.dumps(block["input"]) if block.get("input") else ""
            self._calls[event["index"]] = ToolCall(block["id"], block["name"], beginning)
        if block["type"] != "text":
            started = _without_thoughts(block)
            if started is None:
                self._dropped.add(event["index"])
            return None if started is None else {**event, "content_block": started}
        if block["text"]:
            raise TypeError("a block begins with text")
        return {**event, "content_block": {"type": "text", "text": "", "citations": None}}

    def with_text(self, text: str, place: TextPosition) -> Event:
        delta = {"type": "text_delta", "text": text}
        return {"type": "content_block_delta", "index": place.part, "delta": delta}

    def with_refusal(self, text: str, place: TextPosition) -> Event:
        self._is_refused = True
        return self.with_text(text, place)

    def completed(self, event: Event, released: Released) -> Event:
        """Return the event, with the end of a refused answer where its text was refused."""
        if event["type"] == "content_block_start":
            self._open = event["index"]
        elif event["type"] == "content_block_stop":
            self._open = None
        elif event["type"] == "message_delta" and self._is_refused:
            return {**event, "delta": {**event["delta"], **_REFUSED}}
        return event

    def is_end(self, event: Event) -> bool:
        return self.is_last(event)

    def is_last(self, event: Event) -> bool:
        """Return whether this event ends the message and so carries the verdict."""
        return event.get("type") == "message_stop"

    def has_call(self, event: Event) -> bool:
        return event.get("index") in self._calls

    def calls(self) -> list[ToolCall]:
        return list(self._calls.values())

    def end(self, last: Event | None, released: Released, verdict: dict[str, Any]) -> list[Event]:
        """Return the last event with the verdict."""
        return [] if last is None else [{**last, "watchdog": verdict}]

    def stop(self, released: Released, verdict: dict[str, Any]) -> list[Event]:
        """End as Anthropic does when its classifiers stop an answer."""
        closed = [] if self._open is None else [{"type": "content_block_stop", "index": self._open}]
        usage = {"output_tokens": 0}
        delta = {"type": "message_delta", "delta": {**_REFUSED}, "usage": usage}
        return [*closed, delta, {"type": "message_stop", "watchdog": verdict}]
