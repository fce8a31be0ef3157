"""CSV and its like: a line for each row, with its cells apart as in the tables of other files."""

import csv
from collections import Counter
from collections.abc import Sequence
from io import StringIO

from documents.parsing.encodings import decode
from documents.parsing.types import Extract, ParsingLimits

_DELIMITERS = ",;\t|"
_EXAMINED = 50
"""The number of rows that determine the delimiter."""

Rows = list[list[str]]


def parse(data: bytes, limits: ParsingLimits) -> Extract:
    """Return the rows, the first of which is the head; as plain text what has no columns."""
    decoded = decode(data)
    warnings, text = [*decoded.warnings], decoded.text
    best = max(_DELIMITERS, key=lambda delimiter: _alike(_read(text, delimiter, _EXAMINED) or []))
    rows = _read(text, best)
    if not rows or not _alike(rows[:_EXAMINED]):
        warnings.append("No columns were found; it was read as plain text.")
    else:
        text = "\n".join(" | ".join(cells) for cells in rows)
        if uneven := sum(len(cells) != len(rows[0]) for cells in rows):
            warnings.append(f"Rows with other columns than the first row: {uneven}.")
    return Extract(parts=(text,), encoding=decoded.encoding, warnings=tuple(warnings))


def _read(text: str, delimiter: str, most: int | None = None) -> Rows | None:
    """Return the rows that are not empty; None for what is not such a file."""
    rows = Rows()
    try:
        for cells in csv.reader(StringIO(text, newline=""), delimiter=delimiter):
            if any(cell.strip() for cell in cells):
                rows.append([" ".join(cell.split()) for cell in cells])
            if len(rows) == most:
                break
    except csv.Error:
        return None
    return rows


def _alike(rows: Sequence[Sequence[str]]) -> float:
    """Return the share of rows with the commonest number of columns; 0 where that is one."""
    widths = Counter(map(len, rows))
    width, count = widths.most_common(1)[0] if widths else (1, 0)
    return count / len(rows) if width > 1 else 0.0
