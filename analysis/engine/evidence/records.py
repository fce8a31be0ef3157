"""Records (JSON objects and tables) as sentences, so that claims can be compared with them.

RAG over records is common, and everything else reads prose. Each line names its key path
("attributes, outdoor seating: no.") and can be followed back to it.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

MAX_DEPTH = 12
MAX_LINES = 20_000
MAX_LEVELS = 32
MAX_VALUES = MAX_LINES
_TRUE, _FALSE, _NONE = "yes", "no", "not stated"
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_\-\s]+")
_HOURS = re.compile(r"(\d{1,2}):(\d{1,2})\s*-\s*(\d{1,2}):(\d{1,2})", re.ASCII)
_SENTENCE_END = (".", "!", "?", "…")
_LONG = 60
"""Values longer than this are prose: they stand on a line of their own."""


@dataclass(frozen=True, slots=True)
class RecordLine:
    """Code points [start, end) of the verbalised text and the path they come from."""

    start: int
    end: int
    path: str


@dataclass(frozen=True, slots=True)
class Verbal:
    """A record in words, and as the data that it is."""

    text: str
    lines: tuple[RecordLine, ...]
    data: Any = field(default=None, repr=False, compare=False)

    def path_at(self, offset: int) -> str:
        """The path of the line that holds a code point; empty outside of all lines."""
        return next((line.path for line in self.lines if line.start <= offset < line.end), "")


def verbalise(text: str) -> Verbal | None:
    """The record that the text is, in words; None where it is no JSON object or list of them."""
    stripped = text.strip()
    if not stripped.startswith(("{", "[")):
        return None
    try:
        data = json.loads(stripped)
    except (ValueError, RecursionError):
        return None
    return _verbal(data) if _is_nested(data) else None


def unfit(record: Any) -> str | None:
    """Why a JSON value cannot be a record, in words; None for one that can.

    A record that is fit always has lines, at most MAX_LINES. Walks with its own stack.
    """
    if not _is_nested(record):
        return "Expected an object, or an array that holds objects or arrays."
    stack, count, plain = [(record, 1)], 0, 0
    while stack:
        value, level = stack.pop()
        count += 1
        if level > MAX_LEVELS:
            return f"Nested more than {MAX_LEVELS} levels deep."
        if count > MAX_VALUES:
            return f"Holds more than {MAX_VALUES:,} values."
        if isinstance(value, (dict, list)):
            below = value.values() if isinstance(value, dict) else value
            stack.extend((item, level + 1) for item in below)
        else:
            plain += 1
    return None if plain else "Holds no value that could support an answer."


def as_text(record: Any) -> str:
    """A record as the text of a source; `verbalise` reads it."""
    return json.dumps(record, ensure_ascii=False)


def for_people(text: str) -> str:
    """A source as people read it: a record indented, all else as it is."""
    if verbalise(text) is None:
        return text
    return json.dumps(json.loads(text), ensure_ascii=False, indent=2)


def _is_nested(data: Any) -> bool:
    """Whether it is an object, or a list of objects or lists."""
    return isinstance(data, dict) or (
        isinstance(data, list) and any(isinstance(item, (dict, list)) for item in data)
    )


def _verbal(data: Any) -> Verbal | None:
    parts, lines, at = list[str](), list[RecordLine](), 0
    for path, text in _lines(data, (), ()):
        if len(lines) == MAX_LINES:
            return None
        parts.append(text)
        lines.append(RecordLine(at, at + len(text), path))
        at += len(text) + 1
    return Verbal("\n".join(parts), tuple(lines), data) if lines else None


def _lines(data: Any, names: tuple[str, ...], path: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """(path, sentence) of everything below; short values of one object share a line."""
    if isinstance(data, list):
        yield from _items(data, names, path)
        return
    if not isinstance(data, dict):
        yield _path(path), _sentence(names, value_of(data))
        return
    short = {key: _short(value) for key, value in data.items()}
    together = [f"{words(key)}: {text}" for key, text in short.items() if text is not None]
    if names and together:
        yield _path(path), _sentence(names, ", ".join(together))
    for key, value in data.items():
        if short[key] is None or not names:
            below = (*names, words(key)) if len(names) < MAX_DEPTH else names
            yield from _lines(value, below, (*path, key))


def _items(
    data: list[Any], names: tuple[str, ...], path: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    plain = [_short(item) for item in data]
    if data and all(text is not None for text in plain):
        yield _path(path), _sentence(names, ", ".join(text for text in plain if text))
        return
    for number, item in enumerate(data, start=1):
        numbered = (*names[:-1], f"{names[-1]} {number}") if names else (f"item {number}",)
        yield from _lines(item, numbered, (*path, str(number - 1)))


def _short(value: Any) -> str | None:
    """A value that fits on its object's line; None for prose, objects and lists of objects."""
    if isinstance(value, (dict, list)):
        return None
    text = value_of(value)
    return text if len(text) <= _LONG else None


def value_of(value: Any) -> str:
    """A plain value in words: "yes", "not stated", "8:30 am to 9:30 pm"."""
    if value is None:
        return _NONE
    if isinstance(value, bool):
        return _TRUE if value else _FALSE
    if isinstance(value, str):
        return _HOURS.sub(_clock, value.strip()) or "empty"
    return str(value)


def _clock(match: re.Match[str]) -> str:
    a, b, c, d = (int(part) for part in match.groups())
    if max(a, c) > 24 or max(b, d) > 59:
        return match[0]
    return f"{_time(a, b)} to {_time(c, d)}"


def _time(hour: int, minute: int) -> str:
    half = "am" if hour % 24 < 12 else "pm"
    return f"{hour % 12 or 12}:{minute:02} {half}"


def words(key: str) -> str:
    """A key as words: "OutdoorSeating" and "outdoor_seating" as "outdoor seating"."""
    return " ".join(part for part in _CAMEL.split(str(key)) if part).lower() or "value"


def _sentence(names: tuple[str, ...], text: str) -> str:
    line = " ".join(f"{', '.join(names)}: {text}".split()) if names else " ".join(text.split())
    return line if line.endswith(_SENTENCE_END) else f"{line}."


def _path(path: tuple[str, ...]) -> str:
    return ".".join(path)
