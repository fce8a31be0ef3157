"""Accepts answers: a check is accepted once committed, and enqueued afterwards."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any
from uuid import UUID

import uuid_utils.compat as uuid
from django.db import connection

from analysis.services.idempotency import Accepted, Idempotency, once
from analysis.services.lifecycle import BATCHED, CHECKS, SINGLE
from analysis.sql import load

_SUBMIT = load("submit_check")


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
    new: NewCheck | Sequence[NewCheck | dict[str, Any]],
    by: str,
    idempotency: Idempotency | None = None,
    is_probe: bool = False,
) -> Accepted:
    """Accept one answer, or a list of them as a batch, in one statement; enqueue them.

    Returns the id of the check or of the batch. An item of a list that is a dict is an error and is
    stored with its index. A probe is checked like any other and counted nowhere. Raises
    IdempotencyConflict when the key was used for another request.
    """
    as_batch = not isinstance(new, NewCheck)
    items = [new] if isinstance(new, NewCheck) else new
    errors = [{"index": n, **item} for n, item in enumerate(items) if isinstance(item, dict)]
    checks = [
        {
            "id": str(uuid.uuid7()),
            "batch_index": n if as_batch else None,
            "input_sha256": item.sha256(),
            **item.members,
        }
        for n, item in enumerate(items)
        if isinstance(item, NewCheck)
    ]
    check_ids = [UUID(check["id"]) for check in checks]
    made_id = uuid.uuid7() if as_batch else check_ids[0]
    row: dict[str, Any] = {
        "application_id": application_id,
        "batch_id": made_id if as_batch else None,
        "items_total": len(items),
        "errors": json.dumps(errors),
        "checks": json.dumps(checks),
        "by": by,
        "is_probe": is_probe,
        "key": idempotency and idempotency.key,
        "request_sha256": idempotency and idempotency.request_sha256,
    }

    def store() -> UUID:
        with connection.cursor() as cursor:
            cursor.execute(_SUBMIT, row)
        CHECKS.enqueue_on_commit(check_ids, BATCHED if as_batch else SINGLE)
        return made_id

    return once(
        application_id, idempotency, "batch_made_id" if as_batch else "check_made_id", store
    )
