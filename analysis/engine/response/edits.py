"""Simultaneous changes to a text, and the new positions of its spans. In code points."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise

from msgspec import Struct

Span = tuple[int, int]


class Edit(Struct, frozen=True, gc=False):
    """A replacement of code points [start, end) by `text`; an insertion if start is end."""

    start: int
    end: int
    text: str = ""


def stands_in(place: Span, spans: Sequence[Span]) -> bool:
    """Return True where a place lies in one of the spans, which are in order, or at its border."""
    at = bisect_right(spans, place[1], key=lambda span: span[0]) - 1
    return at >= 0 and spans[at][1] >= place[0]


def in_order(edits: Iterable[Edit]) -> list[Edit]:
    """Return the edits by position, insertions in given order. Raises ValueError on overlap."""
    in_place = sorted(edits, key=_place)
    for first, second in pairwise(in_place):
        if second.start < first.end:
            raise ValueError(f"two edits overlap at {second.start}")
    return in_place


def without_overlaps(first: Sequence[Edit], further: Iterable[Edit]) -> list[Edit]:
    """Return `first`, and further edits that touch nothing that `first` changes."""
    ordered = in_order(first)
    starts = [edit.start for edit in ordered]

    def touched(edit: Edit) -> bool:
        last = bisect_left(starts, edit.end) - 1
        return last >= 0 and ordered[last].end > edit.start

    return [*first, *(edit for edit in further if not touched(edit))]


def clipped(edits: Iterable[Edit]) -> list[Edit]:
    """Return the edits in order, each beginning no earlier than the previous one ends."""
    result, reached = list[Edit](), 0
    for edit in sorted(edits, key=_place):
        start = max(edit.start, reached)
        result.append(Edit(start, max(start, edit.end), edit.text))
        reached = result[-1].end
    return result


def united(edits: Iterable[Edit]) -> list[Edit]:
    """Return the edits in order, overlapping ones merged to remove what any of them removes."""
    result = list[Edit]()
    for edit in sorted(edits, key=_place):
        if result and edit.start < result[-1].end:
            last = result.pop()
            edit = Edit(last.start, max(last.end, edit.end), last.text + edit.text)
        result.append(edit)
    return result


def apply(text: str, edits: Iterable[Edit]) -> str:
    """Return the text with all edits applied. Raises ValueError on overlap."""
    parts, at = list[str](), 0
    for edit in in_order(edits):
        parts += (text[at : edit.start], edit.text)
        at = edit.end
    return "".join(parts) + text[at:]


def move_spans(spans: Iterable[Span], edits: Iterable[Edit]) -> list[Span]:
    """Return the new positions of spans of the old text.

    Insertions at a span's border stay outside it.
    """
    ordered = in_order(edits)
    places = [_place(edit) for edit in ordered]
    grown = [len(edit.text) - (edit.end - edit.start) for edit in ordered]
    shifts = [0, *accumulate(grown)]
    return [
        (
            start + shifts[bisect_right(places, (start, start))],
            end + shifts[bisect_left(places, (end, end))],
        )
        for start, end in spans
    ]


def _place(edit: Edit) -> Span:
    return edit.start, edit.end
