"""Many rows into one table by COPY."""

from collections.abc import Iterable, Sequence
from io import StringIO

from django.db import connection

Row = tuple[str | int | None, ...]
_ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


def copy_rows(table: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
    """Append rows; texts are read as literals of their columns."""
    lines = StringIO("".join(map(_line, rows)))
    names = ", ".join(f'"{name}"' for name in columns)
    with connection.cursor() as cursor:
        cursor.copy_expert(f"COPY {table} ({names}) FROM STDIN", lines)


def _line(row: Row) -> str:
    return "\t".join(map(_field, row)) + "\n"


def _field(value: str | int | None) -> str:
    if value is None:
        return "\\N"
    return value.translate(_ESCAPES) if isinstance(value, str) else str(value)
