"""What the two APIs have in common: documents and streams that hold a model's text."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

Event = dict[str, Any]


class TextPosition(NamedTuple):
    """Where a text stands: the output item and the index of its part (chat: "" and 0)."""

    item: str
    part: int


Released = Mapping[TextPosition, str]


class Text(NamedTuple):
    """What is released in place of a model's text; `refused` where that was data and this is not.

    Programs read data: it passes as it is, or a refusal of the protocol stands in its place.
    """

    text: str
    refused: bool = False


def is_data_format(stated: Any) -> bool:
    """Return True for the format of a request that wants JSON."""
    return isinstance(stated, dict) and str(stated.get("type")).startswith("json")


class Format(Protocol):
    """How an API streams text."""

    def text_of(self, event: Event) -> str:
        """The text that the event adds."""

    def place_of(self, event: Event) -> TextPosition:
        """Where it adds the text."""

    def ends_text(self, event: Event) -> bool:
        """Whether a text is complete with this event."""

    def without_text(self, event: Event) -> Event | None:
        """What else the event says; None where that is nothing."""

    def with_text(self, text: str, place: TextPosition) -> Event:
        """An event that adds this text."""

    def with_refusal(self, text: str, place: TextPosition) -> Event:
        """An event that adds this text as a refusal, in place of the text there."""

    def completed(self, event: Event, released: Released) -> Event:
        """The event, with the released text wherever it repeats the model's."""

    def is_last(self, event: Event) -> bool:
        """Whether the verdict belongs into this event, which ends the stream."""

    def end(
        self, last: Event | None, released: Released, verdict: dict[str, Any] | None
    ) -> list[Event]:
        """The events that end the stream; `verdict` is None where there was no text."""

    def stop(self, released: Released, verdict: dict[str, Any]) -> list[Event]:
        """The events that end the stream after a failed sentence."""
