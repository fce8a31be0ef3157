"""Changes to a text, made together, and where its spans lie afterwards. Code points throughout."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Edit:
    """The code points [start, end) become `text`; where start is end, it is put in there."""

    start: int
    end: int
    text: str = ""


def in_order(edits: Iterable[Edit]) -> list[Edit]:
    """Sorted by place, those of one place as given. Raises ValueError where two overlap."""
    found = sorted(edits, key=_place)
    for one, two in pairwise(found):
        if two.start < one.end:
            raise ValueError(f"two edits overlap at {two.start}")
    return found


def without_overlaps(first: Sequence[Edit], further: Iterable[Edit]) -> list[Edit]:
    """`first`, and those of `further` that touch nothing that `first` changes."""
    taken = in_order(first)
    starts = [edit.start for edit in taken]

    def touched(edit: Edit) -> bool:
        last = bisect_left(starts, edit.end) - 1
        return last >= 0 and taken[last].end > edit.start

    return [*first, *(edit for edit in further if not touched(edit))]


def clipped(edits: Iterable[Edit]) -> list[Edit]:
    """In order, each beginning where the one before it ends at the earliest."""
    found, reached = list[Edit](), 0
    for edit in sorted(edits, key=_place):
        start = max(edit.start, reached)
        found.append(Edit(start, max(start, edit.end), edit.text))
        reached = found[-1].end
    return found


def apply(text: str, edits: Iterable[Edit]) -> str:
    """The text with all edits made. Raises ValueError where two overlap."""
    parts, at = list[str](), 0
    for edit in in_order(edits):
        parts += (text[at : edit.start], edit.text)
        at = edit.end
    return "".join(parts) + text[at:]


def moved(spans: Iterable[Span], edits: Iterable[Edit]) -> list[Span]:
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
