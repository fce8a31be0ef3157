"""Figures as tables: on a terminal, and in Markdown."""

from collections.abc import Iterable, Sequence
from typing import IO, TYPE_CHECKING, cast

from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from django.core.management.base import OutputWrapper

NONE = "–"


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


def markdown_head(headings: Sequence[str], *, labels: int = 1) -> str:
    """Return the first two lines of a table whose first `labels` columns are words."""
    return f"{markdown_row(headings)}\n|{'---|' * labels}{'---:|' * (len(headings) - labels)}"


def markdown_row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def number(value: float | None) -> str:
    return NONE if value is None else f"{value:.3f}"
