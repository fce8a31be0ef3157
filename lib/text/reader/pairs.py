"""Lines of "key: value", and such pairs behind each other in one line."""

import re
from dataclasses import replace

from lib.text.reader.values import Span, Value, spoken

_PAIR = re.compile(
    r"([ \t]*)((?:[-*•][ \t]+)?)(?:\*\*|__)?([^\W\d][^:\n|`{}<>*=]{0,60}?)[ \t]*(?:\*\*|__)?"
    r"(?::(?:\*\*|__)?(?:[ \t]+(.*?))?"
    r"|[ \t]*(?:=|[–—→]|[-=]+>|\.{3,})[ \t]*([^\W_]{0,3}[€$£\"]?\d.*?)"
    r"|[ \t]+\((\d[^()]*)\))"
)
_INLINE = re.compile(r"([^\s:;,][^:;\n]{0,40}): +([^:;\n]{1,120})(?:; *|[.]?$)")
_SECTION = re.compile(r"\s*\[([^\[\]\n]{1,60})\]\s*")
_SCALAR = re.compile(r"-?\d[\d.,]*|true|false|null", re.IGNORECASE)
_MOST_KEY_WORDS, _MOST_VALUE_WORDS = 6, 6
_LEAST_INLINE = 2
_LEAST_BELOW = 2
"""Lines below a title."""
_LABEL_AND_VALUE = 2
_LINE = re.compile(r"[ \t]*(?:\d{1,2}[.)] |[-*•] )?[ \t]*(\S(?:[^\n]*\S)?)")
_FIGURE = re.compile(r"[^\w\s]{0,2}\d[\d.,]*(?: ?[^\W\d_]\w*| ?%){0,3}[.]?$")


def pairs(text: str, start: int, end: int, *, each: bool) -> list[list[Value]]:
    """Return the values of lines that are all "key: value", item by item; [] where one is not."""
    values, above = list[tuple[int, Value]](), list[tuple[int, str]]()
    at, item, items, is_plain = start, -1, 0, True
    title = _title(text, start, end)
    if title:
        above, at = [(-1, text[slice(*title)])], title[1] + 1
    for line in text[at:end].splitlines(keepends=True):
        match, line_start, at = _PAIR.fullmatch(line.rstrip()), at, at + len(line)
        section = _SECTION.fullmatch(line)
        if not line.strip():
            continue
        if section:
            above, item, is_plain = [(-1, section[1])], -1, False
            continue
        group = next((group for group in (4, 5, 6) if match and match[group]), 4)
        if match is None or not _is_pair(match[3], match[group] or ""):
            return []
        depth = len(match[1]) + len(match[2])
        if match[2]:
            item, items = items, items + 1
        elif not match[1]:
            item = -1
        above = [each for each in above if each[0] < depth]
        first, last = (offset + line_start for offset in match.span(3))
        is_plain &= "_" not in match[3] and not match[1] and bool(match[group])
        if match[group]:
            names = tuple(name for _, name in above)
            span = _unquoted(text, *(offset + line_start for offset in match.span(group)))
            values.append((item, Value(names, ((first, last),), (span,))))
        else:
            above.append((depth, spoken(text, ((first, last),))))
    alone = is_plain and len(values) == 1
    if alone and not _is_bare(text, values[0][1]):
        return []
    return [[value] for _, value in _owned(text, values)] if each else _by_item(values)


def _title(text: str, start: int, end: int) -> Span | None:
    """Return the line above pairs that says what they are: "Display codes, dishwasher"."""
    first = _LINE.match(text, start, end)
    if first is None or first[0] != first[1] or text.count("\n", start, end) < _LEAST_BELOW:
        return None
    is_pair = _PAIR.fullmatch(first[1]) or _SECTION.fullmatch(first[1])
    is_short = len(first[1].split()) <= _MOST_KEY_WORDS and first[1][-1] not in ".!?:;,|"
    return first.span(1) if is_short and not is_pair and first[1][:1].isalpha() else None


def labelled(text: str, start: int, end: int) -> list[list[Value]]:
    """Return a value on the line below its label: "Silver", "120 euros"; [] for other lines."""
    lines = [match.span(1) for match in _LINE.finditer(text, start, end)]
    if len(lines) != _LABEL_AND_VALUE:
        return []
    (label, value) = (text[slice(*line)] for line in lines)
    few = len(label.split()) <= _MOST_KEY_WORDS and len(value.split()) <= _MOST_VALUE_WORDS
    if not few or not label[:1].isalpha() or label[-1] in ".!?:;,|" or not _FIGURE.match(value):
        return []
    return [[Value((), (lines[0],), (lines[1],))]]


def _owned(text: str, values: list[tuple[int, Value]]) -> list[tuple[int, Value]]:
    """Return the values with those of a list item below the first of them, which names it."""
    owned, item, name = list[tuple[int, Value]](), -1, ""
    if _is_one_thing(text, values):
        values = [(0, value) for _, value in values]
    for number, value in values:
        if number >= 0 and number == item:
            value = replace(value, above=(*value.above, name))
        elif number >= 0:
            ((start, end),) = value.value
            name = text[start:end]
        item = number
        owned.append((number, value))
    return owned


def inline_pairs(text: str, start: int, end: int) -> list[list[Value]]:
    """Return the values of "E3: door open; E4: no water", where the whole line is such pairs."""
    values, position = list[list[Value]](), start
    while match := _INLINE.match(text, position, end):
        values.append([Value((), (match.span(1),), (match.span(2),))])
        position = match.end()
    return values if position == end and len(values) >= _LEAST_INLINE else []


def _by_item(values: list[tuple[int, Value]]) -> list[list[Value]]:
    records = list[list[Value]]()
    for at, (item, value) in enumerate(values):
        same = at > 0 and item >= 0 and values[at - 1][0] == item
        if same:
            records[-1].append(value)
        else:
            records.append([value])
    return records


def _is_one_thing(text: str, values: list[tuple[int, Value]]) -> bool:
    """Return whether lines describe one thing that the first names: "room: Alder", "seats: 12"."""
    if len(values) < _LEAST_INLINE or any(item >= 0 or value.above for item, value in values):
        return False
    texts = [text[slice(*value.value[0])] for _, value in values]
    key = text[slice(*values[0][1].key[0])]
    is_name = texts[0][:1].isupper() and " " not in key and key == key.lower()
    return is_name and any(each[0].isdigit() or _SCALAR.fullmatch(each) for each in texts[1:])


def _unquoted(text: str, first: int, last: int) -> Span:
    quoted = last - first > 1 and text[first] == text[last - 1] and text[first] in "\"'"
    return (first + 1, last - 1) if quoted else (first, last)


def _is_pair(key: str, value: str) -> bool:
    """Return whether a line is a property and its value, unlike "Note: refunds take 14 days."."""
    short = len(key.split()) <= _MOST_KEY_WORDS and len(value.split()) <= _MOST_VALUE_WORDS
    return short and not value.endswith((".", "!", "?", ":", ";", "*", "_"))


def _is_bare(text: str, value: Value) -> bool:
    """Return whether a lone line has a bare value: "refund days: 14", not "The mill (1990)"."""
    ((start, end),) = value.value
    return text[end : end + 1] != ")" and bool(_SCALAR.fullmatch(text, start, end))
