"""The embedding model that the settings name; inference opens it on first use."""

from collections.abc import Sequence

from django.conf import settings

from inference.embedding import Embedder, Vectors, get_embedder


def embedder() -> Embedder:
    """The model of this process. Raises inference.errors.ModelError where it is broken."""
    return get_embedder(
        settings.EMBEDDING_MODEL,
        settings.MODEL_DIR,
        threads=settings.EMBEDDING_THREADS,
        build=True,
    )


def embed_query(text: str) -> Vectors:
    """One text's unit vector, shape (384,)."""
    vector: Vectors = embedder().embed([text], role="query")[0]
    return vector


def embed_passages(texts: Sequence[str]) -> Vectors:
    """Unit vectors, one row a text."""
    return embedder().embed(texts)


def model_id() -> str:
    """Name and quantisation of the model, as stored with each chunk."""
    return embedder().model_id
