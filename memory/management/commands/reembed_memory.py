"""`manage.py reembed_memory`: moves all entries to the configured embedding model."""

from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand
from django.db.models import QuerySet
from rich.console import Console
from rich.progress import Progress

from memory.embedding import embed, model_id
from memory.models import MemoryEntry

AT_ONCE = 64


class Command(BaseCommand):
    """Embeds entries of other models again; safe to interrupt and repeat."""

    help = "Embed remembered facts again after EMBEDDING_MODEL changed."

    def handle(self, *args: Any, **options: Any) -> None:
        total, done = stale().count(), 0
        with Progress(console=Console(stderr=True, quiet=options["verbosity"] == 0)) as bar:
            task = bar.add_task("embedding", total=total)
            for count in reembed():
                done += count
                bar.update(task, completed=done)
        self.stdout.write(f"{done} entries embedded again")


def stale() -> QuerySet[MemoryEntry]:
    """Return the entries whose vector another model made."""
    return MemoryEntry.objects.exclude(embedding_model=model_id()).order_by("id")


def reembed() -> Iterator[int]:
    """Embed stale entries again in batches; yield each batch's size. Can be interrupted."""
    while entries := list(stale().only("id", "text")[:AT_ONCE]):
        vectors = embed([entry.text for entry in entries])
        for entry, vector in zip(entries, vectors, strict=True):
            entry.embedding, entry.embedding_model = vector, model_id()
        MemoryEntry.objects.bulk_update(entries, ["embedding", "embedding_model"])
        yield len(entries)
