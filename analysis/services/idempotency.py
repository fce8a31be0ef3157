"""Idempotency keys: a repeated request creates nothing again."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError
from django.utils import timezone

from analysis.models import IdempotencyKey


class IdempotencyConflict(Exception):
    """Raised if the key was already used for a different request."""


@dataclass(frozen=True, slots=True)
class Idempotency:
    """A client's key and the digest of its request."""

    key: str
    request_sha256: str


@dataclass(frozen=True, slots=True)
class Accepted:
    """The id that a request created, or that an earlier one had created (`replayed`)."""

    id: UUID
    replayed: bool = False


def once(
    application_id: UUID, idempotency: Idempotency | None, column: str, make: Callable[[], UUID]
) -> Accepted:
    """Run `make`, or return the id that the same request stored in `column` earlier.

    `make` also stores the key, in one transaction with what it creates, so that the second of two
    simultaneous requests creates nothing. Raises IdempotencyConflict if the key was used for
    another request.
    """
    earlier = _find_key(application_id, idempotency)
    if earlier is None:
        try:
            return Accepted(make())
        except IntegrityError:
            earlier = _find_key(application_id, idempotency)
            if earlier is None:
                raise
    made_id: UUID | None = getattr(earlier, column)
    if made_id is None:
        # The digest of a request holds its path, so the kind always fits.
        raise IdempotencyConflict
    return Accepted(made_id, replayed=True)


def keep_key(application_id: UUID, idempotency: Idempotency | None, **made_ids: UUID) -> None:
    """Store what a key created, if there is a key. Raises IntegrityError if it is taken."""
    if idempotency is not None:
        IdempotencyKey.objects.create(
            application_id=application_id,
            key=idempotency.key,
            request_sha256=idempotency.request_sha256,
            **made_ids,
        )


def was_used(application_id: UUID, idempotency: Idempotency) -> bool:
    """Return whether a request with this key was accepted before."""
    return IdempotencyKey.objects.filter(
        application_id=application_id, key=idempotency.key
    ).exists()


def forget_idempotency_keys() -> int:
    """Delete expired keys; return how many."""
    oldest = timezone.now() - timedelta(hours=settings.IDEMPOTENCY_KEEP_HOURS)
    return IdempotencyKey.objects.filter(created_at__lt=oldest).delete()[0]


def _find_key(application_id: UUID, idempotency: Idempotency | None) -> IdempotencyKey | None:
    if idempotency is None:
        return None
    idempotency_key = IdempotencyKey.objects.filter(
        application_id=application_id, key=idempotency.key
    ).first()
    if idempotency_key is not None and idempotency_key.request_sha256 != idempotency.request_sha256:
        raise IdempotencyConflict
    return idempotency_key
