"""Converts code-point offsets to UTF-16 offsets, which browsers count in."""

from collections.abc import Iterable, Sequence

Span = tuple[int, int]
_ASTRAL = 0xFFFF


def to_utf16(text: str, spans: Iterable[Span]) -> list[Span]:
    """Return the spans in UTF-16 code units, in the order given; one pass over the text.

    Raises ValueError for an offset outside the text.
    """
    span_list = list(spans)
    points = sorted({point for span in span_list for point in span})
    if points and (points[0] < 0 or points[-1] > len(text)):
        raise ValueError(f"offset outside the text of {len(text)} code points")
    units = dict(zip(points, _units_at(text, points), strict=True))
    return [(units[start], units[end]) for start, end in span_list]


def _units_at(text: str, points: Sequence[int]) -> list[int]:
    """Return the UTF-16 length of the text before each of the ascending points."""
    if text.isascii():
        return list(points)
    units, position, extra = [], 0, 0
    for point in points:
        extra += sum(ord(char) > _ASTRAL for char in text[position:point])
        position = point
        units.append(point + extra)
    return units
