"""Taking files in and out: a file is accepted once its row is committed."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now

from audit.models import Event
from audit.services import append
from documents.models import Chunk, Collection, Document, DocumentFile, DocumentState
from documents.services.queue import DOCUMENTS

_LONGEST_NAME = 300


@dataclass(frozen=True, slots=True)
class Upload:
    """The document that holds a file; `unchanged` when the very same file was there already."""

    document: Document
    unchanged: bool


@transaction.atomic
def upload(
    *, collection: Collection, name: str, data: bytes, by: str, enqueue: bool = True
) -> Upload:
    """Accept a file; one of the same name is replaced once this one is indexed.

    `enqueue` False: the caller indexes it itself; should it fail to, the sweeper enqueues it.
    """
    digest = hashlib.sha256(data).hexdigest()
    same = collection.documents.filter(name=name[:_LONGEST_NAME], sha256=digest)
    there = same.exclude(state=DocumentState.FAILED).order_by("-pk").first()
    if there is not None:
        return Upload(there, unchanged=True)
    document = Document.objects.create(
        collection=collection,
        name=name[:_LONGEST_NAME],
        sha256=digest,
        size_bytes=len(data),
        uploaded_by=by,
    )
    DocumentFile.objects.create(document=document, data=data)
    append(
        Event.DOCUMENT_UPLOADED,
        subject=document,
        by=by,
        application_id=collection.application_id,
        sha256=digest,
    )
    if enqueue:
        DOCUMENTS.enqueue_on_commit([document.pk])
    return Upload(document, unchanged=False)


@transaction.atomic
def delete_documents(*, documents: Sequence[Document], by: str) -> None:
    """Remove documents and all that was indexed of them."""
    for document in documents:
        append(
            Event.DOCUMENT_DELETED,
            subject=document,
            by=by,
            application_id=document.collection.application_id,
            sha256=document.sha256,
        )
        remove(document)


def remove(document: Document) -> None:
    """Delete a document's rows in the caller's transaction, the collection's count with them."""
    chunks = Chunk.objects.filter(document=document).count()
    Collection.objects.filter(pk=document.collection_id).update(
        chunk_count=F("chunk_count") - chunks, changed_at=Now()
    )
    Document.objects.filter(pk=document.pk).delete()


def older_of_same_name(document: Document) -> list[UUID]:
    """The documents that this one replaces."""
    older = Document.objects.filter(
        collection_id=document.collection_id, name=document.name, pk__lt=document.pk
    )
    return list(older.values_list("pk", flat=True))
