"""The headings of a text, and for a passage of it the whole sentences and the headings."""

import re
from collections.abc import Iterator, Sequence

from lib.text.sentences import sentences

MOST_HEADING = 120
CELL = " | "
"""The separator between the cells of a row."""
_MOST_RUN_ON = 60
"""Code points of a heading whose text follows in the very next line."""
_CLOSING = ".;:?!,"
_NUMBER = re.compile(r"(?:\d{1,2}(?:\.\d{1,2})*[.)]?|[A-Z][.)])[ \t]+")
"""Of a heading: "2. ", "2.1 ", "B) "."""
_REACH = 600
"""Code points: so far a passage may be widened at either end to make its sentences whole."""


def headings_in(text: str) -> Iterator[tuple[int, str]]:
    """Yield (offset, title) of each heading.

    A heading is a short line between blank lines, or above its text, that is no row of a table, no
    item of a list and does not end like a sentence; one with "#" or "§" may.
    """
    at, lines = 0, text.split("\n")
    for number, raw in enumerate(lines):
        if _is_heading(lines, number):
            yield at, raw.strip().strip("#* ").rstrip(".")
        at += len(raw) + 1


def heading_at(headings: Sequence[tuple[int, str]], at: int, above: str = "") -> str:
    """Return the last heading that begins at or before `at`, or `above`."""
    return next((title for start, title in reversed(headings) if start <= at), above)


def _is_heading(lines: list[str], at: int) -> bool:
    line = lines[at].strip()
    if not line or len(line) > MOST_HEADING or CELL in line or line.startswith("- "):
        return False
    if line.startswith(("#", "§")):
        return True
    if not _is_blank(lines, at - 1) or at + 1 >= len(lines) or line[-1] in _CLOSING:
        return False
    return _is_blank(lines, at + 1) or _runs_on(line, lines[at + 1].strip())


def _runs_on(line: str, following: str) -> bool:
    """Return whether a short line is a heading right above its text or table: both begin afresh.

    "1. Stop" above "2. Wait" is the first item of a list, "2 Setting up" above "2.1" is not.
    """
    number, below = _NUMBER.match(line), _NUMBER.match(following)
    words = line[number.end() if number else 0 :]
    if number and (not words[:1].isupper() or (below and not _is_part(below[0], number[0]))):
        return False
    following = following.removeprefix("- ")
    begins = following[:1].isupper() or following[:1].isdigit() or CELL in following
    return len(line) <= _MOST_RUN_ON and begins and ". " not in words


def _is_part(number: str, whole: str) -> bool:
    parts, parent = (text.strip().rstrip(".)").split(".") for text in (number, whole))
    return len(parts) > len(parent) and parts[: len(parent)] == parent


def _is_blank(lines: list[str], at: int) -> bool:
    return at < 0 or not lines[at].strip()


def around(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span [start, end) extended to whole sentences, by at most `_REACH` at each end."""
    first, last = max(0, start - _REACH), min(len(text), end + _REACH)
    stretch = text[first:last]
    begin, finish = start, end
    for sentence in sentences(stretch):
        sentence_start, sentence_end = first + sentence.start, first + sentence.end
        if sentence_start < start < sentence_end and sentence_start > first:
            begin = sentence_start
        if sentence_start < end < sentence_end and sentence_end < last + (last == len(text)):
            finish = sentence_end
    widened = text[begin:finish]
    begin += len(widened) - len(widened.lstrip())
    return begin, begin + len(widened.strip())


def headings(text: str, start: int, end: int) -> str:
    """Return the heading above the span and those inside it, or ""."""
    headings = list(headings_in(text[:end]))
    inside = [title for at, title in headings if at >= start]
    return "; ".join(dict.fromkeys(filter(None, [heading_above(text, start), *inside])))


def heading_above(text: str, start: int) -> str:
    """Return the last heading before the span, or ""."""
    return heading_at([item for item in headings_in(text) if item[0] < start], start)
