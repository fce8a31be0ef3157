"""Accepting answers: a check is accepted once it is committed, and rung for after that."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from typing import Any, TypeVar
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from analysis import doorbell
from analysis.models import Batch, Check, IdempotencyKey
from audit.models import Event, TrailEntry
from audit.services import append_all, entry

Made = TypeVar("Made", Check, Batch)


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


def submit(
    *,
    application_id: UUID,
    new: NewCheck,
    by: str,
    idempotency: Idempotency | None = None,
) -> tuple[Check, bool]:
    """Accept one answer; returns the check and whether an earlier request had made it.

    Raises IdempotencyConflict when the key was used for another request.
    """
    earlier = _made_earlier(application_id, idempotency)
    if earlier is not None:
        return _require(earlier.check_made), True
    try:
        with transaction.atomic():
            check = _create(_check(application_id, new, by=by), by=by)
            _remember(application_id, idempotency, check_made=check)
            transaction.on_commit(lambda: doorbell.ring([check.id]))
    except IntegrityError:
        earlier = _made_earlier(application_id, idempotency)
        if earlier is None:
            raise
        return _require(earlier.check_made), True
    return check, False


def submit_batch(
    *,
    application_id: UUID,
    items: Sequence[NewCheck | dict[str, Any]],
    by: str,
    idempotency: Idempotency | None = None,
) -> tuple[Batch, bool]:
    """Accept a list; an item that is a dict is an error and is kept with its index.

    Raises IdempotencyConflict when the key was used for another request.
    """
    earlier = _made_earlier(application_id, idempotency)
    if earlier is not None:
        return _require(earlier.batch_made), True
    try:
        with transaction.atomic():
            batch = _create_batch(application_id, items, by=by)
            _remember(application_id, idempotency, batch_made=batch)
    except IntegrityError:
        earlier = _made_earlier(application_id, idempotency)
        if earlier is None:
            raise
        return _require(earlier.batch_made), True
    return batch, False


def _create_batch(
    application_id: UUID, items: Sequence[NewCheck | dict[str, Any]], *, by: str
) -> Batch:
    errors = [{"index": n, **item} for n, item in enumerate(items) if isinstance(item, dict)]
    batch = Batch.objects.create(
        application_id=application_id, items_total=len(items), errors=errors
    )
    checks = [
        _check(application_id, item, by=by, batch=batch, batch_index=n)
        for n, item in enumerate(items)
        if isinstance(item, NewCheck)
    ]
    Check.objects.bulk_create(checks)
    append_all([_submitted(check, by=by) for check in checks])
    ids = [check.id for check in checks]
    transaction.on_commit(lambda: doorbell.ring(ids, queue="batches"))
    return batch


def forget_idempotency_keys() -> int:
    """Delete keys past their time; returns how many."""
    oldest = timezone.now() - timedelta(hours=settings.IDEMPOTENCY_KEEP_HOURS)
    return IdempotencyKey.objects.filter(created_at__lt=oldest).delete()[0]


def _check(
    application_id: UUID,
    new: NewCheck,
    *,
    by: str,
    batch: Batch | None = None,
    batch_index: int | None = None,
) -> Check:
    return Check(
        application_id=application_id,
        batch=batch,
        batch_index=batch_index,
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


def _create(check: Check, *, by: str) -> Check:
    check.save(force_insert=True)
    append_all([_submitted(check, by=by)])
    return check


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
    found = (
        IdempotencyKey.objects.filter(application_id=application_id, key=idempotency.key)
        .select_related("check_made", "batch_made")
        .first()
    )
    if found is not None and found.request_sha256 != idempotency.request_sha256:
        raise IdempotencyConflict
    return found


def _require(made: Made | None) -> Made:
    """What the key made. The digest of a request holds its path, so the kind always fits."""
    if made is None:
        raise IdempotencyConflict
    return made


def _remember(
    application_id: UUID,
    idempotency: Idempotency | None,
    *,
    check_made: Check | None = None,
    batch_made: Batch | None = None,
) -> None:
    if idempotency is not None:
        IdempotencyKey.objects.create(
            application_id=application_id,
            key=idempotency.key,
            request_sha256=idempotency.request_sha256,
            check_made=check_made,
            batch_made=batch_made,
        )
