"""An answer that is data, JSON or lines of "key: value", as one line of words for each field.

`{"refund_days": 14}` reads "refund 14 days.": the sources say it in sentences.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby

from analysis.engine.claims.bookkeeping import is_bookkeeping
from analysis.engine.claims.json_leaves import Leaf, Span, json_among, json_leaves
from analysis.engine.claims.loose_json import strict_json
from lib.text.decoded import Decoded
from lib.text.stems import term
from lib.text.units import CURRENCIES, UNITS

_FENCE = re.compile(r"\s*(?:```|~~~)\w*[ \t]*\n(.*?)\n(?:```|~~~)\s*\Z", re.DOTALL)
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_]+")
_PAIR = re.compile(
    r"([ \t]*)((?:[-*•][ \t]+)?)(?:\*\*|__)?([^\W\d][^:\n|`{}<>*]{0,60}?)[ \t]*(?:\*\*|__)?"
    r"(?::(?:\*\*|__)?(?:[ \t]+(.*?))?|[ \t]+(?:[–—→=]|-+>?)[ \t]+([^\W_]{0,3}[€$£]?\d.*?)"
    r"|[ \t]+\((\d[^()]*)\))"
)
_ESCAPED = re.compile(r'(?:\\u[0-9a-fA-F]{4})+|\\["\\/bfnrt]')
_SCALAR = re.compile(r"-?\d[\d.,]*|true|false|null", re.IGNORECASE)
_DIGITS = "-0123456789"
_YES_OR_NO = ("yes", "no", "true", "false")
_NONE = frozenset[str]()
_UNITS = UNITS.keys() | CURRENCIES.keys()
_MOST_KEY_WORDS, _MOST_VALUE_WORDS, _MOST_LABEL_WORDS = 6, 6, 6


@dataclass(frozen=True, slots=True)
class Field:
    """A value and what it is said of: the stems of a name, and of the keys beside it.

    `entity` says whether the name is surely that of a thing rather than of a property.
    """

    value: Span
    label: frozenset[str]
    key: frozenset[str]
    display_text: str
    entity: bool


@dataclass(frozen=True, slots=True)
class Structured:
    """The fields in words, and each with what it is said of."""

    decoded: Decoded
    fields: tuple[Field, ...]
    regions: tuple[Span, ...]
    """Code points of the answer that are data; the rest is prose."""

    def holds(self, at: int) -> bool:
        """Whether a code point of the answer is part of the data."""
        before = bisect_right(self.regions, at, key=lambda region: region[0]) - 1
        return before >= 0 and at < self.regions[before][1]


@dataclass(slots=True)
class Lines:
    """The words so far, and where each character stood in the answer."""

    parts: list[str] = field(default_factory=list)
    offsets: list[int] = field(default_factory=list)
    reached: int = 0

    def add(self, text: str, at: int, *, fixed: bool = False) -> None:
        """Append text that begins at an offset of the answer, or stands for one place in it."""
        self.parts.append(text)
        self.offsets += [at] * len(text) if fixed else range(at, at + len(text))

    def decoded(self, length: int) -> Decoded:
        """All of it, as the reading of an answer of `length` code points."""
        return Decoded("".join(self.parts), (*self.offsets, length))


def unfenced(answer: str) -> Span:
    """Code points of the answer without the code fence around it."""
    match = _FENCE.match(answer)
    return match.span(1) if match else (0, len(answer))


def decode_fields(answer: str) -> Structured | None:
    """The fields of an answer that is JSON or lines of "key: value", or holds such among prose.

    None for any other answer.
    """
    answer = strict_json(answer)
    start, end = unfenced(answer)
    leaves = json_leaves(answer, start, end) or _pairs(answer, start, end)
    parts = [((0, len(answer)), leaves)] if leaves else _numbered(_among_prose(answer))
    lines, fields, position = Lines(), list[Field](), 0
    for (first, last), part_leaves in parts:
        if position < first:
            lines.add(f"{answer[position:first].rstrip()}\n", position)
            lines.offsets[-1] = first
        names = _names_by_record(answer, part_leaves)
        for leaf in part_leaves:
            if not _tells_of_itself(answer, leaf):
                _add_field(lines, answer, leaf, names.get(leaf.record))
        fields += _fields(answer, part_leaves, names)
        position = last
    if not lines.parts:
        return None
    lines.add(answer[position:], position)
    regions = tuple(span for span, _ in parts)
    return Structured(lines.decoded(len(answer)), tuple(fields), regions)


def _among_prose(answer: str) -> list[tuple[Span, list[Leaf]]]:
    """The data that stands in code fences, or as JSON at the head of a line or behind a colon."""
    data = [(span, leaves) for span, leaves in _fenced(answer) if leaves]
    return data or list(json_among(answer))


def _numbered(parts: list[tuple[Span, list[Leaf]]]) -> list[tuple[Span, list[Leaf]]]:
    """JSON by lines: each object is a record."""
    if len(parts) < 2:
        return parts
    whole = [leaf for _, leaves in parts for leaf in leaves]
    most = max((leaf.record for leaf in whole), default=-1) + 1
    return [
        (span, [replace(leaf, record=most + at) if leaf.record < 0 else leaf for leaf in leaves])
        for at, (span, leaves) in enumerate(parts)
    ]


def _fenced(answer: str) -> Iterator[tuple[Span, list[Leaf]]]:
    opening, at = None, 0
    for line in answer.splitlines(keepends=True):
        if line.lstrip().startswith(("```", "~~~")):
            if opening is None:
                opening = at, at + len(line)
            else:
                inside = opening[1], at
                leaves = json_leaves(answer, *inside) or _pairs(answer, *inside)
                yield (opening[0], at + len(line)), leaves
                opening = None
        at += len(line)


def _pairs(answer: str, start: int, end: int) -> list[Leaf]:
    """The values of lines that are all "key: value"; none where a line is anything else."""
    leaves, above = list[Leaf](), list[tuple[int, Span]]()
    at, record, items, plain = start, -1, 0, True
    for line in answer[start:end].splitlines(keepends=True):
        match, line_start, at = _PAIR.fullmatch(line.rstrip()), at, at + len(line)
        if not line.strip():
            continue
        if match is None:
            return []
        at_value = next((group for group in (4, 5, 6) if match[group]), 4)
        if not _is_pair(match[3], match[at_value] or ""):
            return []
        depth = len(match[1]) + len(match[2])
        if match[2]:
            record, items = items, items + 1
        elif not match[1]:
            record = -1
        above = [item for item in above if item[0] < depth]
        key = line_start + match.start(3), line_start + match.end(3)
        plain &= "_" not in match[3] and not match[1] and bool(match[at_value])
        if match[at_value]:
            keys = (*(span for _, span in above), key)
            leaves.append(Leaf(keys, _moved(match.span(at_value), line_start), record))
        else:
            above.append((depth, key))
    return [] if plain and len(leaves) == 1 and not _is_bare(answer, leaves[0]) else leaves


def _moved(span: Span, by: int) -> Span:
    return span[0] + by, span[1] + by


def _is_pair(key: str, value: str) -> bool:
    """Whether a line names a property and its value: "Note: refunds take 14 days." does not."""
    short = len(key.split()) <= _MOST_KEY_WORDS and len(value.split()) <= _MOST_VALUE_WORDS
    return short and not value.endswith((".", "!", "?", ":", ";", "*", "_"))


def _is_bare(answer: str, leaf: Leaf) -> bool:
    """Whether a lone line has a value that words need: "refund days: 14", not "The mill (1990)"."""
    bracketed = answer[leaf.value[1] : leaf.value[1] + 1] == ")"
    return not bracketed and bool(_SCALAR.fullmatch(answer[slice(*leaf.value)]))


def _names_by_record(answer: str, leaves: list[Leaf]) -> dict[int, Leaf]:
    """The name of each object: its first value of a few words that is no figure.

    An answer that is one object, not in a list, has one where its first value looks like a name.
    """
    names = dict[int, Leaf]()
    for record, members in groupby(leaves, key=lambda leaf: leaf.record):
        group = list(members)
        if len(group) < 2 or (record < 0 and not _is_one_thing(answer, group)):
            continue
        name = next((item for item in group if _names(answer, item)), None)
        if name is not None:
            names[record] = name
    return names


def _is_one_thing(answer: str, group: list[Leaf]) -> bool:
    """Whether values stand beside each other behind a name: `{"plan": "Plus", "price": 8}`.

    Where all values are names, the keys are things: `{"France": "Paris"}`.
    """
    first = group[0]
    flat = all(len(leaf.keys) == 1 for leaf in group)
    key = _words(answer, first.keys[-1]) if first.keys else []
    value = answer[slice(*first.value)].strip('"')
    capital = value[:1].isupper() and value.lower() not in _YES_OR_NO
    has_value = any(not _names(answer, leaf) for leaf in group)
    return flat and has_value and len(key) == 1 and capital and _names(answer, first)


def _fields(answer: str, leaves: list[Leaf], names: Mapping[int, Leaf]) -> list[Field]:
    """Each value with what it is said of.

    That is the name of its object, where it has one; else what its keys have that those of all
    other values have not.
    """
    fields = list[Field]()
    paths = [_stems(answer, leaf.keys) for leaf in leaves]
    shared = frozenset.intersection(*paths) if len(paths) > 1 else frozenset()
    for leaf, path in zip(leaves, paths, strict=True):
        own, name = path - shared, names.get(leaf.record)
        if name is not None:
            fields.append(_of_record(answer, leaf, name, shared if leaf.record >= 0 else _NONE))
        elif len(leaves) > 1 and own:
            fields.append(_of_keys(answer, leaf, own, shared))
    return fields


def _names(answer: str, leaf: Leaf) -> bool:
    """Whether a value can be the name of its object: a few words, no figure."""
    text = answer[slice(*leaf.value)].strip('"')
    few = 0 < len(text.split()) <= _MOST_LABEL_WORDS
    return few and not text[0].isdigit() and not _SCALAR.fullmatch(text)


def _of_record(answer: str, leaf: Leaf, name: Leaf, shared: frozenset[str]) -> Field:
    label = _stems(answer, (name.value,))
    key = frozenset() if leaf is name else _stems(answer, leaf.keys[-1:]) - shared
    return Field(leaf.value, label, key, answer[slice(*name.value)].strip('"'), True)


def _of_keys(answer: str, leaf: Leaf, own: frozenset[str], shared: frozenset[str]) -> Field:
    """A value of `{"France": {"capital": …}}` is said of France, of `basic_price` of "basic"."""
    above, last = _stems(answer, leaf.keys[:-1]) - shared, _stems(answer, leaf.keys[-1:])
    entity = bool(above) or bool(last & shared)
    label, key = (above, last) if above else (own, shared)
    display_text = answer[slice(*leaf.keys[-2 if above else -1])].strip('"')
    return Field(leaf.value, label, key - label, display_text, entity)


def _stems(answer: str, spans: tuple[Span, ...]) -> frozenset[str]:
    words = (word[0].lower() for span in spans for word in _words(answer, span))
    return frozenset(filter(None, map(term, words)))


def _add_field(lines: Lines, answer: str, leaf: Leaf, name: Leaf | None) -> None:
    """One line: the words of the keys, then the value, behind it the unit that a key ends with.

    Before them stands the name of the object, so that the line says what it speaks of.
    """
    keys, value = leaf.keys, leaf.value
    text = answer[slice(*value)]
    flag = text.lower() in ("true", "false")
    if text in ("null", '""') or (flag and not keys):
        return
    has_own_key = bool(keys) and keys[-1][0] >= lines.reached
    own = keys[-1][0] if has_own_key else value[0]
    words = [(own, word[0]) for key in keys[:-1] for word in _words(answer, key)]
    words += [
        (word.start() if has_own_key else own, word[0])
        for key in keys[-1:]
        for word in _words(answer, key)
    ]
    unit = words.pop()[1] if text[0] in _DIGITS and _ends_with_unit(words) else ""
    if flag and not words:
        return
    if name is not None and name is not leaf:
        owner = answer[slice(*name.value)].strip('"')
        lines.add(f"{owner} has " if flag else f"{owner} ", own, fixed=True)
    lines.add("no " if text.lower() == "false" else "", own, fixed=True)
    for at, word in words:
        lines.add(word, at, fixed=at == own)
        lines.add(" ", at if at == own else at + len(word), fixed=True)
    quoted = text.startswith('"')
    if flag and words:
        lines.offsets[-1] = value[1]
    elif not flag:
        _add_value(lines, text[quoted : len(text) - quoted], value[0] + quoted, escaped=quoted)
    lines.add(f" {unit}" if unit else "", value[1] - 1, fixed=True)
    lines.add(".\n", value[1] - quoted, fixed=True)
    lines.reached = value[1]


def _add_value(lines: Lines, text: str, at: int, *, escaped: bool) -> None:
    """A value as it is read: of a string, `\\u00a0` and its like are the characters meant."""
    position = 0
    for match in _ESCAPED.finditer(text) if escaped else ():
        lines.add(text[position : match.start()], at + position)
        lines.add(str(json.loads(f'"{match[0]}"')), at + match.start(), fixed=True)
        position = match.end()
    lines.add(text[position:], at + position)


def _tells_of_itself(answer: str, leaf: Leaf) -> bool:
    if not leaf.keys:
        return False
    key, value = (answer[slice(*span)].strip('"') for span in (leaf.keys[-1], leaf.value))
    return is_bookkeeping(key, value)


def _ends_with_unit(words: list[tuple[int, str]]) -> bool:
    return len(words) > 1 and words[-1][1].lower() in _UNITS


def _words(answer: str, key: Span) -> list[re.Match[str]]:
    """The words of a key: "refund_days" and "refundDays" have two."""
    return list(_WORD.finditer(answer, *key))
