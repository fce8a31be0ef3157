"""OpenAI's Responses: finds the members with a model's text, and replaces them.

Summaries of reasoning, annotations of changed texts and parts of unknown kinds are dropped as
unverified.
"""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from proxy.formats import Event, Released, Text, TextPosition, is_data_format
from proxy.tool_calls import ToolCall

_TEXT_OF = {"output_text": "text", "refusal": "refusal"}
"""The parts that hold a model's text, and the member that holds it."""
_KNOWN = {"type": "output_text"}
_DELTAS = {f"response.{kind}.delta": kind for kind in _TEXT_OF}
_DONES = {f"response.{kind}.done": kind for kind in _TEXT_OF}
_LAST = ("response.completed", "response.incomplete", "response.failed")
_CALLS = {"function_call": "arguments", "custom_tool_call": "input"}
"""The items that the application acts on, and the member that says with what."""
_CALL_EVENTS = ("response.function_call_arguments", "response.custom_tool_call_input")
_PASSED = (
    *_LAST, *_DONES, *_CALL_EVENTS, "error", "response.created", "response.queued",
    "response.in_progress", "response.output_item.", "response.content_part.",
    "response.file_search_call", "response.web_search_call", "response.code_interpreter_call",
    "response.image_generation_call", "response.mcp_",
)  # fmt: skip
"""The events that are passed on; others, such as of a transcript, may hold a model's text."""
_STOPPED = {"status": "incomplete", "incomplete_details": {"reason": "content_filter"}}


def texts_of(response: dict[str, Any]) -> list[str]:
    """Return the output texts and refusals, in order."""
    return [text for _, part in _text_parts(response) if (text := _text(part))]


def calls_of(response: dict[str, Any]) -> list[ToolCall]:
    """Return the tool calls, in order."""
    return [
        ToolCall(str(item.get("call_id", "")), item["name"], item[_CALLS[item["type"]]])
        for item in response["output"]
        if item["type"] in _CALLS
    ]


def without_calls(response: dict[str, Any]) -> dict[str, Any]:
    """Return the response without tool calls, with the end of OpenAI's content filter."""
    output = [item for item in response["output"] if item["type"] not in _CALLS]
    return {**response, **_STOPPED, "output": output}


def asks_for_data(body: dict[str, Any]) -> bool:
    """Return True if the request wants JSON."""
    text = body.get("text")
    return isinstance(text, dict) and is_data_format(text.get("format"))


def with_texts(response: dict[str, Any], texts: list[Text]) -> dict[str, Any]:
    """Return the response with its output texts replaced, in the order of `texts_of`."""
    changed = deepcopy(response)
    remaining = iter(texts)
    for _, part in _text_parts(changed):
        if _text(part):
            _replace(part, *next(remaining))
    _drop_unverified(changed)
    return changed


