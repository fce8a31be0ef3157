"""Turns an accepted file into searchable chunks: claimed, read, chunked, scanned, embedded."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from uuid import UUID

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now

from documents.chunking import ChunkSpan, chunk, table_head
from documents.embedding import embed_passages, model_id
from documents.evidence import below_head
from documents.injection import RULES, InjectionScan, scan
from documents.models import Collection, Document, DocumentState
from documents.parsing.isolation import parse_isolated
from documents.parsing.types import ParsedDocument, UnreadableDocument, UnreadableReason, refusal
from documents.services import writing
from documents.services.queue import DOCUMENTS
from documents.services.uploads import older_of_same_name, remove
from inference.embedding import Vectors
from lib.sandbox import Tier, available
from lib.workqueue.models import MAX_ERROR
from lib.workqueue.queue import LeaseLost

log = structlog.get_logger(__name__)
_BATCH = 500


def read_file(data: bytes, *, filename: str) -> ParsedDocument:
    """Return the visible text of an uploaded file; raises only UnreadableDocument.

    Without a sandbox files are refused, unless the operator allows them.
    """
    availability = available([Tier(name) for name in settings.SANDBOX_TIERS])
    if availability.tier is None and not settings.DOCUMENTS_WITHOUT_SANDBOX:
        log.error("no_sandbox", reason=availability.reason)
        raise refusal(UnreadableReason.NO_SANDBOX)
    return parse_isolated(data, filename=filename, tier=availability.tier)


class ModelChanged(Exception):
    """Raised if the collection's embedding model changed meanwhile; the document is retried."""


@dataclass(frozen=True, slots=True)
class NewChunk:
    span: ChunkSpan
    head: str
    text: str
    scan: InjectionScan
    embedding: Vectors


def index_document(document_id: UUID) -> bool:
    """Index one document; return False if there was nothing to do or it failed. Repeatable."""
    document = DOCUMENTS.claim(document_id)
    if document is None:
        return False
    try:
        file = read_file(bytes(document.file.data), filename=document.name)
        model = document.collection.embedding_model
        _write(document, file, _passages(file, model), model)
    except UnreadableDocument as refusal:
        code, sentence = str(refusal.reason_code), refusal.sentence[:MAX_ERROR]
        DOCUMENTS.finish(document, DocumentState.FAILED, error_code=code, error=sentence)
        return False
    except LeaseLost:
        log.warning("lease_lost", document_id=str(document_id))
        return False
    except Exception as error:
        log.error("indexing_failed", document_id=str(document_id), exc_info=error)
        DOCUMENTS.retry(document, error=type(error).__name__)
        return False
    return True


def _passages(parsed_document: ParsedDocument, model: str) -> list[NewChunk]:
    spans = chunk(
        parsed_document.text,
        parsed_document.pages,
        size=settings.CHUNK_SIZE,
        overlap=settings.CHUNK_OVERLAP,
    )
    heads = [_head(parsed_document.text, span.start) for span in spans]
    texts = [parsed_document.text[span.start : span.end] for span in spans]
    vectors = embed_passages(list(map(below_head, heads, texts)), model)
    return [
        NewChunk(span, head, text, scan(text), vector)
        for span, head, text, vector in zip(spans, heads, texts, vectors, strict=True)
    ]


def _head(text: str, start: int) -> str:
    """Return the head of a table that goes on at `start`, unless it reads like an instruction."""
    head = table_head(text, start)
    return "" if head and scan(head).flagged else head


@transaction.atomic
def index_texts(collection: Collection, texts: Mapping[str, str]) -> None:
    """Index named texts whole, one chunk each, without upload and parsing: for measurements."""
    vectors = embed_passages(list(texts.values()), collection.embedding_model)
    documents = [
        Document(
            collection=collection,
            name=name,
            sha256="",
            size_bytes=len(text),
            uploaded_by="index_texts",
            state=DocumentState.INDEXED,
            due_at=None,
            indexed_at=Now(),
            chunk_count=1,
            injection_rules=RULES,
        )
        for name, text in texts.items()
    ]
    Document.objects.bulk_create(documents)
    pairs = [
        (document, NewChunk(ChunkSpan(0, 1, 0, len(text)), "", text, scan(text), vector))
        for document, text, vector in zip(documents, texts.values(), vectors, strict=True)
    ]
    _write_chunks(collection, pairs, collection.embedding_model)


@transaction.atomic
def _write(
    document: Document, parsed_document: ParsedDocument, passages: Sequence[NewChunk], model: str
) -> None:
    for older in Document.objects.filter(pk__in=older_of_same_name(document)):
        remove(older)
    _mark_indexed(document, parsed_document, passages)
    collection = Collection.objects.get(pk=document.collection_id)
    for at in range(0, len(passages), _BATCH):
        some = [(document, passage) for passage in passages[at : at + _BATCH]]
        _write_chunks(collection, some, model)


def _write_chunks(
    collection: Collection, pairs: Sequence[tuple[Document, NewChunk]], model: str
) -> None:
    """Write chunks with both their vectors, made by `model`, and count them in the collection."""
    made_by, average = model_id(model), collection.average_length
    chunks, dense, lexical = [], [], []
    for at, (document, passage) in zip(writing.chunk_ids(len(pairs)), pairs, strict=True):
        span, payload = passage.span, passage.scan.payload()
        chunks.append(
            (
                *(at, str(document.pk), str(document.collection_id), span.ordinal, span.total),
                *(span.page, span.last_page, span.start, span.end, passage.head, passage.text),
                None if payload is None else json.dumps(payload),
            )
        )
        dense.append(writing.dense_row(at, collection.pk, made_by, passage.embedding))
        lexical.append(
            writing.lexical_row(at, collection.pk, below_head(passage.head, passage.text), average)
        )
    writing.write_chunks(chunks, dense, lexical)
    # This waits for a move to another model that is being finished, and then sees it.
    updated = Collection.objects.filter(pk=collection.pk, embedding_model=model).update(
        chunk_count=F("chunk_count") + len(pairs), changed_at=Now()
    )
    if not updated:
        raise ModelChanged(model)


def _mark_indexed(
    document: Document, parsed_document: ParsedDocument, passages: Sequence[NewChunk]
) -> None:
    hidden = [item for item in parsed_document.hidden_text if item.suspicious]
    DOCUMENTS.finish(
        document,
        DocumentState.INDEXED,
        indexed_at=Now(),
        file_type=str(parsed_document.file_type),
        title=parsed_document.title[:300],
        text=parsed_document.text,
        pages=len(parsed_document.pages) or None,
        chunk_count=len(passages),
        warnings=list(parsed_document.warnings),
        hidden_text=[asdict(item) for item in hidden],
        hidden_passages=len(hidden),
        injection_rules=RULES,
        flagged_chunks=sum(passage.scan.flagged for passage in passages),
        error_code="",
        error="",
    )
