"""From an accepted file to chunks that can be found: claimed, read, cut, scanned, embedded."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

import structlog
from django.conf import settings
from django.db import connection, transaction
from django.db.models import F
from django.db.models.functions import Now

from documents import doorbell
from documents.chunking import ChunkSpan, chunk
from documents.embedding import embed_passages, model_id
from documents.injection import RULES, InjectionScan, scan
from documents.lexical import terms, weights
from documents.models import (
    Chunk,
    Collection,
    Document,
    DocumentState,
    LexicalVector,
)
from documents.parsing.isolation import parse_isolated
from documents.parsing.types import ParsedDocument, UnreadableDocument
from documents.retrieval import collection_lexeme, lexeme, sparse
from documents.services.uploads import older_of_same_name, remove
from documents.sql import load
from inference.embedding import Vectors

log = structlog.get_logger(__name__)
_CLAIM = load("claim_document")
_RING_AGAIN = load("ring_documents_again")
_BATCH = 500


class LeaseLost(Exception):
    """Another worker has taken the document over; what this one found is dropped."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk ready to be written."""

    span: ChunkSpan
    text: str
    scan: InjectionScan
    embedding: Vectors


def index_document(document_id: UUID) -> bool:
    """Index one document; False when there was nothing to do or it failed. Safe to repeat."""
    document = _claim(document_id)
    if document is None:
        return False
    try:
        parsed = parse_isolated(bytes(document.file.data), filename=document.name)
        _write(document, parsed, _passages(parsed))
    except UnreadableDocument as refusal:
        _fail(document, str(refusal.reason_code), refusal.sentence)
        return False
    except LeaseLost:
        log.warning("lease_lost", document_id=str(document_id))
        return False
    except Exception as error:
        log.error("indexing_failed", document_id=str(document_id), exc_info=error)
        _try_again(document, type(error).__name__)
        return False
    return True


def sweep(*, limit: int = 200) -> int:
    """Ring again for whatever is overdue; returns how many."""
    parameters = {"again": settings.CHECK_RING_AGAIN_SECONDS, "limit": limit}
    return doorbell.ring([found.pk for found in Document.objects.raw(_RING_AGAIN, parameters)])


def _claim(document_id: UUID) -> Document | None:
    parameters = {"id": document_id, "lease": settings.DOCUMENT_LEASE_SECONDS}
    return next(iter(Document.objects.raw(_CLAIM, parameters)), None)


def _passages(parsed: ParsedDocument) -> list[Passage]:
    spans = chunk(
        parsed.text, parsed.pages, size=settings.CHUNK_SIZE, overlap=settings.CHUNK_OVERLAP
    )
    texts = [parsed.text[span.start : span.end] for span in spans]
    vectors = embed_passages(texts)
    return [
        Passage(span, text, scan(text), vector)
        for span, text, vector in zip(spans, texts, vectors, strict=True)
    ]


@transaction.atomic
def index_texts(collection: Collection, texts: Mapping[str, str]) -> None:
    """Index named texts whole, one chunk each, past upload and parsing: for measurements."""
    vectors = embed_passages(list(texts.values()))
    documents = [
        Document(
            collection=collection,
            name=name,
            sha256="",
            size_bytes=len(text),
            uploaded_by="index_texts",
            state=DocumentState.INDEXED,
            ring_at=None,
            indexed_at=Now(),
            chunk_count=1,
            injection_rules=RULES,
        )
        for name, text in texts.items()
    ]
    Document.objects.bulk_create(documents)
    pairs = [
        (document, Passage(ChunkSpan(0, 1, 0, len(text)), text, scan(text), vector))
        for document, text, vector in zip(documents, texts.values(), vectors, strict=True)
    ]
    _write_chunks(collection, pairs)


@transaction.atomic
def _write(document: Document, parsed: ParsedDocument, passages: Sequence[Passage]) -> None:
    for older in Document.objects.filter(pk__in=older_of_same_name(document)):
        remove(older)
    _mark_indexed(document, parsed, passages)
    collection = Collection.objects.get(pk=document.collection_id)
    for at in range(0, len(passages), _BATCH):
        _write_chunks(collection, [(document, found) for found in passages[at : at + _BATCH]])