class ResponseStream:
    """The events of one streamed response; `sequence_number` counts from 0."""

    def __init__(self) -> None:
        self._number = 0
        self._response: dict[str, Any] = {}
        self._outputs: dict[TextPosition, int] = {}
        self._kinds: dict[TextPosition, str] = {}
        self._calls: dict[str, dict[str, str]] = {}

    def text_of(self, event: Event) -> str:
        return str(event["delta"]) if event.get("type") in _DELTAS else ""

    def place_of(self, event: Event) -> TextPosition:
        place = TextPosition(event["item_id"], event["content_index"])
        self._outputs[place] = event["output_index"]
        self._kinds[place] = _DELTAS[event["type"]]
        return place

    def ends_text(self, event: Event) -> bool:
        return event.get("type") in (*_DONES, *_LAST)

    def without_text(self, event: Event) -> Event | None:
        """Return the event, unless it only carries text, annotations or reasoning."""
        kind = str(event.get("type", ""))
        for item in [event.get("item") or {}, *(event.get("response") or {}).get("output", ())]:
            if (member := _CALLS.get(item.get("type", ""))) is not None:
                call = self._call(item.get("id") or item.get("call_id", ""))
                call |= {"id": item.get("call_id", ""), "name": item.get("name", "")}
                call["arguments"] = item.get(member) or call["arguments"]
        if kind.startswith(_CALL_EVENTS):
            call = self._call(event["item_id"])
            whole = event.get("arguments") or event.get("input")
            call["arguments"] = whole or call["arguments"] + event.get("delta", "")
        is_passed = kind.startswith(_PASSED) and kind not in _DELTAS
        return event if is_passed and event.get("part", _KNOWN).get("type") in _TEXT_OF else None

    def with_text(self, text: str, place: TextPosition) -> Event:
        kind = self._kinds[place]
        return self._numbered(
            {
                "type": f"response.{kind}.delta",
                "item_id": place.item,
                "output_index": self._outputs[place],
                "content_index": place.part,
                "delta": text,
                **({"logprobs": []} if kind == "output_text" else {}),
            }
        )

    def with_refusal(self, text: str, place: TextPosition) -> Event:
        self._kinds[place] = "refusal"
        return self.with_text(text, place)

    def completed(self, event: Event, released: Released) -> Event:
        """Return the event with the released text wherever it repeats the model's."""
        changed = deepcopy(event)
        self._response = self._response or changed.get("response", {})
        if kind := _DONES.get(changed.get("type", "")):
            place = TextPosition(changed["item_id"], changed["content_index"])
            if self._is_refused(place, kind):
                del changed["text"]
                kind = "refusal"
                changed["type"] = f"response.{kind}.done"
            changed[_TEXT_OF[kind]] = released.get(place, "")
            if kind == "output_text":
                changed["logprobs"] = []
            else:
                changed.pop("logprobs", None)
        for place, part in _text_parts(changed):
            if _text(part):
                _replace(part, released.get(place, ""), self._is_refused(place, part["type"]))
        _drop_unverified(changed.get("response", changed))
        return self._numbered(changed)

    def _is_refused(self, place: TextPosition, kind: str) -> bool:
        return kind != "refusal" and self._kinds.get(place) == "refusal"

    def _call(self, item: str) -> dict[str, str]:
        return self._calls.setdefault(item, {"id": "", "name": "", "arguments": ""})

    def has_call(self, event: Event) -> bool:
        kind = (event.get("item") or {}).get("type")
        return kind in _CALLS or str(event.get("type", "")).startswith(_CALL_EVENTS)

    def calls(self) -> list[ToolCall]:
        return [ToolCall(**call) for call in self._calls.values()]

    def is_end(self, event: Event) -> bool:
        return self.is_last(event)

    def is_last(self, event: Event) -> bool:
        """Return whether this event ends the response and so carries the verdict."""
        return event.get("type") in _LAST

    def end(self, last: Event | None, released: Released, verdict: dict[str, Any]) -> list[Event]:
        """Return the last event with the verdict in its response."""
        if last is None:
            return []
        event = self.completed(last, released)
        return [{**event, "response": {**event["response"], "watchdog": verdict}}]

    def stop(self, released: Released, verdict: dict[str, Any]) -> list[Event]:
        """End as OpenAI does when its content filter stops a response."""
        output = [
            {
                "type": "message",
                "id": place.item,
                "role": "assistant",
                "status": "incomplete",
                "content": [_part(self._kinds[place], text)],
            }
            for place, text in released.items()
        ]
        response = {
            **self._response,
            **_STOPPED,
            "output": output,
            "watchdog": verdict,
        }
        return [self._numbered({"type": "response.incomplete", "response": response})]

    def _numbered(self, event: Event) -> Event:
        numbered = {**event, "sequence_number": self._number}
        self._number += 1
        return numbered


def _text_parts(document: dict[str, Any]) -> Iterator[tuple[TextPosition, dict[str, Any]]]:
    """Yield the parts with text of a response, or of an event about a response, item or part."""
    response = document.get("response", document)
    items = [*response.get("output", ()), *([document["item"]] if "item" in document else ())]
    parts = [
        (TextPosition(str(item.get("id", "")), index), part)
        for item in items
        for index, part in enumerate(item.get("content") or ())
    ]
    if "part" in document:
        parts.append(
            (TextPosition(document["item_id"], document["content_index"]), document["part"])
        )
    yield from ((place, part) for place, part in parts if part.get("type") in _TEXT_OF)


def _text(part: dict[str, Any]) -> str:
    return str(part[_TEXT_OF[part["type"]]] or "")


def _part(kind: str, text: str) -> dict[str, Any]:
    return {"type": kind, _TEXT_OF[kind]: text} | (
        {"annotations": []} if kind == "output_text" else {}
    )


def _replace(part: dict[str, Any], text: str, refused: bool = False) -> None:
    """Replace the text, and drop annotations and probabilities, which belong to the model's own."""
    if _text(part) != text or refused:
        kind = "refusal" if refused else part["type"]
        part.clear()
        part |= _part(kind, text)


def _drop_unverified(document: dict[str, Any]) -> None:
    """Drop the texts that nobody checked, the one too that some servers repeat beside `output`."""
    document.pop("output_text", None)
    for item in (*document.get("output", ()), document.get("item", {})):
        if item.get("type") == "reasoning":
            item |= {"summary": []}
            item.pop("content", None)
        elif item.get("type") == "message":
            parts = item.get("content") or ()
            item["content"] = [part for part in parts if part.get("type") in _TEXT_OF]
