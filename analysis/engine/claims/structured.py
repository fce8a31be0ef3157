"""An answer that is a JSON document, as one line of words for each field.

`{"refund_days": 14}` reads "refund 14 days.": the sources say it in sentences.
"""

import json
import re
from dataclasses import dataclass, field

from text.entities import Decoded
from text.units import CURRENCIES, UNITS

_FENCE = re.compile(r"\s*(?:```|~~~)(?:json)?[ \t]*\n(.*?)\n(?:```|~~~)\s*\Z", re.DOTALL)
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}\[\],:]')
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_]+")
_DIGITS = "-0123456789"
_UNITS = UNITS.keys() | CURRENCIES.keys()
Span = tuple[int, int]


@dataclass(slots=True)
class _Lines:
    """The words so far, and where each character stood in the answer."""

    parts: list[str] = field(default_factory=list)
    offsets: list[int] = field(default_factory=list)
    reached: int = 0

    def add(self, text: str, at: int, *, fixed: bool = False) -> None:
        """Append text that begins at an offset of the answer, or stands for one place in it."""
        self.parts.append(text)
        self.offsets += [at] * len(text) if fixed else range(at, at + len(text))


def decode_json(answer: str) -> Decoded | None:
    """The fields of an answer that is a JSON object or array; None for any other answer."""
    fenced = _FENCE.match(answer)
    start, end = fenced.span(1) if fenced else (0, len(answer))
    if not answer[start:end].lstrip().startswith(("{", "[")) or not _is_document(answer[start:end]):
        return None
    lines = _Lines()
    for keys, value in _leaves(answer, start, end):
        _add_field(lines, answer, keys, value)
    lines.offsets.append(len(answer))
    return Decoded("".join(lines.parts), tuple(lines.offsets)) if lines.parts else None


def _is_document(text: str) -> bool:
    try:
        return isinstance(json.loads(text), (dict, list))
    except (ValueError, RecursionError):
        return False


def _leaves(answer: str, start: int, end: int) -> list[tuple[list[Span], Span]]:
    """Each value that is no object or array, with the keys that lead to it."""
    found, keys, depths = list[tuple[list[Span], Span]](), list[Span](), list[int]()
    pending: Span | None = None
    for match in _TOKEN.finditer(answer, start, end):
        sign, span = match[0], match.span()
        if sign in "{[":
            depths.append(len(keys))
            keys += [pending] if pending else []
            pending = None
        elif sign in "}]":
            del keys[depths.pop() :]
        elif sign == ":" and found:
            pending = found.pop()[1]
        elif sign == ",":
            pending = None
        elif sign != ":":
            found.append(([*keys, *([pending] if pending else [])], span))
            pending = None
    return found


def _add_field(lines: _Lines, answer: str, keys: list[Span], value: Span) -> None:
    """One line: the words of the keys, then the value, behind it the unit that a key ends with."""
    said = answer[slice(*value)]
    flag = said in ("true", "false")
    if said in ("null", '""') or (flag and not keys):
        return
    named = bool(keys) and keys[-1][0] >= lines.reached
    own = keys[-1][0] if named else value[0]
    words = [(own, word[0]) for key in keys[:-1] for word in _words(answer, key)]
    words += [
        (word.start() if named else own, word[0])
        for key in keys[-1:]
        for word in _words(answer, key)
    ]
    unit = words.pop()[1] if said[0] in _DIGITS and _ends_with_unit(words) else ""
    if flag and not words:
        return
    lines.add("no " if said == "false" else "", own, fixed=True)
    for at, word in words:
        lines.add(word, at, fixed=at == own)
        lines.add(" ", at if at == own else at + len(word), fixed=True)
    quoted = said.startswith('"')
    if flag and words:
        lines.offsets[-1] = value[1]
    elif not flag:
        lines.add(said[1:-1] if quoted else said, value[0] + quoted)
    lines.add(f" {unit}" if unit else "", value[1] - 1, fixed=True)
    lines.add(".\n", value[1] - quoted, fixed=True)
    lines.reached = value[1]


def _ends_with_unit(words: list[tuple[int, str]]) -> bool:
    return len(words) > 1 and words[-1][1].lower() in _UNITS


def _words(answer: str, key: Span) -> list[re.Match[str]]:
    """The words of a key: "refund_days" and "refundDays" have two."""
    return list(_WORD.finditer(answer, *key))
