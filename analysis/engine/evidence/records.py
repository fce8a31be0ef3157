"""Records (JSON objects and tables), as sentences to compare claims with, and as data.

RAG over records is common, and everything else reads prose. Each line names its key path
("attributes, outdoor seating: no.") and can be traced back to it.
"""

import json
from bisect import bisect_right
from dataclasses import dataclass
from typing import Any

from lib.text.reader.reading import data_lines
from lib.text.reader.values import Cell, load_json

MAX_LINES = 20_000
MAX_LEVELS = 32
MAX_VALUES = MAX_LINES


@dataclass(frozen=True, slots=True)
class RecordLine:
    """Code points [start, end) of the verbalised text and the path they come from."""

    start: int
    end: int
    path: str
    is_text: bool


@dataclass(frozen=True, slots=True)
class Verbal:
    """A record in words, and its values."""

    text: str
    lines: tuple[RecordLine, ...]
    cells: tuple[Cell, ...] = ()

    def line_at(self, offset: int) -> RecordLine | None:
        """Return the line that contains a code point, or None."""
        before = bisect_right(self.lines, offset, key=lambda line: line.start) - 1
        return self.lines[before] if before >= 0 and offset < self.lines[before].end else None


def verbalise(text: str) -> Verbal | None:
    """Return the record in a text, in words; None if it is no JSON object or list of objects."""
    stripped = text.strip()
    if not stripped.startswith(("{", "[")):
        return None
    try:
        data = load_json(stripped)
    except (ValueError, RecursionError):
        return None
    read = data_lines(stripped) if _is_nested(data) else None
    if read is None or len(read.lines) > MAX_LINES:
        return None
    lines = tuple(
        RecordLine(line.start, line.end, ".".join(line.path), line.is_text) for line in read.lines
    )
    return Verbal("".join(read.parts).rstrip(), lines, tuple(read.cells))


def unfit(record: Any) -> str | None:
    """Return why a JSON value cannot be a record, or None if it can.

    A valid record always has lines, at most MAX_LINES. Uses its own stack.
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
    """Return a record as the text of a source; `verbalise` reads it."""
    return json.dumps(record, ensure_ascii=False)


def for_people(text: str) -> str:
    """Return a source for readers: a record indented, anything else unchanged."""
    if verbalise(text) is None:
        return text
    return json.dumps(load_json(text), ensure_ascii=False, indent=2)


def _is_nested(data: Any) -> bool:
    """Return whether it is an object, or a list of objects or lists."""
    return isinstance(data, dict) or (
        isinstance(data, list) and any(isinstance(item, (dict, list)) for item in data)
    )
