"""Rings for a worker to index documents; a ring that fails is left to the sweeper."""

from collections.abc import Iterable
from uuid import UUID

import structlog
from celery import current_app
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

log = structlog.get_logger(__name__)
INDEX_DOCUMENT = "documents.tasks.index_document"


def ring(document_ids: Iterable[UUID]) -> int:
    """Ring for each document until Redis fails; returns how many rings were sent."""
    rung = 0
    try:
        for document_id in document_ids:
            current_app.send_task(
                INDEX_DOCUMENT, args=[str(document_id)], queue="documents", priority=9
            )
            rung += 1
    except (OperationalError, RedisError, OSError) as error:
        log.warning("doorbell_not_rung", reason=type(error).__name__, rung=rung)
    return rung
