"""Chat completions: finds the members with a model's text, and replaces them.

Only known members are passed on: additions of a model server (such as `reasoning_content`) are
unverified text.
"""

from typing import Any

from proxy.errors import ProxyError
from proxy.formats import Event, Released, Text, TextPosition, is_data_format
from proxy.tool_calls import ToolCall

_TOP = frozenset(
    {"id", "object", "created", "model", "usage", "system_fingerprint", "service_tier"}
)
_TEXTS = ("content", "refusal")
_CALLS = ("tool_calls", "function_call")
_MESSAGE = frozenset({"role", *_CALLS})


def texts_of(completion: dict[str, Any]) -> list[str]:
    """Return the texts of the choices: contents, and refusals, which the model also wrote."""
    messages = (choice["message"] for choice in completion["choices"])
    return [text for message in messages for text in _texts(message).values() if text]


def calls_of(completion: dict[str, Any]) -> list[ToolCall]:
    """Return the tool calls of all choices."""
    calls = Calls()
    for choice in completion["choices"]:
        calls.add(choice["message"], choice["index"])
    return calls.all()


def without_calls(completion: dict[str, Any]) -> dict[str, Any]:
    """Return the completion without tool calls, with the end of OpenAI's content filter."""
    choices = [
        {
            **choice,
            "finish_reason": "content_filter",
            "message": {n: v for n, v in choice["message"].items() if n not in _CALLS},
        }
        for choice in completion["choices"]
    ]
    return {**completion, "choices": choices}


class Calls:
    """The tool calls of messages, or of the parts in which a stream brings them."""

    def __init__(self) -> None:
        self._by_place: dict[tuple[int, int], dict[str, str]] = {}

    def add(self, message: dict[str, Any], choice: int = 0) -> None:
        """Add those of a message, or continue them by those of a delta."""
        parts = enumerate(message.get("tool_calls") or ())
        places = [(part.get("index", at), part) for at, part in parts]
        if function := message.get("function_call"):
            places.append((-1, {"function": function}))
        for at, part in places:
            call = self._by_place.setdefault((choice, at), {"id": "", "name": "", "arguments": ""})
            function = part.get("function") or part.get("custom") or {}
            call["id"] = call["id"] or part.get("id") or ""
            call["name"] = call["name"] or function.get("name") or ""
            call["arguments"] += function.get("arguments") or function.get("input") or ""

    def all(self) -> list[ToolCall]:
        """Return the calls so far."""
        return [ToolCall(**call) for call in self._by_place.values()]


def asks_for_data(body: dict[str, Any]) -> bool:
    """Return True if the request wants JSON."""
    return is_data_format(body.get("response_format"))


def with_texts(completion: dict[str, Any], texts: list[Text]) -> dict[str, Any]:
    """Return the completion with its texts replaced, in the order of `texts_of`."""
    remaining = iter(texts)
    choices = []
    for choice in completion["choices"]:
        before = _texts(choice["message"])
        replaced = {name: next(remaining) for name, text in before.items() if text}
        after = before | {
            "refusal" if new.refused else name: new.text for name, new in replaced.items()
        }
        if any(new.refused for new in replaced.values()):
            after["content"] = None
        message = {name: v for name, v in choice["message"].items() if name in _MESSAGE}
        base = {"index": choice["index"], "finish_reason": choice.get("finish_reason")}
        # The probabilities name the model's own tokens, so they go with a text that was changed.
        logprobs = choice.get("logprobs") if after == before else None
        choices.append({**base, "logprobs": logprobs, "message": {**message, **after}})
    return {name: v for name, v in completion.items() if name in _TOP} | {"choices": choices}


def _texts(message: dict[str, Any]) -> dict[str, str | None]:
    """Return the texts of a message by member; content in parts is joined."""
    return {"content": None} | {name: _text(message[name]) for name in _TEXTS if name in message}


