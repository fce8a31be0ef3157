"""The vectors that are stored with a check."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass
from functools import cache

import structlog
from pgvector import HalfVector

from analysis.check_embedder import CheckEmbedder
from analysis.models.search import DIMENSIONS
from inference.errors import ModelError

log = structlog.get_logger(__name__)
_REASON_CHARS = 300


@dataclass(frozen=True, slots=True)
class EmbeddingRow:
    """A row of CheckEmbedding; vectors in PostgreSQL's notation."""

    model: str = ""
    query: str | None = None
    answer: str | None = None
    truncated: bool = False
    reason: str = ""


@contextmanager
def embedding(query: str, answer: str) -> Iterator[Callable[[], EmbeddingRow]]:
    """Embed on a second thread during the block; the yielded function waits for the result.

    The decision does not need it, and the model releases the interpreter lock while it runs.
    """
    yield _thread().submit(copy_context().run, embedding_row, query, answer).result


@cache
def _thread() -> ThreadPoolExecutor:
    """Return the process's embedding thread; created after the fork of a worker's children."""
    return ThreadPoolExecutor(1, thread_name_prefix="embedding")


def embedding_row(query: str, answer: str) -> EmbeddingRow:
    """Embed question and answer; state it if the model is missing or has another width."""
    questions = [query] if query.strip() else []
    model = CheckEmbedder()
    try:
        if model.dimensions != DIMENSIONS:
            return EmbeddingRow(
                reason=f"The model gives {model.dimensions} numbers, not {DIMENSIONS}."
            )
        embeddings = model.embed_reported([answer, *questions])
        name = model.model_id
    except ModelError as error:
        log.warning("check_not_embedded", reason=error.problem)
        return EmbeddingRow(reason=error.problem[:_REASON_CHARS])
    return EmbeddingRow(
        model=name,
        query=HalfVector(embeddings.vectors[1]).to_text() if questions else None,
        answer=HalfVector(embeddings.vectors[0]).to_text(),
        truncated=any(embeddings.truncated),
    )
