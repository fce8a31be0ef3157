"""Reads for the verdict page: the outline of all claims, and one claim with its evidence.

An answer can have thousands of claims; for most of them the page only needs position and status, so
only the selected claim is read whole.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet

from analysis.engine.types import Band, ClaimStatus
from analysis.models import Check, Claim
from analysis.records.document import by_ref
from analysis.selectors.results import claim_members, verdict_document
from analysis.sql import load

_CLAIMS = load("claim_documents")
_IN_DOCUMENT = (
    "samples", "token_logprobs", "messages", "annotated_answer__measurement",
    "annotated_answer__decision", "annotated_answer__policy__note",
)  # fmt: skip
Doubt = tuple[int, int, float]


@dataclass(frozen=True, slots=True)
class ClaimLine:
    """One claim in the outline: code points [start, end) of the answer, numbered from 1.

    `band` says how sure its verdict is; None in older results. `reason` is that of a claim with low
    confidence, "" for others. `is_doubted`: the judge alone contradicts it, without a conflicting
    word.
    """

    number: int
    claim_id: str
    start: int
    end: int
    status: ClaimStatus
    band: Band | None = None
    reason: str = ""
    is_doubted: bool = False


def whole_check(checks: QuerySet[Check], check_id: UUID) -> tuple[Check, dict[str, Any]] | None:
    """Return a check of `checks` and its verdict, or None if it is not among them.

    Raises CheckErased.
    """
    rows = checks.select_related("application", "annotated_answer__policy").defer(*_IN_DOCUMENT)
    check = rows.filter(pk=check_id).first()
    if check is None:
        return None
    document = verdict_document(check.application_id, check_id)
    if document["state"] != check.state:  # it moved on between the two reads
        check = rows.get(pk=check_id)
    return check, document


def suppressed(lines: Sequence[ClaimLine], document: dict[str, Any]) -> frozenset[int]:
    """Return the numbers of the claims that the final response leaves out.

    If all of it was refused, or an older engine did not record spans: the contradicted claims.
    """
    spans = document.get("final_spans")
    if spans:
        return frozenset(line.number for line in lines if line.claim_id not in spans)
    against = ClaimStatus.CONTRADICTORY
    return frozenset(line.number for line in lines if line.status is against)


def outline(check_id: UUID) -> list[ClaimLine]:
    """Return all claims of a check in text order; none while there is no result."""
    columns = ("claim_id", "start", "end", "status", "decision__confidence__band", "reason")
    claims = Claim.objects.filter(annotated_answer=check_id).order_by("start", "end", "id")
    return [
        ClaimLine(number, claim_id, start, end, ClaimStatus(status), band_of(band), reason)
        for number, (claim_id, start, end, status, band, reason) in enumerate(
            claims.values_list(*columns), 1
        )
    ]


def band_of(value: object) -> Band | None:
    """Return a stored band, or None if it is missing or unknown."""
    return next((band for band in Band if band == value), None)


def doubts(check_id: UUID, lines: Sequence[ClaimLine]) -> list[Doubt]:
    """Return the doubted words of these claims as (start, end, probability)."""
    claims = Claim.objects.filter(
        annotated_answer=check_id, claim_id__in=[line.claim_id for line in lines]
    )
    words = claims.order_by("id").values_list("signal__unsupported", flat=True)
    return [(start, end, share) for word in words for start, end, share in word or ()]


def claim_documents(check: Check, lines: Sequence[ClaimLine]) -> dict[int, dict[str, Any]]:
    """Return claims as the API gives them, without the UTF-16 span, by number; one query."""
    numbers = {line.claim_id: line.number for line in lines}
    with connection.cursor() as cursor:
        cursor.execute(_CLAIMS, {"id": check.pk, "claim_ids": list(numbers)})
        names = [column.name for column in cursor.description]
        rows = [dict(zip(names, values, strict=True)) for values in cursor.fetchall()]
    return {numbers[row["claim_id"]]: _claim_document(row) for row in rows}


def _claim_document(row: dict[str, Any]) -> dict[str, Any]:
    row |= {name: json.loads(row[name] or "null") for name in ("signal", "decision", "evidence")}
    return claim_members(row, by_ref(row["evidence"] or ()))
