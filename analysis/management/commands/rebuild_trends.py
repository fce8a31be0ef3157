"""`manage.py rebuild_trends`: counts every check again."""

from typing import Any

from django.core.management.base import BaseCommand
from rich.console import Console
from rich.progress import Progress

from analysis.services import trends


class Command(BaseCommand):
    """Recounts at any time: ends meanwhile count, and `beat` continues if it is stopped."""

    help = "Recount the trends from all checks; until it is done, pages show partial figures."

    def handle(self, *args: Any, **options: Any) -> None:
        total = trends.forget_counts()
        completed = 0
        with Progress(console=Console(stderr=True), transient=True) as progress:
            task = progress.add_task("Counting", total=total)
            while batch_count := trends.count_batch(wait=True):
                completed += batch_count
                progress.update(task, completed=completed)
        self.stdout.write(f"{total:,} checks counted again, {completed:,} of them by this command.")
