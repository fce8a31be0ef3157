"""The embedding model that facts and questions are compared by."""

from collections.abc import Sequence

from django.conf import settings

from inference.embedding import Embedder, Vectors, get_embedder


def _embedder() -> Embedder:
    return get_embedder(
        settings.EMBEDDING_MODEL, settings.MODEL_DIR, threads=settings.EMBEDDING_THREADS, build=True
    )


def embed(texts: Sequence[str]) -> Vectors:
    """Unit vectors, shape (texts, 384). Raises inference.errors.ModelError where it is broken."""
    return _embedder().embed(texts)


def model_id() -> str:
    """Name and quantisation of the model: vectors compare only under the same one."""
    return _embedder().model_id
