"""A table as CSV, of which no cell is a formula to a spreadsheet."""

import csv
import io

from desk.dashboard.page_parts import Cell, Table

_BEGINS_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def as_csv(table: Table) -> str:
    """The table with its heading, numbers as numbers, words that begin as a formula with a '."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([harmless(table.first), *map(harmless, table.columns)])
    for row in table.rows:
        writer.writerow([cell_value(row.head), *map(cell_value, row.cells)])
    return out.getvalue()


def cell_value(cell: Cell) -> str | int | float:
    """A number where there is one; a number is no formula, even below nothing."""
    return harmless(cell.text) if cell.raw is None else cell.raw


def harmless(words: str) -> str:
    """As text to every spreadsheet: names come from clients (OWASP, "CSV Injection").

    White space before the sign is passed over, since some programs do so.
    """
    bare = words.lstrip(" \u00a0\ufeff")
    return f"'{words}" if bare.startswith(_BEGINS_FORMULA) else words
