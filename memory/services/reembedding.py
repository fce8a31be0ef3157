"""Embed entries again after another model was configured: until then they are not recalled."""

from collections.abc import Iterator

from django.db.models import QuerySet

from memory.embedding import embed, model_id
from memory.models import MemoryEntry

AT_ONCE = 64


def stale() -> QuerySet[MemoryEntry]:
    """The entries whose vector another model made."""
    return MemoryEntry.objects.exclude(embedding_model=model_id()).order_by("id")


def reembed() -> Iterator[int]:
    """Embed them again, some at a time; yields how many. Can be interrupted and repeated."""
    while entries := list(stale().only("id", "text")[:AT_ONCE]):
        vectors = embed([entry.text for entry in entries])
        for entry, vector in zip(entries, vectors, strict=True):
            entry.embedding, entry.embedding_model = vector, model_id()
        MemoryEntry.objects.bulk_update(entries, ["embedding", "embedding_model"])
        yield len(entries)
