"""The embedding models that collections name; inference loads each on first use."""

from collections.abc import Sequence

from django.conf import settings

from inference.embedding import Embedder, Vectors, get_embedder


def embedder(model: str | None = None) -> Embedder:
    """Return an embedding model of this process; None: the one in the settings.

    Raises inference.errors.ModelError if it is broken.
    """
    return get_embedder(
        model or settings.EMBEDDING_MODEL,
        settings.MODEL_DIR,
        threads=settings.EMBEDDING_THREADS,
        build=True,
    )


def embed_query(text: str, model: str | None = None) -> Vectors:
    """Return one text's unit vector, shape (384,)."""
    vector: Vectors = embedder(model).embed([text], role="query")[0]
    return vector


def embed_passages(texts: Sequence[str], model: str | None = None) -> Vectors:
    """Return unit vectors, one row per text."""
    return embedder(model).embed(texts)


def model_id(model: str | None = None) -> str:
    """Return name and quantisation of the model, as stored with each chunk."""
    return embedder(model).model_id
