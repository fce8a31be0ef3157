"""Records (JSON objects and tables), as sentences to compare claims with, and as data.

RAG over records is common, and everything else reads prose. Each line names its key path
("attributes, outdoor seating: no.") and can be traced back to it. Yes-or-no fields and opening
hours stay data too, so that "takes reservations" can be compared with
"RestaurantsReservations: false" whatever the wording.
"""

import json
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from lib.text.reader.reading import data_lines
from lib.text.reader.values import Cell, load_json, spoken
from lib.text.stems import stem
from lib.text.tokens import tokenize
from lib.text.words import word_set

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
    """A record in words, and as data."""

    text: str
    lines: tuple[RecordLine, ...]
    cells: tuple[Cell, ...] = ()
    data: Any = field(default=None, repr=False, compare=False)

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
    return Verbal("".join(read.parts).rstrip(), lines, tuple(read.cells), data)


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


DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_YES, _NO = word_set("yes true free paid available"), word_set("no none false")
_LEADING = word_set("is has have good great accepts offers allows takes caters by for the a")
"""Words before what a key is about: "GoodForGroups" is about groups."""
_TRAILING = word_set("allowed available offered accepted permitted")
_LEAST_DAYS = 3
MAX_DEPTH = 12
_RANGE = re.compile(r"\s*(\d{1,2}):(\d{1,2})\s*-\s*(\d{1,2}):(\d{1,2})\s*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Field:
    """A field that says yes (True), no (False) or nothing (None) about one thing.

    `name` is the thing, its words joined and stemmed; `group` the stem of its group ("parking" for
    garage, street and lot), empty for none; `display_text` is the field in words.
    """

    path: str
    name: str
    group: str
    value: bool | None
    display_text: str
    is_group: bool = False


@dataclass(frozen=True, slots=True)
class Week:
    """Opening hours by day (0 Monday) in minutes after midnight; None for a closed day."""

    path: str
    days: tuple[tuple[int, int] | None, ...]


@dataclass(frozen=True, slots=True)
class RecordFields:
    """The direct statements of one record, and the stems of its texts, which may say more."""

    fields: tuple[Field, ...]
    weeks: tuple[Week, ...]
    prose: frozenset[str]


def read_fields(data: Any) -> RecordFields:
    """Return the fields and hours of a record, ignoring what is nested deeper than MAX_DEPTH."""
    fields, weeks, prose = list[Field](), list[Week](), set[str]()
    for path, value in _objects(data, ()):
        week = _week(path, value)
        if week:
            weeks.append(week)
        else:
            fields += _fields_of(path, value)
            prose.update(_stems(value))
    return RecordFields(tuple(fields), tuple(weeks), frozenset(prose))


def _objects(data: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    if len(path) > MAX_DEPTH:
        return
    if isinstance(data, dict):
        yield path, data
        for key, value in data.items():
            yield from _objects(value, (*path, str(key)))
    elif isinstance(data, list):
        for at, value in enumerate(data):
            yield from _objects(value, (*path, str(at)))


def _stems(value: Mapping[str, Any]) -> Iterator[str]:
    for flag in value.values():
        for text in flag if isinstance(flag, list) else [flag]:
            if isinstance(text, str) and text.lower() not in _YES | _NO:
                yield from map(stem, tokenize(text).lower)


def _fields_of(path: tuple[str, ...], data: Mapping[str, Any]) -> Iterator[Field]:
    """Yield the fields of one object, and one for each group of flags in it."""
    shared = _shared_prefixes(data)
    group = stem(_about(path[-1], frozenset())[-1]) if path and _is_flags(data) else ""
    for key, value in data.items():
        below = isinstance(value, dict) and _is_flags(value)
        flag = _any(value) if below else _flag(value)
        if flag is _OTHER:
            continue
        parts = _about(key, shared)
        name = parts[-1] if below else "".join(parts)
        if name:
            text = f"{words(key)}: {_answer_word(flag) if below else _spoken_value(value)}"
            yield Field(".".join((*path, str(key))), stem(name), group, flag, text, below)


_OTHER: Any = object()


def words(key: str) -> str:
    """Return a key as words: "OutdoorSeating" as "outdoor seating"."""
    return spoken(str(key), ((0, len(str(key))),)).lower() or "value"


def _flag(value: Any) -> bool | None:
    """Return a plain value as a flag; `_OTHER` if it is neither yes nor no."""
    if value is None or isinstance(value, bool):
        return value
    text = value.strip().lower() if isinstance(value, str) else ""
    return True if text in _YES else False if text in _NO else _OTHER


def _answer_word(flag: bool | None) -> str:
    """Return a group's flag in words: yes to one of it, no to all of it, or not stated."""
    return "not stated" if flag is None else "yes" if flag else "no to all"


def _spoken_value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "not stated" if value is None else str(value).strip()


def _is_flags(data: Mapping[str, Any]) -> bool:
    return len(data) > 1 and all(item is None or isinstance(item, bool) for item in data.values())


def _any(flags: Mapping[str, bool | None]) -> bool | None:
    values = set(flags.values())
    return True if True in values else False if values == {False} else None


def _shared_prefixes(data: Mapping[str, Any]) -> frozenset[str]:
    """Return the first words that several keys share: "restaurants" of "RestaurantsTakeOut"."""
    names = (words(key).split() for key in data)
    firsts = Counter(name[0] for name in names if len(name) > 1)
    return frozenset(word for word, count in firsts.items() if count > 1)


def _about(key: str, shared: frozenset[str]) -> list[str]:
    parts = words(key).split()
    if len(parts) > 1 and parts[0] in shared:
        parts = parts[1:]
    while len(parts) > 1 and parts[0] in _LEADING:
        parts = parts[1:]
    while len(parts) > 1 and parts[-1] in _TRAILING:
        parts = parts[:-1]
    return parts


def _week(path: tuple[str, ...], data: Mapping[str, Any]) -> Week | None:
    """Return the hours if the keys are days; unnamed days are closed."""
    days = {str(key).strip().lower(): value for key, value in data.items()}
    if len(days) < _LEAST_DAYS or not days.keys() <= set(DAYS):
        return None
    hours = tuple(_hours(days.get(day)) for day in DAYS)
    return Week(".".join(path), hours) if any(hours) else None


def _hours(value: Any) -> tuple[int, int] | None:
    """Return minutes of opening and closing; "0:0-0:0" means closed."""
    match = _RANGE.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return None
    opens, shuts = int(match[1]) * 60 + int(match[2]), int(match[3]) * 60 + int(match[4])
    return None if opens == shuts else (opens, shuts)
