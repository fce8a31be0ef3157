"""`manage.py reembed_memory`: move all entries to the configured embedding model."""

from typing import Any

from django.core.management.base import BaseCommand
from rich.console import Console
from rich.progress import Progress

from memory.services.reembedding import reembed, stale


class Command(BaseCommand):
    """Embeds what another model embedded; safe to break off and repeat."""

    help = "Embed remembered facts again after EMBEDDING_MODEL changed."

    def handle(self, *args: Any, **options: Any) -> None:
        total, done = stale().count(), 0
        with Progress(console=Console(stderr=True, quiet=options["verbosity"] == 0)) as bar:
            task = bar.add_task("embedding", total=total)
            for count in reembed():
                done += count
                bar.update(task, completed=done)
        self.stdout.write(f"{done} entries embedded again")
