"""The embedding model that compares facts and questions."""

from collections.abc import Sequence

from django.conf import settings

from inference.embedding import Embedder, Vectors, get_embedder


def _embedder() -> Embedder:
    return get_embedder(
        settings.EMBEDDING_MODEL, settings.MODEL_DIR, threads=settings.EMBEDDING_THREADS, build=True
    )


def embed(texts: Sequence[str]) -> Vectors:
    """Return unit vectors, shape (texts, 384). Raises inference.errors.ModelError if broken."""
    return _embedder().embed(texts)


def model_id() -> str:
    """Return the model's name and quantisation; only vectors of the same model compare."""
    return _embedder().model_id
