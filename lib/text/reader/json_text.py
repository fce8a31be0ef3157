"""JSON in a text, as it is or as language models write it, with the place of every value."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, islice

from lib.text.decoded import Span
from lib.text.reader.values import Value, Words, spoken
from lib.text.words import word_set

_FENCED = re.compile(r"(?:```|~~~)\w*[ \t]*\n(.*?)\n[ \t]*(?:```|~~~)", re.DOTALL)
_STRING = r'"(?:[^"\\\n]|\\.)*"'
_RAW_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)', re.DOTALL)
_COMMENT = re.compile(rf"({_STRING})|//[^\n]*|/\*.*?\*/|(?<=\s)#[^\n]*", re.DOTALL)
_LAST_COMMA = re.compile(rf"({_STRING})|,(?=\s*[}}\]])")
_PYTHON = re.compile(rf"({_STRING})|'((?:[^'\"\\\n])*)'|\b(True|False|None)\b")
_LITERALS = {"True": "true", "False": "false", "None": "null"}
_LONGEST = 200_000
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|\[\s*\]|[{}\[\],:]')
_OBJECT_HEAD = re.compile(r"""\s*(?:```\w*\s*|~~~\w*\s*)?(?:\{\s*["'}]|\[\s*[\[{"'])""")
_MARK = re.compile(r"\s*\[[\d,\s]*\]\s*")
_DATA_LINE = re.compile(r"^[ \t]*[\[{].*[\]}][ \t]*$", re.MULTILINE)
_OPENING = re.compile(r'(?:^[ \t]*|:[ \t]*)(?:\{(?=\s*")|\[(?=\s*\{))', re.MULTILINE)
_MOST_OBJECTS = 100
_MOST_NAME_WORDS = 6
_NO_NAMES = word_set("yes no true false null")
_NAMES = ("name", "title", "label", "id", "code", "sku", "key")


@dataclass(slots=True)
class _Thing:
    """An object of the text: its number in its array, -1 for none, and the value that names it."""

    start: int
    number: int = -1
    name: Span | None = None
    rank: int = len(_NAMES) + 1
    values: int = 0


_Step = str | _Thing


@dataclass(slots=True)
class _Level:
    """An object or array being read, the names that lead to it, and the next key or number."""

    thing: _Thing | None
    above: tuple[_Step, ...]
    path: tuple[str, ...]
    key: Words = ()
    number: int = 0


@dataclass(frozen=True, slots=True)
class _Leaf:
    above: tuple[_Step, ...]
    key: Words
    span: Span
    path: tuple[str, ...]
    thing: _Thing


def strict_json(text: str) -> str:
    """Return the text with loose JSON replaced by strict JSON of the same length."""
    if "{" not in text and "[" not in text:
        return text
    spans = [match.span(1) for match in _FENCED.finditer(text)] or [(0, len(text))]
    for start, end in spans:
        part = text[start:end]
        if not part.lstrip().startswith(("{", "[")) or len(part) > _LONGEST or is_json(part):
            continue
        mended = _COMMENT.sub(lambda match: match[1] or re.sub(r"\S", " ", match[0]), part)
        mended = _PYTHON.sub(lambda it: it[1] or _LITERALS.get(it[3]) or f'"{it[2]}"', mended)
        mended = _LAST_COMMA.sub(lambda match: match[1] or " ", mended)
        if is_json(mended):
            text = text[:start] + mended + text[end:]
    return text


def is_json(text: str) -> bool:
    """Return whether a text is a JSON object or array."""
    try:
        return isinstance(json.loads(text), (dict, list))
    except (ValueError, RecursionError):
        return False


def json_spans(text: str) -> list[Span]:
    """Return the spans of JSON in a text, in order: all of it, in fences, in lines, among words.

    What only begins like an object, or comes after more than can be tried, counts as JSON to the
    end: a program may read it.
    """
    if "{" not in text and "[" not in text:
        return []
    text = strict_json(text)
    if begins_json(text) or _is_document(text):
        return [(0, len(text))]
    fences = [match.span(1) for match in _FENCED.finditer(text) if is_json(match[1])]
    lines = [line.span() for line in _DATA_LINE.finditer(text) if _is_document(line[0])]
    openings = islice(_OPENING.finditer(text), _MOST_OBJECTS, _MOST_OBJECTS + 1)
    rest = [(match.end() - 1, len(text)) for match in openings]
    return _joined(sorted([*fences, *lines, *json_among(text), *rest]))


def begins_json(text: str) -> bool:
    """Return whether a text begins like a JSON object, or an array that is no citation mark."""
    return _OBJECT_HEAD.match(text) is not None


def _is_document(text: str) -> bool:
    """Return whether JSON is no citation mark: `[1, 2]` is both."""
    return is_json(text) and not _MARK.fullmatch(text)


def _joined(spans: Iterable[Span]) -> list[Span]:
    """Return the spans with those that overlap or touch joined."""
    joined = list[Span]()
    for start, end in spans:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def json_among(text: str) -> Iterator[Span]:
    """Yield JSON objects, and arrays of them, at the head of a line or behind a colon."""
    decoder, position = json.JSONDecoder(), 0
    for attempt, match in enumerate(_OPENING.finditer(text)):
        start = match.end() - 1
        if attempt == _MOST_OBJECTS:
            return
        if start < position:
            continue
        try:
            _, position = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        yield start, position


def json_records(text: str, start: int, end: int, *, each: bool) -> Iterator[list[Value]]:
    """Yield the values of the JSON in a part of the text, those of one object together.

    If `each`, every value comes by itself, behind the name of its object.
    """
    leaves = _leaves(text, start, end)
    if each:
        runs = [[leaf] for leaf in leaves if text[leaf.span[0]] != "["]
    else:
        groups = groupby(leaves, key=lambda leaf: (id(leaf.thing), len(leaf.above), not leaf.above))
        runs = [run for _, members in groups for run in _at_top(list(members))]
    for run in runs:
        thing, steps = run[0].thing, run[0].above
        if (each or thing.number >= 0) and all(leaf.span != leaf.thing.name for leaf in run):
            steps = (*steps, thing)
        above = tuple(name for step in steps if (name := _spoken_step(text, step)))
        yield [_value(text, leaf, above) for leaf in run]


def _at_top(run: list[_Leaf]) -> list[list[_Leaf]]:
    """Return the run split by key where the values belong to the outermost object, else the run."""
    if run[0].above or run[0].thing.number >= 0:
        return [run]
    return [list(members) for _, members in groupby(run, key=lambda leaf: leaf.key)]


def _value(text: str, leaf: _Leaf, above: tuple[str, ...]) -> Value:
    start, end = leaf.span
    is_string = text[start] == '"'
    span = (start + is_string, end - is_string)
    return Value(above, leaf.key, (span,), leaf.path, is_string, thing=leaf.thing.start)


def _spoken_step(text: str, step: _Step) -> str:
    """Return a name in words; the number of an object without one."""
    if isinstance(step, str):
        return step
    if step.name is None:
        return f"item {step.number + 1}" if step.number >= 0 else ""
    return text[slice(*step.name)].strip('"')


def _leaves(text: str, start: int, end: int) -> list[_Leaf]:
    """Return each value that is no object or array, and each empty array, in text order."""
    leaves, nowhere = list[_Leaf](), _Thing(start)
    levels = [_Level(None, (), ())]
    for match in _TOKEN.finditer(text, start, end):
        sign, level = match[0], levels[-1]
        if sign in "{[":
            levels.append(_opened(text, level, sign, match.start(), outermost=len(levels) == 1))
        elif sign in "}]":
            levels.pop()
        elif sign == ",":
            level.key = level.key if level.thing is None else ()
            level.number += 1
        elif sign == ":":
            name = leaves.pop().span
            level.key = ((name[0] + 1, name[1] - 1),)
        elif sign[0] != "[" or level.key:
            path = (*level.path, _next_step(text, level))
            thing = level.thing or nowhere
            leaves.append(_Leaf(level.above, level.key, match.span(), path, thing))
    for leaf in leaves:
        if text[leaf.span[0]] != "[":
            _name(text, leaf)
    return leaves


def _opened(text: str, level: _Level, sign: str, start: int, *, outermost: bool) -> _Level:
    if outermost:
        return _Level(_Thing(start) if sign == "{" else None, (), ())
    path = (*level.path, _next_step(text, level))
    owner = (level.thing,) if level.thing and level.thing.number >= 0 else ()
    above: tuple[_Step, ...] = (*level.above, *owner)
    if sign == "[":
        # The values of an array bear its own name.
        return _Level(None, above, path, level.key)
    thing = _Thing(start, level.number if level.thing is None else -1)
    return _Level(thing, (*above, spoken(text, level.key)) if level.key else above, path)


def _next_step(text: str, level: _Level) -> str:
    return text[slice(*level.key[0])] if level.thing and level.key else str(level.number)


def _name(text: str, leaf: _Leaf) -> None:
    """Make a value the name of its object, where it is the best so far."""
    thing, value = leaf.thing, text[slice(*leaf.span)].strip('"')
    thing.values += 1
    key = spoken(text, leaf.key)
    few = 0 < len(value.split()) <= _MOST_NAME_WORDS and value.lower() not in _NO_NAMES
    few &= value[-1:] not in ".!?"
    words = few and any(map(str.isalpha, value))
    # Of `{"plan": "Plus", "price": 8}` and of an object in a list the first words are a name.
    heads = thing.number >= 0 or (thing.values == 1 and value[:1].isupper() and " " not in key)
    first = len(_NAMES) + (not (words and heads and not value[0].isdigit()))
    rank = _NAMES.index(key) if few and key in _NAMES else first
    if rank < thing.rank:
        thing.name, thing.rank = leaf.span, rank


def has_more_values(body: bytes, most: int) -> bool:
    """Return whether what stands outside strings shows more values, before any of them is made.

    Each value but the first follows a comma or is the first of its container. Of as many values
    at most twice as many strings are part, with their names.
    """
    if _signs_of_values(body) <= most:
        return False
    count = reached = 0
    for strings, string in enumerate(_RAW_STRING.finditer(body), 1):
        count += _signs_of_values(body[reached : string.start()])
        if count > most or strings > 2 * (most + 1):
            return True
        reached = string.end()
    return count + _signs_of_values(body[reached:]) > most


def _signs_of_values(outside: bytes) -> int:
    return sum(map(outside.count, (b",", b"[", b"{")))
