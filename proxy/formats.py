"""The formats of the guarded APIs: documents and streams that contain a model's text."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from proxy.tool_calls import ToolCall

Event = dict[str, Any]


class TextPosition(NamedTuple):
    """The place of a text: the output item and the index of its part (chat: "" and 0)."""

    item: str
    part: int


Released = Mapping[TextPosition, str]


class Text(NamedTuple):
    """The text released for a model's text; `refused` if that was data and this is not.

    Programs read data: it passes unchanged, or a refusal of the protocol replaces it.
    """

    text: str
    refused: bool = False


def is_data_format(stated: Any) -> bool:
    """Return True for a requested format of JSON."""
    return isinstance(stated, dict) and str(stated.get("type")).startswith("json")


def server_sent(event: Event) -> bytes:
    """Return a server-sent event, named by its type if it has one."""
    name = f"event: {event['type']}\n" if "type" in event else ""
    return f"{name}data: {json.dumps(event, ensure_ascii=False)}\n\n".encode()


class Format(Protocol):
    """An API's format of streamed text."""

    def text_of(self, event: Event) -> str:
        """Return the text that the event adds."""

    def place_of(self, event: Event) -> TextPosition:
        """Return where the event adds its text."""

    def ends_text(self, event: Event) -> bool:
        """Return whether a text is complete with this event."""

    def without_text(self, event: Event) -> Event | None:
        """Return the rest of the event without its text; None if nothing is left."""

    def with_text(self, text: str, place: TextPosition) -> Event:
        """Return an event that adds this text."""

    def with_refusal(self, text: str, place: TextPosition) -> Event:
        """Return an event that adds this text as a refusal, in place of the text there."""

    def completed(self, event: Event, released: Released) -> Event:
        """Return the event with the released text wherever it repeats the model's."""

    def is_end(self, event: Event) -> bool:
        """Return whether the model's answer is complete with this event."""

    def is_last(self, event: Event) -> bool:
        """Return whether this event ends the stream and so carries the verdict."""

    def has_call(self, event: Event) -> bool:
        """Return whether the event tells of a tool call."""

    def calls(self) -> list[ToolCall]:
        """Return the tool calls of the events so far."""

    def end(self, last: Event | None, released: Released, verdict: dict[str, Any]) -> list[Event]:
        """Return the events that end the stream."""

    def stop(self, released: Released, verdict: dict[str, Any]) -> list[Event]:
        """Return the events that end the stream after a failed sentence or tool call."""
