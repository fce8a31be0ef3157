"""Plain text: its encoding is detected, and tables in columns get the form of all tables."""

from collections.abc import Iterator

from documents.parsing.encodings import decode
from documents.parsing.types import Extract, ParsingLimits
from lib.text.decoded import Span
from lib.text.reader.tables import COLUMN, LIST_SIGN

_LEAST_ROWS, _LONGEST_ROW = 3, 1_000
_NOWHERE = -1


def parse(data: bytes, limits: ParsingLimits) -> Extract:
    """Return the text without a title, rows of tables as "Hot work | Mr Benali | one shift"."""
    decoded = decode(data)
    text, parts, at = decoded.text, list[str](), 0
    for row in _rows(text):
        parts += (text[at : row[0][0]], " | ".join(text[start:end] for start, end in row))
        at = row[-1][1]
    parts.append(text[at:])
    return Extract(("".join(parts),), encoding=decoded.encoding, warnings=decoded.warnings)


def _rows(text: str) -> Iterator[list[Span]]:
    """Yield the rows of tables as the spans of their cells, two spaces or more apart.

    A table has three rows or more, and each of its columns begins or ends at one place.
    """
    rows, edges, at = list[list[Span]](), list[Span](), 0
    for line in (*text.splitlines(keepends=True), ""):
        start, at = at, at + len(line)
        row = list[Span]()
        if "  " in line and len(line) <= _LONGEST_ROW and not LIST_SIGN.match(line):
            row = [match.span() for match in COLUMN.finditer(text, start, at)]
        if row and text[row[0][1] - 1] == ":":  # a form ("Name:    Jonas")
            row = []
        places = [(first - start, last - start) for first, last in row]
        shared = _shared(edges, places) if len(row) > 1 else []
        if not shared:
            yield from rows if len(rows) >= _LEAST_ROWS else ()
            rows, shared = [], places
        rows.append(row)
        edges = shared


def _shared(edges: list[Span], places: list[Span]) -> list[Span]:
    """Return the edges that both share, _NOWHERE for one they do not; [] if a column shares none.

    Rows of different lengths share none.
    """
    if len(edges) != len(places):
        return []
    shared = [
        (first if first == start else _NOWHERE, last if last == end else _NOWHERE)
        for (first, last), (start, end) in zip(edges, places, strict=True)
    ]
    return [] if (_NOWHERE, _NOWHERE) in shared else shared
