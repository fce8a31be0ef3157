"""Documents as a work queue: indexed by workers, given up after the last attempt."""

from datetime import timedelta
from typing import Any

from django.conf import settings

from documents.failures import GIVEN_UP, INTERNAL_ERROR
from documents.models import Document
from lib.workqueue.broker import Route
from lib.workqueue.models import MAX_ERROR
from lib.workqueue.queue import WorkQueue


def _failure(document: Document) -> dict[str, Any]:
    sentence = GIVEN_UP.format(attempts=document.attempts, error=document.last_error)
    return {"error_code": INTERNAL_ERROR, "error": sentence[:MAX_ERROR]}


DOCUMENTS = WorkQueue(
    model=Document,
    task="documents.tasks.index_document",
    route=Route("documents", priority=9),
    lease=lambda: timedelta(seconds=settings.DOCUMENT_LEASE_SECONDS),
    max_attempts=lambda: settings.QUEUE_MAX_ATTEMPTS,
    failure=_failure,
)
