"""The position of a passage in its text: its whole sentences and headings."""

from assistant.synthesis.sections import heading_at, headings_in
from lib.text.sentences import sentences

_REACH = 600
"""Code points: so far a passage may be widened at either end to make its sentences whole."""


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
    return _trim(text, begin, finish)


def headings(text: str, start: int, end: int) -> str:
    """Return the heading above the span and those inside it, or ""."""
    headings = list(headings_in(text[:end]))
    inside = [title for at, title in headings if at >= start]
    return "; ".join(dict.fromkeys(filter(None, [heading_above(text, start), *inside])))


def heading_above(text: str, start: int) -> str:
    """Return the last heading before the span, or ""."""
    return heading_at([item for item in headings_in(text) if item[0] < start], start)


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
