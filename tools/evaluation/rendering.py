"""Figures on a terminal."""

from collections.abc import Iterable, Sequence
from typing import IO, TYPE_CHECKING, cast

from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from django.core.management.base import OutputWrapper


def console_on(output: "OutputWrapper", width: int) -> Console:
    """Return a console that prints to a command's output."""
    return Console(file=cast(IO[str], output), width=width)


def figures_table(
    title: str, headings: Sequence[str], rows: Iterable[Sequence[str]], *, labels: int = 1
) -> Table:
    """Return a table whose first `labels` columns are words and whose others are figures."""
    table = Table(title=Text(title), title_justify="left")
    for at, heading in enumerate(headings):
        table.add_column(heading, justify="left" if at < labels else "right")
    for row in rows:
        table.add_row(*row)
    return table
