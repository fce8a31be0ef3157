"""Moves a collection to another embedding model while it is searched (decision 0003).

The new embeddings are collected beside the old ones in batches, and can be interrupted and resumed.
Then one transaction replaces the old ones.
"""

from collections.abc import Callable
from typing import Any

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, QuerySet
from pgvector import HalfVector

from audit.models import Event
from audit.services import append
from documents.embedding import embed_passages, embedder
from documents.evidence import below_head
from documents.models import DIMENSIONS, Chunk, Collection, DenseVector, NextVector
from documents.sql import load

_WRITE = load("write_next_vectors")
_SWITCH = load("switch_vectors")
_BATCH = 256


class WrongLengthError(Exception):
    """Raised if the model's vectors do not fit the index."""


def outstanding(collection: Collection, model: str) -> QuerySet[Chunk]:
    """Return the chunks without an embedding by this model, in the order of their ids."""
    made_by = model_id(model)
    here = DenseVector.objects.filter(chunk=OuterRef("pk"), model=made_by)
    beside = NextVector.objects.filter(chunk=OuterRef("pk"), model=made_by)
    chunks = Chunk.objects.filter(collection=collection)
    return chunks.filter(~Exists(here), ~Exists(beside)).order_by("pk")


def model_id(model: str) -> str:
    """Return the model id stored with chunks that this model embedded.

    Raises WrongLengthError, or inference.errors.ModelError if there is no such model.
    """
    encoder = embedder(model)
    if encoder.dimensions != DIMENSIONS:
        raise WrongLengthError(
            f"{model} makes vectors of {encoder.dimensions} numbers; the index holds {DIMENSIONS}."
        )
    return encoder.model_id


def embed_outstanding(collection: Collection, model: str, advance: Callable[[int], None]) -> None:
    """Embed every outstanding chunk; `advance` is called with the size of each batch."""
    after, made_by = 0, model_id(model)
    chunks = outstanding(collection, model)
    while batch := list(chunks.filter(pk__gt=after).values_list("pk", "head", "text")[:_BATCH]):
        ids = [pk for pk, _, _ in batch]
        vectors = embed_passages([below_head(head, text) for _, head, text in batch], model)
        embeddings = [HalfVector(vector).to_text() for vector in vectors]
        with connection.cursor() as cursor:
            parameters: dict[str, Any] = {"model": made_by, "ids": ids, "embeddings": embeddings}
            cursor.execute(_WRITE, parameters)
        after = ids[-1]
        advance(len(batch))


@transaction.atomic
def switch(*, collection: Collection, model: str, by: str) -> int:
    """Switch the collection's searches to the new model; return how many embeddings changed.

    Searches use the old embeddings until this commits. Documents indexed meanwhile wait, and are
    retried with the new model.
    """
    locked = Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    # Chunks that were indexed since the others were embedded.
    embed_outstanding(locked, model, lambda _count: None)
    with connection.cursor() as cursor:
        cursor.execute(_SWITCH, {"collection": str(locked.pk), "model": model_id(model)})
        switched: int = cursor.rowcount
    NextVector.objects.filter(collection=locked).delete()
    Collection.objects.filter(pk=locked.pk).update(embedding_model=model)
    append(
        Event.COLLECTION_REEMBEDDED,
        subject=locked,
        by=by,
        name=locked.name,
        model=model_id(model),
        chunks=switched,
    )
    return switched
