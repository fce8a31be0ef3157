"""Tables as CSV, in which no spreadsheet reads a cell as a formula."""

import csv
import io

from desk.dashboard.page_parts import Cell, Table

_BEGINS_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def as_csv(table: Table) -> str:
    """Return the table as CSV with a heading; a leading ' keeps words from being formulas."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([harmless(table.first), *map(harmless, table.columns)])
    for row in table.rows:
        writer.writerow([cell_value(row.head), *map(cell_value, row.cells)])
    return out.getvalue()


def cell_value(cell: Cell) -> str | int | float:
    """Return the cell's number, or its words made harmless; a negative number is no formula."""
    return harmless(cell.text) if cell.raw is None else cell.raw


def harmless(words: str) -> str:
    """Return words that every spreadsheet reads as text.

    Names come from clients (OWASP, "CSV Injection"). White space before the sign is ignored, since
    some programs do so.
    """
    bare = words.lstrip(" \u00a0\ufeff")
    return f"'{words}" if bare.startswith(_BEGINS_FORMULA) else words
