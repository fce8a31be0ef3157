"""Chat completions: which members hold a model's text, and how they are replaced.

Only known members are passed on: what a model server adds (`reasoning_content` for one) is text
that nobody verified.
"""

from typing import Any

from proxy.formats import Event, Released, TextPosition

_TOP = frozenset(
    {"id", "object", "created", "model", "usage", "system_fingerprint", "service_tier"}
)
_MESSAGE = frozenset({"role", "content", "tool_calls", "function_call", "refusal"})


def texts_of(completion: dict[str, Any]) -> list[str]:
    """The texts of the choices that have one."""
    contents = (choice["message"].get("content") for choice in completion["choices"])
    return [content for content in contents if content]


def with_texts(completion: dict[str, Any], texts: list[str]) -> dict[str, Any]:
    """The completion with its texts replaced, in the order of `texts_of`."""
    remaining = iter(texts)
    choices = []
    for choice in completion["choices"]:
        content = choice["message"].get("content")
        text = next(remaining) if content else content
        message = {name: v for name, v in choice["message"].items() if name in _MESSAGE}
        base = {"index": choice["index"], "finish_reason": choice.get("finish_reason")}
        # The probabilities name the model's own tokens, so they go with a text that was changed.
        logprobs = choice.get("logprobs") if text == content else None
        choices.append({**base, "logprobs": logprobs, "message": {**message, "content": text}})
    return {name: v for name, v in completion.items() if name in _TOP} | {"choices": choices}


class ChatStream:
    """The chunks of one streamed chat completion with one choice."""

    def __init__(self) -> None:
        self._head: dict[str, Any] = {}

    def text_of(self, event: Event) -> str:
        return "".join(
            choice.get("delta", {}).get("content") or "" for choice in event.get("choices", ())
        )

    def place_of(self, event: Event) -> TextPosition:
        return TextPosition("", 0)

    def ends_text(self, event: Event) -> bool:
        return any(choice.get("finish_reason") for choice in event.get("choices", ()))

    def without_text(self, event: Event) -> Event | None:
        """Role, tool calls, end and usage; errors as they are."""
        if "error" in event:
            return event
        head = {name: value for name, value in event.items() if name in _TOP - {"usage"}}
        self._head = self._head or head
        choices = [
            {"index": 0, "delta": delta, "finish_reason": choice.get("finish_reason")}
            for choice in event.get("choices", ())
            if (delta := _delta(choice)) or choice.get("finish_reason")
        ]
        usage = {"usage": event["usage"]} if event.get("usage") else {}
        return {**head, "choices": choices, **usage} if choices or usage else None

    def with_text(self, text: str, place: TextPosition) -> Event:
        choice = {"index": 0, "delta": {"content": text}, "finish_reason": None}
        return {**self._head, "choices": [choice]}

    def completed(self, event: Event, released: Released) -> Event:
        return event

    def is_last(self, event: Event) -> bool:
        """The verdict has a chunk of its own."""
        return False

    def end(
        self, last: Event | None, released: Released, verdict: dict[str, Any] | None
    ) -> list[Event]:
        """A chunk without a choice that carries the verdict."""
        return [] if verdict is None else [{**self._head, "choices": [], "watchdog": verdict}]

    def stop(self, released: Released, verdict: dict[str, Any]) -> list[Event]:
        """Finish as OpenAI does when its content filter stops an answer."""
        choice = {"index": 0, "delta": {}, "finish_reason": "content_filter"}
        return [{**self._head, "choices": [choice]}, *self.end(None, released, verdict)]


def _delta(choice: dict[str, Any]) -> dict[str, Any]:
    copied_members = _MESSAGE - {"content"}
    delta = choice.get("delta", {})
    return {name: value for name, value in delta.items() if name in copied_members and value}
