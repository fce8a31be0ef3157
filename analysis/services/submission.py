"""Accepting answers: a check is accepted once it is committed, and rung for after that."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

import uuid_utils.compat as uuid
from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from analysis import doorbell
from analysis.models import Batch, Check, IdempotencyKey
from analysis.sql import load
from audit.models import Event, TrailEntry
from audit.services import append_all, entry

_SUBMIT = load("submit_check")
_JSON_MEMBERS = ("collections", "scope", "metadata", "samples")


class IdempotencyConflict(Exception):
    """The key was already used for a different request."""


@dataclass(frozen=True, slots=True)
class NewCheck:
    """One answer as submitted. `sources` None: none were given and none asked for."""

    answer: str
    query: str = ""
    sources: Sequence[str | dict[str, Any]] | None = None
    collections: Sequence[str] = ()
    scope: dict[str, Any] = field(default_factory=dict)
    source_model: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)
    samples: Sequence[str] = ()
    token_logprobs: Any = None

    def sha256(self) -> str:
        """Digest of the whole input, in canonical JSON."""
        text = json.dumps(asdict(self), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Idempotency:
    """A client's key and the digest of the request it came with."""

    key: str
    request_sha256: str


@dataclass(frozen=True, slots=True)
class Accepted:
    """The check or batch that a request made, or that an earlier one had made (`replayed`)."""

    id: UUID
    replayed: bool = False


def submit(
    *, application_id: UUID, new: NewCheck, by: str, idempotency: Idempotency | None = None
) -> Accepted:
    """Accept one answer, in one statement.

    Raises IdempotencyConflict when the key was used for another request.
    """
    earlier = _made_earlier(application_id, idempotency)
    if earlier is not None:
        return _replayed(earlier.check_made_id)
    check_id = uuid.uuid7()
    try:
        with connection.cursor() as cursor:
            cursor.execute(_SUBMIT, _row(check_id, application_id, new, by, idempotency))
    except IntegrityError:
        earlier = _made_earlier(application_id, idempotency)
        if earlier is None:
            raise
        return _replayed(earlier.check_made_id)
    transaction.on_commit(lambda: doorbell.ring([check_id]))
    return Accepted(check_id)


def submit_batch(
    *,
    application_id: UUID,
    items: Sequence[NewCheck | dict[str, Any]],
    by: str,
    idempotency: Idempotency | None = None,
) -> Accepted:
    """Accept a list; an item that is a dict is an error and is kept with its index.

    Raises IdempotencyConflict when the key was used for another request.
    """
    earlier = _made_earlier(application_id, idempotency)
    if earlier is not None:
        return _replayed(earlier.batch_made_id)
    try:
        return Accepted(_create_batch(application_id, items, by=by, idempotency=idempotency))
    except IntegrityError:
        earlier = _made_earlier(application_id, idempotency)
        if earlier is None:
            raise
        return _replayed(earlier.batch_made_id)


def forget_idempotency_keys() -> int:
    """Delete keys past their time; returns how many."""
    oldest = timezone.now() - timedelta(hours=settings.IDEMPOTENCY_KEEP_HOURS)
    return IdempotencyKey.objects.filter(created_at__lt=oldest).delete()[0]


def _row(
    check_id: UUID, application_id: UUID, new: NewCheck, by: str, idempotency: Idempotency | None
) -> dict[str, Any]:
    return {
        "id": check_id,
        "application_id": application_id,
        "by": by,
        "query": new.query,
        "answer": new.answer,
        "source_model": new.source_model,
        "input_sha256": new.sha256(),
        "sources": _json_or_null(new.sources),
        "token_logprobs": _json_or_null(new.token_logprobs),
        **{name: json.dumps(getattr(new, name)) for name in _JSON_MEMBERS},
        "key": idempotency and idempotency.key,
        "request_sha256": idempotency and idempotency.request_sha256,
    }


def _json_or_null(value: Any) -> str | None:
    return None if value is None else json.dumps(value)


@transaction.atomic
def _create_batch(
    application_id: UUID,
    items: Sequence[NewCheck | dict[str, Any]],
    *,
    by: str,
    idempotency: Idempotency | None,
) -> UUID:
    errors = [{"index": n, **item} for n, item in enumerate(items) if isinstance(item, dict)]
    batch = Batch.objects.create(
        application_id=application_id, items_total=len(items), errors=errors
    )
    checks = [
        _check(batch, n, item, by=by) for n, item in enumerate(items) if isinstance(item, NewCheck)
    ]
    Check.objects.bulk_create(checks)
    append_all([_submitted(check, by=by) for check in checks])
    if idempotency is not None:
        IdempotencyKey.objects.create(
            application_id=application_id,
            key=idempotency.key,
            request_sha256=idempotency.request_sha256,
            batch_made=batch,
        )
    ids = [check.id for check in checks]
    transaction.on_commit(lambda: doorbell.ring(ids, queue=doorbell.Queue.BATCHES))
    return batch.id


def _check(batch: Batch, index: int, new: NewCheck, *, by: str) -> Check:
    return Check(
        application_id=batch.application_id,
        batch=batch,
        batch_index=index,
        submitted_by=by,
        query=new.query,
        answer=new.answer,
        sources=None if new.sources is None else list(new.sources),
        collections=list(new.collections),
        scope=new.scope,
        source_model=new.source_model,
        metadata=new.metadata,
        samples=list(new.samples),
        token_logprobs=new.token_logprobs,
        input_sha256=new.sha256(),
    )


def _submitted(check: Check, *, by: str) -> TrailEntry:
    return entry(
        Event.CHECK_SUBMITTED,
        subject=check,
        by=by,
        application_id=check.application_id,
        input_sha256=check.input_sha256,
    )


def _made_earlier(application_id: UUID, idempotency: Idempotency | None) -> IdempotencyKey | None:
    if idempotency is None:
        return None
    found = IdempotencyKey.objects.filter(
        application_id=application_id, key=idempotency.key
    ).first()
    if found is not None and found.request_sha256 != idempotency.request_sha256:
        raise IdempotencyConflict
    return found


def _replayed(made: UUID | None) -> Accepted:
    """What the key made. The digest of a request holds its path, so the kind always fits."""
    if made is None:
        raise IdempotencyConflict
    return Accepted(made, replayed=True)