def _write_chunks(collection: Collection, pairs: Sequence[tuple[Document, Passage]]) -> None:
    """Chunks with both their vectors; the collection counts them."""
    chunks = [_chunk(document, passage) for document, passage in pairs]
    Chunk.objects.bulk_create(chunks)
    written = [(chunk, found) for chunk, (_, found) in zip(chunks, pairs, strict=True)]
    _write_dense(collection, written)
    _write_lexical(collection, written)
    Collection.objects.filter(pk=collection.pk).update(
        chunk_count=F("chunk_count") + len(pairs), changed_at=Now()
    )


def _mark_indexed(document: Document, parsed: ParsedDocument, passages: Sequence[Passage]) -> None:
    mine = Document.objects.filter(
        pk=document.pk, epoch=document.epoch, state=DocumentState.RUNNING
    )
    hidden = [one for one in parsed.hidden_text if one.suspicious]
    changed = mine.update(
        state=DocumentState.INDEXED,
        lease_until=None,
        indexed_at=Now(),
        file_type=str(parsed.file_type),
        title=parsed.title[:300],
        text=parsed.text,
        pages=len(parsed.pages) or None,
        chunk_count=len(passages),
        warnings=list(parsed.warnings),
        hidden_text=[asdict(one) for one in hidden],
        hidden_passages=len(hidden),
        injection_rules=RULES,
        flagged_chunks=sum(passage.scan.flagged for passage in passages),
        error_code="",
        error="",
    )
    if not changed:
        raise LeaseLost


def _chunk(document: Document, passage: Passage) -> Chunk:
    span = passage.span
    return Chunk(
        document=document,
        collection_id=document.collection_id,
        ordinal=span.ordinal,
        total=span.total,
        page=span.page,
        last_page=span.last_page,
        start=span.start,
        end=span.end,
        text=passage.text,
        injection=passage.scan.payload(),
    )


def _write_dense(collection: Collection, pairs: Sequence[tuple[Chunk, Passage]]) -> None:
    model = model_id()
    rows = [
        (chunk.pk, collection.pk, model, _halfvec(passage.embedding)) for chunk, passage in pairs
    ]
    _insert("documents_densevector", ("chunk_id", "collection_id", "model", "embedding"), rows)


def _write_lexical(collection: Collection, pairs: Sequence[tuple[Chunk, Passage]]) -> None:
    scope = collection_lexeme(collection.pk)
    rows = []
    for written, passage in pairs:
        found = terms(passage.text)
        lexemes = " ".join(lexeme(word) for word in {scope, *found})
        rows.append(
            (written.pk, lexemes, sparse(weights(found, average_length=collection.average_length)))
        )
    _insert(LexicalVector._meta.db_table, ("chunk_id", "lexemes", "weights"), rows)


def _insert(table: str, columns: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> None:
    """Many rows in one statement; literals are cast by the columns they go into."""
    one = "(" + ", ".join(["%s"] * len(columns)) + ")"
    statement = f"INSERT INTO {table} ({', '.join(columns)}) VALUES " + ", ".join([one] * len(rows))  # noqa: S608  names of ours
    with connection.cursor() as cursor:
        cursor.execute(statement, [value for row in rows for value in row])


def _halfvec(embedding: Vectors) -> str:
    return "[" + ",".join(f"{value:.5g}" for value in embedding.tolist()) + "]"


def _fail(document: Document, code: str, sentence: str) -> None:
    mine = Document.objects.filter(
        pk=document.pk, epoch=document.epoch, state=DocumentState.RUNNING
    )
    mine.update(state=DocumentState.FAILED, lease_until=None, error_code=code, error=sentence[:500])


def _try_again(document: Document, error: str) -> None:
    if document.attempts >= settings.CHECK_MAX_ATTEMPTS:
        _fail(document, "internal_error", f"It could not be indexed ({error}). Upload it again.")
        return
    delay = timedelta(seconds=settings.CHECK_SWEEP_SECONDS * 2**document.attempts)
    mine = Document.objects.filter(
        pk=document.pk, epoch=document.epoch, state=DocumentState.RUNNING
    )
    mine.update(state=DocumentState.QUEUED, lease_until=None, ring_at=Now() + delay)
