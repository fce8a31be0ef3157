"""Writes the rows of chunks and both their vectors, by COPY."""

from collections.abc import Iterable, Sequence
from io import StringIO
from uuid import UUID

from django.db import connection
from pgvector import HalfVector, SparseVector

from documents.lexical import TERM_DIMENSIONS, terms, weights
from documents.retrieval import collection_lexeme, lexeme
from inference.embedding import Vectors

# Many rows into one table by COPY.

Row = tuple[str | int | None, ...]
_ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


def copy_rows(table: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
    """Append rows; texts are read as literals of their columns."""
    lines = StringIO("".join("\t".join(map(_field, row)) + "\n" for row in rows))
    names = ", ".join(f'"{name}"' for name in columns)
    with connection.cursor() as cursor:
        cursor.copy_expert(f"COPY {table} ({names}) FROM STDIN", lines)


def _field(value: str | int | None) -> str:
    if value is None:
        return "\\N"
    return value.translate(_ESCAPES) if isinstance(value, str) else str(value)


_CHUNKS = (
    *("id", "document_id", "collection_id", "ordinal", "total", "page", "last_page"),
    *("start", "end", "head", "text", "injection"),
)
_DENSE = ("chunk_id", "collection_id", "model", "embedding")
_LEXICAL = ("chunk_id", "collection_id", "lexemes", "weights")


def chunk_ids(count: int) -> list[int]:
    """Return ids for new chunks, ascending."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence('documents_chunk', 'id')) "
            "FROM generate_series(1, %s)",
            [count],
        )
        return [chunk_id for (chunk_id,) in cursor.fetchall()]


def dense_row(chunk_id: int, collection_id: UUID, model: str, vector: Vectors) -> Row:
    return chunk_id, str(collection_id), model, HalfVector(vector).to_text()


def lexical_row(chunk_id: int, collection_id: UUID, text: str, average_length: float) -> Row:
    text_terms = terms(text)
    lexemes = " ".join(map(lexeme, {collection_lexeme(collection_id), *text_terms}))
    weighed = SparseVector(weights(text_terms, average_length=average_length), TERM_DIMENSIONS)
    return chunk_id, str(collection_id), lexemes, weighed.to_text()


def write_chunks(chunks: Sequence[Row], dense: Sequence[Row], lexical: Sequence[Row]) -> None:
    """Append chunks (columns as in `_CHUNKS`) and their vectors, in the caller's transaction."""
    copy_rows("documents_chunk", _CHUNKS, chunks)
    copy_rows("documents_densevector", _DENSE, dense)
    copy_rows("documents_lexicalvector", _LEXICAL, lexical)
