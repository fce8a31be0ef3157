"""Where a passage stands in its text: its whole sentences and its headings."""

from text.sentences import sentences

MOST_HEADING = 120
_CLOSING = ".;:?!,"
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


def headings(text: str, start: int, end: int) -> str:
    """The heading that the span stands under and those inside it, "" where there is none.

    A heading is a short line alone between blank lines that closes like no sentence; one with "#"
    or "§" may do otherwise.
    """
    above, inside, at = "", list[str](), 0
    lines = text[:end].split("\n")
    for number, raw in enumerate(lines):
        if _is_heading(lines, number):
            title = raw.strip().strip("#* ").rstrip(".")
            if at >= start:
                inside.append(title)
            else:
                above = title
        at += len(raw) + 1
    return "; ".join(dict.fromkeys(filter(None, [above, *inside])))


def _is_heading(lines: list[str], at: int) -> bool:
    line = lines[at].strip()
    if not line or len(line) > MOST_HEADING:
        return False
    alone = _is_blank(lines, at - 1) and at + 1 < len(lines) and _is_blank(lines, at + 1)
    return line.startswith(("#", "§")) or (alone and line[-1] not in _CLOSING)


def _is_blank(lines: list[str], at: int) -> bool:
    return at < 0 or not lines[at].strip()


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
