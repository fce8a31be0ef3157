"""The annotators' labels of a row and, if given, the unsupported spans."""

from collections.abc import Mapping
from typing import Any

from desk.scoring.rows import BadLine, Row, RowError

Span = tuple[int, int]


def labelled(item: Row | BadLine) -> Row | BadLine:
    """Return the row if its labels are valid, else a bad line that says why."""
    if isinstance(item, BadLine):
        return item
    try:
        label_of(item.raw)
        spans_of(item.raw)
    except RowError as error:
        return BadLine(item.line, str(error))
    return item


def label_of(raw: Mapping[str, Any]) -> bool:
    """Return True if the answer is not fully supported (label 1). Raises RowError."""
    label = raw.get("label")
    if label not in (0, 1) or isinstance(label, float):
        raise RowError(f"`label` must be 0 or 1, not {label!r}")
    return bool(label)


def spans_of(raw: Mapping[str, Any]) -> tuple[Span, ...] | None:
    """Return the unsupported code points [start, end) of the answer; None if unknown.

    A supported answer has none, which is known. For an unsupported one an empty list only says that
    nobody marked it. Raises RowError for spans outside the answer.
    """
    raw_spans = raw.get("spans") or []
    spans = [_span(span, len(raw["response"])) for span in raw_spans]
    if spans or not label_of(raw):
        return tuple(spans)
    return None


def _span(span: Any, length: int) -> Span:
    if isinstance(span, (list, tuple)) and len(span) >= 2:
        start, end = span[0], span[1]
        if type(start) is int and type(end) is int and 0 <= start < end <= length:
            return start, end
    raise RowError(f"`spans` must hold [start, end, …] inside the response, not {span!r}")
