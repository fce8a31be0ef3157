"""Celery tasks of the documents app; each is safe to run twice."""

from uuid import UUID

from celery import shared_task
from django.conf import settings

from documents.services import collections, indexing, uploads
from documents.services.queue import DOCUMENTS


@shared_task(name="documents.tasks.index_document", time_limit=settings.DOCUMENT_TIME_LIMIT_SECONDS)
def index_document(document_id: str) -> None:
    indexing.index_document(UUID(document_id))


@shared_task(name="documents.tasks.sweep")
def sweep() -> None:
    DOCUMENTS.sweep(limit=200)


@shared_task(name="documents.tasks.count_terms", time_limit=settings.DOCUMENT_TIME_LIMIT_SECONDS)
def count_terms() -> None:
    collections.count_stale_terms()


@shared_task(name="documents.tasks.forget_upload_keys")
def forget_upload_keys() -> None:
    uploads.forget_upload_keys()
