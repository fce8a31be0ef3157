"""Accepts answers: a check is accepted once committed, and enqueued afterwards."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from typing import Any
from uuid import UUID

import uuid_utils.compat as uuid
from django.db import connection, transaction

from analysis.models import Batch, Check
from analysis.services.idempotency import Accepted, Idempotency, keep_key, once
from analysis.services.lifecycle import BATCHED, CHECKS, SINGLE
from analysis.sql import load
from audit.models import Event
from audit.services import append_all, entry

_SUBMIT = load("submit_check")
_JSON_MEMBERS = (
    "sources", "collections", "scope", "metadata", "samples", "token_logprobs", "messages",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class NewCheck:
    """One answer as submitted. `sources` None: none were sent and none asked for.

    `messages`: the conversation as sent, from which answer and query were taken; None if there was
    none.
    """

    answer: str
    query: str = ""
    sources: Sequence[str | dict[str, Any]] | None = None
    collections: Sequence[str] = ()
    scope: dict[str, Any] = field(default_factory=dict)
    source_model: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)
    samples: Sequence[str] = ()
    token_logprobs: Any = None
    messages: Sequence[dict[str, Any]] | None = None

    @property
    def members(self) -> dict[str, Any]:
        """The input by the names of a check's columns."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def sha256(self) -> str:
        """Return the digest of the whole input in canonical JSON.

        `messages` only if there are any.
        """
        document = self.members
        if self.messages is None:
            del document["messages"]
        text = json.dumps(document, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


def submit(
    *,
    application_id: UUID,
    new: NewCheck,
    by: str,
    idempotency: Idempotency | None = None,
    is_probe: bool = False,
) -> Accepted:
    """Accept one answer, in one statement. A probe is checked like any other and counted nowhere.

    Raises IdempotencyConflict when the key was used for another request.
    """
    make = partial(_submit, application_id, new, by, idempotency, is_probe)
    return once(application_id, idempotency, "check_made_id", make)


def _submit(
    application_id: UUID, new: NewCheck, by: str, idempotency: Idempotency | None, is_probe: bool
) -> UUID:
    check_id = uuid.uuid7()
    row: dict[str, Any] = {
        "id": check_id,
        "application_id": application_id,
        "by": by,
        "is_probe": is_probe,
        "key": idempotency and idempotency.key,
        "request_sha256": idempotency and idempotency.request_sha256,
        "input_sha256": new.sha256(),
    }
    for name, value in new.members.items():
        is_json = name in _JSON_MEMBERS and value is not None
        row[name] = json.dumps(value) if is_json else value
    with connection.cursor() as cursor:
        cursor.execute(_SUBMIT, row)
    CHECKS.enqueue_on_commit([check_id], SINGLE)
    return check_id


def submit_batch(
    *,
    application_id: UUID,
    items: Sequence[NewCheck | dict[str, Any]],
    by: str,
    idempotency: Idempotency | None = None,
    is_probe: bool = False,
) -> Accepted:
    """Accept a list; an item that is a dict is an error and is stored with its index.

    Raises IdempotencyConflict when the key was used for another request.
    """
    make = partial(
        _create_batch, application_id, items, by=by, idempotency=idempotency, is_probe=is_probe
    )
    return once(application_id, idempotency, "batch_made_id", make)


@transaction.atomic
def _create_batch(
    application_id: UUID,
    items: Sequence[NewCheck | dict[str, Any]],
    *,
    by: str,
    idempotency: Idempotency | None,
    is_probe: bool,
) -> UUID:
    errors = [{"index": n, **item} for n, item in enumerate(items) if isinstance(item, dict)]
    batch = Batch.objects.create(
        application_id=application_id, items_total=len(items), errors=errors, is_probe=is_probe
    )
    checks = [
        Check(
            application_id=application_id, batch=batch, batch_index=n, submitted_by=by,
            is_probe=is_probe, input_sha256=item.sha256(), **item.members,
        )
        for n, item in enumerate(items)
        if isinstance(item, NewCheck)
    ]  # fmt: skip
    Check.objects.bulk_create(checks)
    append_all(
        [
            entry(Event.CHECK_SUBMITTED, subject=check, by=by, input_sha256=check.input_sha256)
            for check in checks
            if not is_probe
        ]
    )
    keep_key(application_id, idempotency, batch_made_id=batch.pk)
    CHECKS.enqueue_on_commit([check.id for check in checks], BATCHED)
    return batch.id
