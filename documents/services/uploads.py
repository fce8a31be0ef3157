"""Stores and deletes files: a file is accepted once its row is committed."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

import uuid_utils.compat as uuid
from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, Sum
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import Application
from audit.models import Event
from audit.services import append
from documents.models import Chunk, Collection, Document, DocumentFile, DocumentState, UploadKey
from documents.services.queue import DOCUMENTS

_LONGEST_NAME = 300
_MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class Upload:
    """The document of a file; `unchanged` if the same file was already there.

    `replayed`: the same request with the same key had uploaded it.
    """

    document: Document
    unchanged: bool
    replayed: bool = False


class KeyReused(Exception):
    """Raised if the idempotency key was used for a different upload."""


class UploadGone(Exception):
    """Raised if the key's upload has been deleted, or replaced by a newer file."""


class StorageFull(Exception):
    """Raised if the application's quota of files would be exceeded."""


def require_space(application: Application, size: int) -> None:
    """Raise StorageFull if the application's quota has no room for `size` more bytes."""
    most = application.file_megabytes
    if most is None:
        return
    rows = Document.objects.filter(collection__application=application)
    used_bytes = rows.aggregate(total=Sum("size_bytes"))["total"] or 0
    if used_bytes + size > most * _MEGABYTE:
        raise StorageFull(
            gettext(
                "The quota file_megabytes of this application is %(most)s, and %(used)s are used. "
                "Delete documents to make room."
            )
            % {"most": most, "used": f"{used_bytes / _MEGABYTE:.1f}"}
        )


@transaction.atomic
def upload(
    *,
    collection: Collection,
    name: str,
    data: bytes,
    by: str,
    metadata: Mapping[str, Any] | None = None,
    enqueue: bool = True,
    key: str | None = None,
) -> Upload:
    """Accept a file; one of the same name is replaced once this one is indexed.

    `metadata` (`documents.metadata`): a file that is already there with other metadata is accepted
    again; None leaves those that it has. `enqueue` False: the caller indexes it; if it fails to,
    the sweeper enqueues it. `key`: the client's idempotency key. Raises KeyReused, UploadGone and
    StorageFull.
    """
    name, digest = name[:_LONGEST_NAME], hashlib.sha256(data).hexdigest()
    request = f"{collection.pk} {digest} {name}"
    # Equal simultaneous uploads find the first one's document.
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [request])
    same = collection.documents.filter(name=name, sha256=digest)
    if metadata is not None:
        same = same.filter(metadata=metadata)
        request += json.dumps(metadata, sort_keys=True)
    there = same.exclude(state=DocumentState.FAILED).order_by("-pk").first()
    document_id = uuid.uuid7() if there is None else there.pk
    if key is not None:
        earlier = _document_of_key(collection, key, request, document_id)
        if earlier is not None:
            return Upload(earlier, unchanged=True, replayed=True)
    if there is not None:
        return Upload(there, unchanged=True)
    require_space(collection.application, len(data))
    document = Document.objects.create(
        id=document_id, collection=collection, name=name, sha256=digest, size_bytes=len(data),
        uploaded_by=by, metadata=metadata or {},
    )  # fmt: skip
    DocumentFile.objects.create(document=document, data=data)
    append(Event.DOCUMENT_UPLOADED, subject=document, by=by, sha256=digest)
    if enqueue:
        DOCUMENTS.enqueue_on_commit([document.pk])
    return Upload(document, unchanged=False)


def _document_of_key(
    collection: Collection, key: str, request: str, document_id: UUID
) -> Document | None:
    """Return the document of the same request, or None and store the key if it is new.

    The second of two simultaneous requests waits here until the first has committed.
    """
    digest = hashlib.sha256(request.encode(errors="surrogatepass")).hexdigest()
    upload_key, is_new = UploadKey.objects.get_or_create(
        application_id=collection.application_id,
        key=key,
        defaults={"request_sha256": digest, "made_id": document_id},
    )
    if is_new:
        return None
    if upload_key.request_sha256 != digest:
        raise KeyReused
    document = Document.objects.filter(pk=upload_key.made_id).first()
    if document is None:
        raise UploadGone
    return document


def forget_upload_keys() -> int:
    """Delete expired keys; return how many."""
    oldest = timezone.now() - timedelta(hours=settings.IDEMPOTENCY_KEEP_HOURS)
    return UploadKey.objects.filter(created_at__lt=oldest).delete()[0]


@transaction.atomic
def delete_documents(*, documents: Sequence[Document], by: str, reason: str = "") -> None:
    """Remove documents with their index entries; the trail notes the reason, if given."""
    for document in documents:
        append(
            Event.DOCUMENT_DELETED,
            subject=document,
            by=by,
            sha256=document.sha256,
            **({"reason": reason} if reason else {}),
        )
        remove(document)


def remove(document: Document) -> None:
    """Delete a document's rows and update the collection's count, in the caller's transaction."""
    chunks = Chunk.objects.filter(document=document).count()
    Collection.objects.filter(pk=document.collection_id).update(
        chunk_count=F("chunk_count") - chunks, changed_at=Now()
    )
    Document.objects.filter(pk=document.pk).delete()


def older_of_same_name(document: Document) -> list[UUID]:
    """Return the documents that this one replaces."""
    older = Document.objects.filter(
        collection_id=document.collection_id, name=document.name, pk__lt=document.pk
    )
    return list(older.values_list("pk", flat=True))
