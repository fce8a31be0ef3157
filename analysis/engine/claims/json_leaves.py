"""The values of JSON in an answer, each with the keys that lead to it."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}\[\],:]')
_OPENING = re.compile(r'(?:^[ \t]*|:[ \t]*)(?:\{(?=\s*")|\[(?=\s*\{))', re.MULTILINE)
_MOST_OBJECTS = 100
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Leaf:
    """A value of the answer, the keys that lead to it, and the number of its object.

    All spans are code points of the answer.
    """

    keys: tuple[Span, ...]
    value: Span
    record: int


def json_among(answer: str) -> Iterator[tuple[Span, list[Leaf]]]:
    """JSON objects, and arrays of them, among prose, with their values."""
    decoder, position = json.JSONDecoder(), 0
    for attempt, match in enumerate(_OPENING.finditer(answer)):
        start = match.end() - 1
        if attempt == _MOST_OBJECTS:
            return
        if start < position:
            continue
        try:
            _, end = decoder.raw_decode(answer, start)
        except (ValueError, RecursionError):
            continue
        yield (start, end), _leaves(answer, start, end)
        position = end


def json_leaves(answer: str, start: int, end: int) -> list[Leaf]:
    """The values of a part of the answer; none where it is no JSON object or array."""
    text = answer[start:end]
    if not text.lstrip().startswith(("{", "[")) or not _is_document(text):
        return []
    return _leaves(answer, start, end)


def _is_document(text: str) -> bool:
    try:
        return isinstance(json.loads(text), (dict, list))
    except (ValueError, RecursionError):
        return False


def _leaves(answer: str, start: int, end: int) -> list[Leaf]:
    """Each value that is no object or array, with the keys that lead to it.

    Objects in an array are records: each has a number.
    """
    leaves, keys, depths = list[Leaf](), list[Span](), list[tuple[int, int]]()
    pending: Span | None = None
    brackets = list[str]()
    record, records = -1, 0
    for match in _TOKEN.finditer(answer, start, end):
        sign, span = match[0], match.span()
        if sign in "{[":
            depths.append((len(keys), record))
            keys += [pending] if pending else []
            is_record = sign == "{" and pending is None and brackets[-1:] == ["["]
            record, records = (records, records + 1) if is_record else (-1, records)
            brackets.append(sign)
            pending = None
        elif sign in "}]":
            brackets.pop()
            depth, record = depths.pop()
            del keys[depth:]
        elif sign == ":" and leaves:
            pending = leaves.pop().value
        elif sign == ",":
            pending = None
        elif sign != ":":
            leaves.append(Leaf((*keys, *([pending] if pending else [])), span, record))
            pending = None
    return leaves
