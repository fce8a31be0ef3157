"""Puts values of data (cells, fields) into sentences with the words that they belong to.

`{"refund_days": 14}` reads "refund: 14 days."; below "role" and "leave (days)" the row "Nurse | 30"
reads "role: Nurse, leave: 30 days.".
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from lib.text.decoded import Decoded, Span
from lib.text.units import CURRENCIES, SCALES, UNITS
from lib.text.words import word_set

Words = tuple[Span, ...]
"""Spans of the text that are read in sequence; markup may separate them."""

LONG = 60
"""Values longer than this, and sentences, are prose: they stand on a line of their own."""
_LEAST_SPACES = 2
_IDENTIFIER = re.compile(r"\w*(?:_\w|[a-z][A-Z])\w*|\w+(?:-\w+)+")
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_]+")
_FIGURE = re.compile(r"[-−–+]?\d[\d.,]*|\(\d[\d.,]*\)")
_ESCAPED = re.compile(r'(?:\\u[0-9a-fA-F]{4})+|\\["\\/bfnrt]')
_ESCAPE = re.compile(
    r"\\(?:(?P<pair>u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    r"|(?P<half>u[dD][89a-fA-F][0-9a-fA-F]{2})|(?P<nul>u0000)|.)",
    re.DOTALL,
)
_HOURS = re.compile(r"(\d{1,2}):(\d{1,2})\s*-\s*(\d{1,2}):(\d{1,2})", re.ASCII)
_UNIT_BEHIND = re.compile(
    r"(.*\S)\s*(?:\(\s*(?:in\s)?([^()]{1,40})\)|\[\s*(?:in\s)?([^\[\]]{1,40})\]|,?\sin\s([^,()]{1,30}))\s*"
)
_UNIT_WORD = re.compile(r"[$€£₹¥%]|°[CF]|[^\W\d_]+[²³23]?(?:/[^\W\d_]+[²³23]?)?|\S")
_SAME_WORD = {"true": "yes", "false": "no", "null": "not stated", "[]": "none"}
_SAME_WORD |= dict.fromkeys("✓✔✅☑", "yes") | dict.fromkeys("✗✘❌☒🚫", "no")
_FLAGS = {"true": True, "yes": True, "false": False, "no": False}
_SPEEDS = word_set("speed gust gusts wind velocity")
_SPOKEN = {"c": "°C", "f": "°F", "pct": "%", "percent": "%", "mps": "m/s", "kph": "km/h"}
_NO_UNITS = word_set("second minute hour day week month year decade min mins bar cup mi ton")
"""Words that end a name more often than they give its unit: "birth_year", "temperature_min"."""
_NAMELESS = frozenset(("page content", "final answer")) | word_set(
    "item value key field property attribute description detail details answer answers response "
    "responses reply replies text texts content message output completion chunk snippet passage "
    "excerpt body"
)
"""Field names that say nothing about their value."""
_TEXTS = word_set(
    "text texts content contents page_content body document passage paragraph paragraphs sentences "
    "snippet chunk excerpt answer response output"
)
"""Prose that is called so stands for itself."""
_WRAPPERS = re.compile(
    r"(?:(?:search |tool )?results?|documents?|sources?|passages?|chunks?|contexts?|contents?|data"
    r"|items?|hits?|matches|records?|response|output)(?: \d+)?"
)
"""Names above such prose that say only that it was handed over."""
_SYMBOLS = "$€£₹¥"
_CURRENCY = re.compile(r'"currency(?:_?code)?"\s*:\s*"([A-Za-z]{3})"', re.IGNORECASE)
_IN_CENTS = re.compile(r'"minor_?units?"\s*:\s*true|"unit"\s*:\s*"cents"', re.IGNORECASE)
_MONEY = word_set(
    "amount balance charge charges cost costs deposit fare fee fees fine fines price prices refund "
    "rent salary subtotal tax total totals"
)
_CENTS = word_set("cents pence")
_NO_MONEY = word_set(
    "class code count date id index level number pct percentage qty quantity rank rate ratio "
    "status type version"
)
"""Words that end the name of what is no sum of money, though it has to do with one."""
_WHOLE = re.compile(r"[-−–+]?\d+")
_SENTENCE_END = (".", "!", "?", "…", "。")


class Measure(NamedTuple):
    """The unit that a name gives to the figures below it: a sign before them, words behind."""

    sign: str = ""
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Value:
    """A value with its name, and the names above it; in a JSON record its path.

    `is_string` says that it is a string of JSON, in which characters may be escaped;
    `is_below` that its name is the head of its column, which is part of every row and in none.
    """

    above: tuple[str, ...]
    key: Words
    value: Words
    path: tuple[str, ...] = ()
    is_string: bool = False
    is_below: bool = False
    thing: int = -1
    """The offset of its object, whose values may stand apart; -1 for a row."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A value in the text made of the data, characters [start, end), with its name.

    `above` are the names above it, `record` is the number of its row or object in all of the text.
    """

    above: str
    key: str
    start: int
    end: int
    record: int


@dataclass(frozen=True, slots=True)
class DataLine:
    """Characters [start, end) of the text made of the data: one statement, prose if it is long.

    `is_text` says that the data only carries the prose, as that of a search result does.
    """

    start: int
    end: int
    path: tuple[str, ...]
    is_row: bool
    is_prose: bool
    is_text: bool


@dataclass(slots=True)
class Lines:
    """The words so far, the offset of each character in the text, and the statements they hold."""

    text: str
    each: bool = False
    """True if every value is a statement of its own."""
    currency: str = ""
    """That of all sums of money in data that names one, and no other."""
    in_cents: bool = False
    """True if the data says so of them."""
    parts: list[str] = field(default_factory=list)
    offsets: list[int] = field(default_factory=list)
    reached: int = 0
    lines: list[DataLine] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    records: int = 0
    record: int = 0
    things: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        currencies = {code.upper() for code in _CURRENCY.findall(self.text)}
        if len(currencies) == 1 and next(iter(currencies)).lower() in CURRENCIES:
            self.currency = currencies.pop()
            self.in_cents = _IN_CENTS.search(self.text) is not None

    def put(self, words: str, at: int = -1) -> None:
        """Append words that begin at an offset.

        Skipped text, or text without offset, is inserted.
        """
        self.parts.append(words)
        if at >= self.reached:
            self.offsets += range(at, at + len(words))
            self.reached = at + len(words)
        else:
            self.offsets += [self.reached] * len(words)

    def put_behind(self, words: str) -> None:
        """Append words that are part of what was read last."""
        self.parts.append(words)
        at = max(self.reached - 1, self.offsets[-1] if self.offsets else 0)
        self.offsets += [at] * len(words)

    def put_instead(self, first: int, last: int, words: str) -> None:
        """Append words in the place of the text [first, last)."""
        self.skip(first)
        self.put(words)
        self.skip(last)

    def skip(self, to: int) -> None:
        """Continue at an offset; the text before it is not read."""
        self.reached = max(self.reached, to)

    def keep(self, to: int) -> None:
        """Append the text as it is, up to an offset."""
        self.put(self.text[self.reached : to], self.reached)

    def decoded(self) -> Decoded:
        """Return everything appended so far as the reading of the text."""
        return Decoded("".join(self.parts), (*self.offsets, len(self.text)))


def plain(text: str, words: Words) -> str:
    """Return the words as they are written, with a space between two stretches."""
    return " ".join(text[start:end] for start, end in words)


def add_record(lines: Lines, values: Sequence[Value], *, is_row: bool = False) -> None:
    """Append one statement of the values that belong together, and one for each that is prose."""
    text, thing = lines.text, values[0].thing
    lines.record = lines.things.setdefault(thing, lines.records) if thing >= 0 else lines.records
    lines.records += 1
    short = [value for value in values if not _is_prose(plain(text, value.value))]
    if short:
        _add_line(lines, short, is_row=is_row, is_prose=False)
    for value in values:
        if _is_prose(plain(text, value.value)):
            _add_line(lines, [value], is_row=is_row, is_prose=True)


def _is_prose(value: str) -> bool:
    return len(value) > LONG or (value.endswith(_SENTENCE_END) and value.count(" ") > _LEAST_SPACES)


def _add_line(lines: Lines, values: Sequence[Value], *, is_row: bool, is_prose: bool) -> None:
    start, first = len(lines.offsets), values[0]
    places = [value.value[0][0] for value in values]
    places += [value.key[0][0] for value in values if value.key and not value.is_below]
    lines.skip(min((place for place in places if place >= lines.reached), default=lines.reached))
    is_text = (
        is_prose
        and plain(lines.text, first.key).lower() in _TEXTS
        and all(map(_WRAPPERS.fullmatch, first.above))
    )
    above = "" if is_text else ", ".join(first.above)
    lines.put(f"{above}: " if above else "")
    for at, value in enumerate(values):
        lines.put(", " if at else "")
        has_name = not is_text and (not at or value.key != values[at - 1].key)
        _add_value(lines, value, named=has_name)
    last = next((part for part in reversed(lines.parts) if part), "")
    lines.put("" if last.rstrip().endswith(_SENTENCE_END) else ".")
    path = first.path if is_prose or len(first.path) == 1 else first.path[:-1]
    lines.lines.append(DataLine(start, len(lines.offsets), path, is_row, is_prose, is_text))
    lines.put("\n")


def _add_value(lines: Lines, value: Value, *, named: bool) -> None:
    text, plain_value, measure = lines.text, plain(lines.text, value.value), Measure()
    parts = _key_parts(text, value.key)
    in_cents = False
    if parts and _FIGURE.fullmatch(plain_value):
        parts, measure = _measure(parts)
        if value.above and not (measure.sign or measure.unit):
            measure = _measure_below(value.above[-1])
        if lines.currency and not (measure.sign or measure.unit):
            parts, measure, in_cents = _sum_of_money(lines, parts, value.above, plain_value)
    flag = _FLAGS.get(plain_value.lower()) if lines.each and value.thing >= 0 else None
    if parts and flag is not None:
        # "no live music" is read as a denial, "live music: no" is not.
        lines.put("" if flag else "no ")
        _add_key(lines, parts)
        lines.skip(value.value[-1][1])
        return
    if named and parts and " ".join(word.lower() for word, _ in parts) not in _NAMELESS:
        _add_key(lines, parts)
        lines.put(": ")
    start = len(lines.offsets)
    lines.put(measure.sign)
    for number, (first, last) in enumerate(value.value):
        lines.put(" " if number else "")
        if in_cents:
            lines.put_instead(first, last, _hundredths(text[first:last]))
        else:
            _add_words(lines, first, last, is_string=value.is_string)
    lines.put_behind(f" {measure.unit}" if measure.unit else "")
    key = " ".join(word for word, _ in parts)
    lines.cells.append(Cell(" ".join(value.above), key, start, len(lines.offsets), lines.record))


def _add_key(lines: Lines, parts: Sequence[tuple[str, int]]) -> None:
    for at, (word, place) in enumerate(parts):
        lines.put(" " if at else "")
        lines.put(word, place)


def _add_words(lines: Lines, first: int, last: int, *, is_string: bool) -> None:
    text = lines.text[first:last]
    other = "" if is_string else _SAME_WORD.get("".join(text.split()).lower(), "")
    hours = _HOURS.fullmatch(text)
    if other or hours:
        lines.put_instead(first, last, _clock(hours) if hours else other)
        return
    position = first
    for match in _ESCAPED.finditer(text) if is_string else ():
        lines.put(lines.text[position : first + match.start()], position)
        lines.put(str(load_json(f'"{match[0]}"')))
        position = first + match.end()
        lines.skip(position)
    lines.put(lines.text[position:last].replace("\n", " "), position)


def load_json(text: str) -> Any:
    """Return JSON without what no database takes: U+FFFD for half a character, a space for NUL.

    Raises ValueError, RecursionError.
    """
    if "\\u" not in text:
        return json.loads(text)
    return json.loads(
        _ESCAPE.sub(
            lambda sign: "\\ufffd" if sign["half"] else "\\u0020" if sign["nul"] else sign[0], text
        )
    )


def _clock(match: re.Match[str]) -> str:
    """Return opening hours as they are spoken: "9:00-17:30" is "9:00 am to 5:30 pm"."""
    hours, minutes = ([int(part) for part in match.groups()[at::2]] for at in (0, 1))
    if max(hours) > 24 or max(minutes) > 59:
        return match[0]
    return " to ".join(
        f"{hour % 12 or 12}:{minute:02} {'am' if hour % 24 < 12 else 'pm'}"
        for hour, minute in zip(hours, minutes, strict=True)
    )


def spoken(text: str, key: Words) -> str:
    """Return a name as words: "OutdoorSeating" and "outdoor_seating" as "outdoor seating"."""
    return " ".join(word for word, _ in _key_parts(text, key))


def _key_parts(text: str, key: Words) -> list[tuple[str, int]]:
    """Return the words of a name with their places; "refund_days" and "refundDays" have two."""
    parts = list[tuple[str, int]]()
    for start, end in key:
        name = text[start:end]
        if _IDENTIFIER.fullmatch(name):
            for match in _PART.finditer(name):
                word = match[0].lower() if match[0][1:].islower() else match[0]
                parts.append((word, start + match.start()))
        elif name.strip():
            parts.append((name, start))
    return parts


def _measure(parts: list[tuple[str, int]]) -> tuple[list[tuple[str, int]], Measure]:
    """Return the words of a name without the unit that they end with, and that unit."""
    if len(parts) == 1:
        return _measure_of_phrase(*parts[0])
    words = [word.lower() for word, _ in parts]
    has_per = len(words) > 2 and words[-2] == "per"
    per, rest = (f"per {words[-1]}", words[:-2]) if has_per else ("", words)
    unit = _unit(rest[-1], rest[:-1]) if len(rest) > 1 else ""
    if not (unit or per):
        return parts, Measure()
    return parts[: len(rest) - bool(unit)], Measure("", f"{unit} {per}".strip())


def _sum_of_money(
    lines: Lines, parts: list[tuple[str, int]], above: Sequence[str], figure: str
) -> tuple[list[tuple[str, int]], Measure, bool]:
    """Return the name of a figure without "cents", its currency, and whether it is in cents."""
    *before, last = (word.lower() for word, _ in parts)
    is_named = last in _CENTS and bool(before)
    words = (*before, last, *" ".join(above).lower().split())
    if not is_named and (_MONEY.isdisjoint(words) or last.split()[-1] in _NO_MONEY):
        return parts, Measure(), False
    in_cents = is_named or lines.in_cents
    if in_cents and not _WHOLE.fullmatch(figure):
        return parts, Measure(), False
    return parts[:-1] if is_named else parts, Measure("", lines.currency), in_cents


def _hundredths(figure: str) -> str:
    """Return a whole number of cents as an amount; as text, since it may be of any length."""
    digits = figure.lstrip("-−–+")
    sign, digits = figure[: len(figure) - len(digits)], digits.rjust(3, "0")
    return f"{sign}{digits[:-2]}.{digits[-2:]}"


def _unit(word: str, before: Sequence[str]) -> str:
    if word == "ms" and not _SPEEDS.isdisjoint(before):
        return "m/s"
    if word in _NO_UNITS or word not in UNITS | CURRENCIES.keys() | _SPOKEN.keys():
        return ""
    return _SPOKEN.get(word, word.upper() if word in CURRENCIES else word)


def _measure_of_phrase(name: str, at: int) -> tuple[list[tuple[str, int]], Measure]:
    """Return "Fee (thousands of euros)" and "Load kg" without their unit, and that unit."""
    match = _UNIT_BEHIND.fullmatch(name)
    if match:
        measure = _named_measure(match[match.lastindex or 0])
        return ([(match[1], at)], measure) if any(measure) else ([(name, at)], measure)
    *before, last = name.split()
    unit = _unit(last.lower(), [word.lower() for word in before]) if before else ""
    if not unit or before[-1].lower() in ("of", "in", "per"):
        return [(name, at)], Measure()
    return [(name[: name.rindex(last)].rstrip(), at)], Measure("", unit)


def _measure_below(name: str) -> Measure:
    """Return the unit that "Fees (EUR thousand)" or "fees eur" gives to the values below it.

    "Opening hours" gives none.
    """
    _, measure = _measure_of_phrase(name, 0)
    is_given = measure.unit.lower() in CURRENCIES or _UNIT_BEHIND.fullmatch(name)
    return measure if is_given else Measure()


def _named_measure(words: str) -> Measure:
    """Return sign and unit of words: "$ thousand", "million m³", "thousands of euros"."""
    sign, scale, unit = "", "", ""
    for word in _UNIT_WORD.findall(words):
        lower = word.lower()
        if lower in ("of", "in"):
            continue
        if word in _SYMBOLS and not (sign or unit):
            sign = word
        elif lower in SCALES and not scale:
            scale = lower.removesuffix("s")
        elif not unit and (lower in UNITS or lower in CURRENCIES or word in ("%", "°C", "°F")):
            unit = _SPOKEN.get(lower, word)
        elif unit and "/" not in unit and word == "/":
            unit += "/"
        elif not unit and "/" in word and word.partition("/")[0].lower() in UNITS:
            unit = word
        else:
            return Measure()
    return Measure(sign, f"{scale} {unit}".strip())
