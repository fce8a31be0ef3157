"""Changes to a text, made together, and where its spans lie afterwards. Code points throughout."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise

from msgspec import Struct

Span = tuple[int, int]


class Edit(Struct, frozen=True, gc=False):
    """The code points [start, end) become `text`; where start is end, it is put in there."""

    start: int
    end: int
    text: str = ""


def stands_in(place: Span, spans: Sequence[Span]) -> bool:
    """Return True where a place lies in one of the spans, which are in order, or at its border."""
    at = bisect_right(spans, place[1], key=lambda span: span[0]) - 1
    return at >= 0 and spans[at][1] >= place[0]


def in_order(edits: Iterable[Edit]) -> list[Edit]:
    """Sorted by place, those of one place as given. Raises ValueError where two overlap."""
    in_place = sorted(edits, key=_place)
    for first, second in pairwise(in_place):
        if second.start < first.end:
            raise ValueError(f"two edits overlap at {second.start}")
    return in_place


def without_overlaps(first: Sequence[Edit], further: Iterable[Edit]) -> list[Edit]:
    """`first`, and those of `further` that touch nothing that `first` changes."""
    ordered = in_order(first)
    starts = [edit.start for edit in ordered]

    def touched(edit: Edit) -> bool:
        last = bisect_left(starts, edit.end) - 1
        return last >= 0 and ordered[last].end > edit.start

    return [*first, *(edit for edit in further if not touched(edit))]


def clipped(edits: Iterable[Edit]) -> list[Edit]:
    """In order, each beginning where the one before it ends at the earliest."""
    result, reached = list[Edit](), 0
    for edit in sorted(edits, key=_place):
        start = max(edit.start, reached)
        result.append(Edit(start, max(start, edit.end), edit.text))
        reached = result[-1].end
    return result


def united(edits: Iterable[Edit]) -> list[Edit]:
    """In order, those that overlap as one edit: all of them takes out what any takes out."""
    result = list[Edit]()
    for edit in sorted(edits, key=_place):
        if result and edit.start < result[-1].end:
            last = result.pop()
            edit = Edit(last.start, max(last.end, edit.end), last.text + edit.text)
        result.append(edit)
    return result


def apply(text: str, edits: Iterable[Edit]) -> str:
    """The text with all edits made. Raises ValueError where two overlap."""
    parts, at = list[str](), 0
    for edit in in_order(edits):
        parts += (text[at : edit.start], edit.text)
        at = edit.end
    return "".join(parts) + text[at:]


def move_spans(spans: Iterable[Span], edits: Iterable[Edit]) -> list[Span]:
    """Where spans of the old text lie in the new one.

    What is put in at a border of a span stays outside of it.
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
