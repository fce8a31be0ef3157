"""The documents that trail entries refer to: sealed as digests, shown in decision records.

Their members are fixed, since old seals are verified against them. A new column that matters goes
into a new document, never into these.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db.models import Prefetch

from analysis.models import AnnotatedAnswer, Check, Claim, Policy
from audit.contents import register
from audit.models import Event

Document = dict[str, Any]
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_INPUT = (
    "id", "application_id", "submitted_by", "query", "answer", "sources", "collections", "scope",
    "source_model", "metadata", "samples", "token_logprobs", "input_sha256", "created_at",
)  # fmt: skip
_OUTCOME = ("action", "risk_level", "risk_score", "sampled", "sampling_probability", "finished_at")
_RESULT = ("policy_id", "engine_version", "measurement", "decision", "milliseconds")
_CLAIM = (
    "claim_id", "text", "start", "end", "subject", "extraction_method", "status", "reason",
    "signal", "decision",
)  # fmt: skip
_POLICY = ("id", "application_id", "version", "rules", "note", "created_by", "created_at")


def register_contents() -> None:
    """Register which documents are sealed with entries about checks and policies."""
    register(Event.CHECK_SUBMITTED, input_documents, part="input")
    register(Event.CHECK_DECIDED, result_documents, part="result")
    register(Event.POLICY_CREATED, policy_documents)


def input_documents(check_ids: Sequence[str]) -> Mapping[str, Document]:
    """Return the submitted inputs by check id, without erased ones."""
    checks = Check.objects.filter(pk__in=uuids(check_ids), input_erased_at=None)
    rows = checks.values(*_INPUT, "messages")
    return {str(row["id"]): plain(_as_sealed(row)) for row in rows}


def _as_sealed(row: Document) -> Document:
    """Drop `messages` if no conversation was sent, so that older seals still hold."""
    return {name: value for name, value in row.items() if name != "messages" or value is not None}


def remaining_input(check_id: UUID) -> Document:
    """Return the rest of an erased input: its texts are empty."""
    return plain(Check.objects.values(*_INPUT).get(pk=check_id))


def result_documents(check_ids: Sequence[str]) -> Mapping[str, Document]:
    """Return measurement and decision by check id, claims in order, without erased ones."""
    claims = Prefetch("claims", Claim.objects.order_by("id"))
    ids = uuids(check_ids)
    answers = AnnotatedAnswer.objects.filter(pk__in=ids).prefetch_related(claims)
    checks = Check.objects.filter(pk__in=ids).values("id", *_OUTCOME)
    outcomes = {row["id"]: row for row in checks}
    return {
        str(answer.pk): plain(
            outcomes[answer.pk]
            | _members(answer, _RESULT)
            | {"claims": [_members(claim, _CLAIM) for claim in answer.claims.all()]}
        )
        for answer in answers
    }


def policy_documents(policy_ids: Sequence[str]) -> Mapping[str, Document]:
    """Return policy versions by id. Separate entries say whether one is in force."""
    ids = [int(name) for name in policy_ids if name.isdecimal() and len(name) < 19]
    rows = Policy.objects.filter(pk__in=ids).values(*_POLICY)
    return {str(row["id"]): plain(row) for row in rows}


def uuids(names: Sequence[str]) -> list[UUID]:
    """Return the valid ids among `names`: a forged entry may name anything."""
    return [UUID(name) for name in names if _UUID.fullmatch(name)]


def _members(row: Any, names: Sequence[str]) -> Document:
    return {name: getattr(row, name) for name in names}


def plain(row: Mapping[str, Any]) -> Document:
    """Return ids and times as text, as in JSON; times in UTC to the microsecond."""
    return {name: _json(value) for name, value in row.items()}


def _json(value: Any) -> Any:
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    return value
