"""Finds what a model wrote for itself: `<think>…</think>`, its relatives, tokens of its template.

That is no part of the answer: nobody checks it, and nobody is to be shown it.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from lib.text.blocks import code
from lib.text.decoded import Span, blanked

_NAMES = (
    r"(?:[a-z]{1,20}:)?(?:think|thinking|thought|thoughts|reasoning|scratchpad|reflection"
    r"|inner_monologue|chain_of_thought|cot)"
)
_OPENING = (
    rf"<{_NAMES}(?:\s[^<>]{{0,100}})?>|\[think\]|◁think▷|<\|begin_of_thought\|>"
    r"|(?:<\|start\|>assistant)?<\|channel\|>(?:analysis|commentary)[^<]{0,100}<\|message\|>"
)
_CLOSING = (
    rf"</{_NAMES}\s?>|\[/think\]|◁/think▷|<\|end_of_thought\|>"
    r"|(?:<\|end\|>)?(?:<\|start\|>assistant)?<\|channel\|>final[^<]{0,100}<\|message\|>"
)
_TEMPLATE = (
    r"<\|(?:begin_of_solution|end_of_solution|end|return|im_end|eot_id|endoftext|end_of_text)\|>"
    r"|<(?:end|eos)>"
)
_SIGN = re.compile(
    rf"(?P<opening>{_OPENING})|(?P<closing>{_CLOSING})|(?P<template>{_TEMPLATE})", re.IGNORECASE
)
_LONGEST_SIGN = 160
"""No sign is longer, so what is farther from the end of a text is complete."""
_FIRST_CHARACTERS = "<[◁"
_HEADER = re.compile(r"<\|(?:start|channel)\|>")
_CLOSERS = {"<": ">", "[": "]", "◁": "▷", "<|": "<|message|>"}


def thinking(text: str) -> tuple[Span, ...]:
    """Return the spans that are no part of the answer, in order.

    A tag that is never closed reaches to the end. One that is only closed was opened before the
    text began, as the templates of some models do. Tags in code are talked about.
    """
    if not any(character in text for character in _FIRST_CHARACTERS):
        return ()
    spans, opening, ended_by_template = list[Span](), -1, False
    signs = list(_SIGN.finditer(text))
    barred = code(text) if signs else []
    for sign in signs:
        if opening < 0 and inside(sign.start(), barred):
            continue
        if sign["opening"] and opening < 0:
            opening, ended_by_template = sign.start(), sign[0].startswith("<|")
        elif sign["closing"] or (sign["template"] and opening >= 0 and ended_by_template):
            # What follows nothing but thinking goes with it: it was nested.
            start = opening if opening >= 0 else spans[-1][1] if spans else 0
            spans.append((start, sign.end()))
            opening = -1
        elif sign["template"] and opening < 0:
            spans.append(sign.span())
    if opening >= 0:
        spans.append((opening, len(text)))
    return tuple(spans)


def without_thinking(text: str) -> str:
    """Return the text with the model's notes blanked; every other character stays in its place."""
    return blanked(text, thinking(text))


def answer_alone(text: str) -> str:
    """Return the text without the model's notes and the blank lines left at its start."""
    spans = thinking(text)
    return _without(text, spans, len(text)).lstrip() if spans else text


def inside(at: int, spans: Sequence[Span]) -> bool:
    """Return whether a place lies in one of the spans, which are in order."""
    index = bisect_right(spans, at, key=lambda span: span[0]) - 1
    return index >= 0 and at < spans[index][1]


def _without(text: str, spans: Sequence[Span], end: int) -> str:
    """Return the text up to `end` without the spans."""
    parts, position = list[str](), 0
    for start, stop in spans:
        parts.append(text[position : min(start, end)])
        position = stop
    return "".join([*parts, text[position:end]])


@dataclass(slots=True)
class AnswerStream:
    """Passes the answer on as it arrives in pieces, and holds back what may begin a sign.

    What a lone closing tag ends has been passed on by then, but for what is still held.
    """

    _held: str = ""

    def add(self, text: str) -> str:
        """Return the text that is answer for certain and was not passed on before."""
        self._held += text
        spans = thinking(self._held)
        if spans and spans[-1][1] == len(self._held) and not _ends_with_sign(self._held):
            start = spans[-1][0]
            answer = _without(self._held, spans, start)
            sign = _SIGN.match(self._held, start)
            opening = sign[0] if sign else ""
            rest = self._held[start + len(opening) :]
            self._held = opening + rest[-_LONGEST_SIGN:]
            return answer
        end = self._certain(spans[-1][1] if spans else 0)
        answer = _without(self._held, spans, end)
        self._held = self._held[end:]
        return answer

    def rest(self) -> str:
        """Return the text held back that is answer after all, when nothing follows."""
        answer = _without(self._held, thinking(self._held), len(self._held))
        self._held = ""
        return answer

    def _certain(self, least: int) -> int:
        """Return the place where a sign that is not yet complete could begin."""
        text = self._held
        for at in range(max(least, len(text) - _LONGEST_SIGN), len(text)):
            if text[at] not in _FIRST_CHARACTERS or _SIGN.match(text, at):
                continue
            if _CLOSERS["<|" if _HEADER.match(text, at) else text[at]] not in text[at:]:
                return at
        return len(text)


def _ends_with_sign(text: str) -> bool:
    return any(
        sign.end() == len(text) and not sign["opening"]
        for sign in _SIGN.finditer(text, max(0, len(text) - _LONGEST_SIGN))
    )