def _text(content: Any) -> str | None:
    """Return a text, or the joined text parts of a list. Raises TypeError for anything else."""
    if content is None or isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise TypeError(f"content is of type {type(content).__name__}")
    return "".join(part.get("text") or part.get("refusal") or "" for part in content)


def prompt_messages(body: dict[str, Any]) -> list[Any]:
    """Return the prompt of a request to the legacy completions API, as a message."""
    prompt = body.get("prompt")
    if not isinstance(prompt, str):
        raise ProxyError(400, "prompt must be one text.", code="invalid_prompt", param="prompt")
    return [{"role": "user", "content": prompt}]


def prompt_texts_of(completion: dict[str, Any]) -> list[str]:
    """Return the texts of a legacy completion."""
    return [choice["text"] for choice in completion["choices"] if choice["text"]]


def with_prompt_texts(completion: dict[str, Any], texts: list[Text]) -> dict[str, Any]:
    """Return the legacy completion with its texts replaced, in the order of `prompt_texts_of`."""
    remaining = iter(texts)
    choices = []
    for choice in completion["choices"]:
        text = next(remaining).text if choice["text"] else ""
        logprobs = choice.get("logprobs") if text == choice["text"] else None
        base = {"index": choice["index"], "finish_reason": choice.get("finish_reason")}
        choices.append({**base, "logprobs": logprobs, "text": text})
    return {name: v for name, v in completion.items() if name in _TOP} | {"choices": choices}


class ChatStream:
    """The chunks of one streamed chat completion with one choice."""

    def __init__(self) -> None:
        self._head: dict[str, Any] = {}
        self._calls = Calls()

    def text_of(self, event: Event) -> str:
        deltas = _deltas(event)
        return "".join(_text(delta.get(name)) or "" for delta in deltas for name in _TEXTS)

    def place_of(self, event: Event) -> TextPosition:
        """Return the member of the message: content is part 0, a refusal part 1."""
        return TextPosition("", int(any(delta.get("refusal") for delta in _deltas(event))))

    def ends_text(self, event: Event) -> bool:
        return any(choice.get("finish_reason") for choice in event.get("choices", ()))

    def without_text(self, event: Event) -> Event | None:
        """Return role, tool calls, end and usage; errors unchanged."""
        if "error" in event:
            return event
        for delta in _deltas(event):
            self._calls.add(delta)
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
        choice = {"index": 0, "delta": {_TEXTS[place.part]: text}, "finish_reason": None}
        return {**self._head, "choices": [choice]}

    def with_refusal(self, text: str, place: TextPosition) -> Event:
        return self.with_text(text, TextPosition("", _TEXTS.index("refusal")))

    def completed(self, event: Event, released: Released) -> Event:
        return event

    def is_end(self, event: Event) -> bool:
        return self.ends_text(event)

    def is_last(self, event: Event) -> bool:
        """Return False: the verdict has a chunk of its own."""
        return False

    def has_call(self, event: Event) -> bool:
        return any(delta.get(name) for delta in _deltas(event) for name in _CALLS)

    def calls(self) -> list[ToolCall]:
        return self._calls.all()

    def end(self, last: Event | None, released: Released, verdict: dict[str, Any]) -> list[Event]:
        """Return a chunk without a choice that carries the verdict."""
        return [{**self._head, "choices": [], "watchdog": verdict}]

    def stop(self, released: Released, verdict: dict[str, Any]) -> list[Event]:
        """Finish as OpenAI does when its content filter stops an answer."""
        choice = {"index": 0, "delta": {}, "finish_reason": "content_filter"}
        return [{**self._head, "choices": [choice]}, *self.end(None, released, verdict)]


def _deltas(event: Event) -> list[dict[str, Any]]:
    return [choice.get("delta", {}) for choice in event.get("choices", ())]


def _delta(choice: dict[str, Any]) -> dict[str, Any]:
    delta = choice.get("delta", {})
    return {name: value for name, value in delta.items() if name in _MESSAGE and value}
