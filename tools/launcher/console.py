"""The launcher's output: one line per step, with its time."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape

console = Console(highlight=False)


@contextmanager
def step(title: str) -> Iterator[None]:
    """Show that a step runs, and then that it is done and how long it took."""
    began = time.monotonic()
    with console.status(f"{title} ..."):
        yield
    console.print(f"[green]✓[/] {title} [dim]({time.monotonic() - began:.1f} s)[/]")


def note(text: str) -> None:
    console.print(f"[cyan]i[/] {escape(text)}", soft_wrap=True)


def warn(text: str) -> None:
    console.print(f"[yellow]![/] {escape(text)}", soft_wrap=True)
