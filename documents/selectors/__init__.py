"""Reads of the documents app, always within one application."""

from collections.abc import Collection as Many
from collections.abc import Mapping
from uuid import UUID

from django.db.models import QuerySet, Sum

from documents.models import Collection, Document


def collections_of(application_id: UUID) -> QuerySet[Collection]:
    """Return an application's collections by name."""
    return Collection.objects.filter(application_id=application_id).order_by("name")


def collection_of(application_id: UUID, name: str) -> Collection:
    """Return one collection. Raises Collection.DoesNotExist, also for another application's."""
    return Collection.objects.get(application_id=application_id, name=name)


def named_collections(application_id: UUID, names: list[str]) -> tuple[list[Collection], list[str]]:
    """Return the collections of these names, and the names without a collection."""
    collections = list(collections_of(application_id).filter(name__in=names))
    missing = sorted(set(names) - {collection.name for collection in collections})
    return collections, missing


def documents_of(application_id: UUID, collection: str | None = None) -> QuerySet[Document]:
    """Return documents without their text, for lists."""
    documents = Document.objects.filter(collection__application_id=application_id)
    if collection is not None:
        documents = documents.filter(collection__name=collection)
    return documents.select_related("collection").defer("text", "hidden_text")


def document_of(application_id: UUID, document_id: UUID) -> Document:
    """Return one document. Raises Document.DoesNotExist, also for another application's."""
    return documents_of(application_id).get(pk=document_id)


def stored_bytes(application_ids: Many[UUID]) -> Mapping[UUID, int]:
    """Return the bytes of uploaded files by application, without applications that have none."""
    rows = Document.objects.filter(collection__application__in=application_ids)
    sums = rows.values_list("collection__application").annotate(total=Sum("size_bytes"))
    return dict(sums.order_by())
