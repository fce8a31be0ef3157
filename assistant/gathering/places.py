"""Where a passage stands in its text: its whole sentences and the heading above it."""

from text.sentences import sentences

MOST_HEADING = 120
_REACH = 600
"""Code points: so far a passage may be widened at either end to make its sentences whole."""


def around(text: str, start: int, end: int) -> tuple[int, int]:
    """The span [start, end) widened to whole sentences, at most `_REACH` at each end."""
    first, last = max(0, start - _REACH), min(len(text), end + _REACH)
    stretch = text[first:last]
    begin, finish = start, end
    for found in sentences(stretch):
        one, two = first + found.start, first + found.end
        if one < start < two and one > first:
            begin = one
        if one < end < two and two < last + (last == len(text)):
            finish = two
    return _trimmed(text, begin, finish)


def heading_above(text: str, start: int) -> str:
    """The last short line above that stands alone between blank lines, "" where there is none.

    A line that begins with "#" or "§" need not stand alone.
    """
    lines = text[:start].split("\n")
    for at in range(len(lines) - 1, -1, -1):
        line = lines[at].strip()
        if not line or len(line) > MOST_HEADING:
            continue
        marked = line.startswith(("#", "§"))
        alone = _is_blank(lines, at - 1) and (at + 1 < len(lines) and _is_blank(lines, at + 1))
        if marked or alone:
            return line.strip("#* ").rstrip(".")
    return ""


def _is_blank(lines: list[str], at: int) -> bool:
    return at < 0 or not lines[at].strip()


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
