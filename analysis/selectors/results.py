"""Stored results as documents."""

import json
from collections.abc import Sequence
from dataclasses import fields
from itertools import accumulate
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import F

from analysis.engine import Measurement, decide
from analysis.engine.pipeline import risk_api_shape
from analysis.engine.response.mitigation import REFUSED
from analysis.engine.types import Claim as EngineClaim
from analysis.engine.types import ClaimStatus, Expiry
from analysis.engine.verdict.wording import LABELS, words
from analysis.models import AnnotatedAnswer, Batch, Check, CheckState, HeldAnswer, HoldState
from analysis.records.document import Document, by_ref
from analysis.selectors.checks import items_of, states_in
from analysis.selectors.erasures import erasure_of
from analysis.sql import load
from lib.text.decoded import to_utf16

_CHECK_DOCUMENT = load("check_document")
_JSON_COLUMNS = (
    "collections", "scope", "metadata", "messages", "measurement", "decision", "claims",
    "feedback", "suggestions", "held",
)  # fmt: skip
_INPUT = (
    "answer", "messages", "collections", "scope", "source_model", "metadata", "input_sha256",
)  # fmt: skip
_NULL_UNTIL_DONE = (
    "risk_score", "risk_level", "hallucination_score", "signals", "signal_states",
    "final_response", "citations", "summary_stats", "safety", "partial_answer",
    "suggested_questions", "hold", "policy_version",
    "policy_override", "engine_version", "milliseconds",
)  # fmt: skip
CLAIM_MEMBERS = tuple(field.name for field in fields(EngineClaim))
_FAILED_REASON = {
    "code": "not_checked",
    "action": "WARN",
    "text": "The answer could not be checked: every attempt failed. A reviewer has been told.",
    "decided": True,
}
AWAITING, EDITED = "awaiting_review", "edited_by_a_reviewer"
"""The mitigation actions of a held answer."""
MOST_BYTES = 2_000_000
"""Of the document as JSON. What is left out stays stored and in the decision record."""


def check_document(application_id: UUID, check_id: UUID) -> dict[str, Any]:
    """Return a check as a document of bounded size; verdict members are null until it is done.

    Raises Check.DoesNotExist, also for another application's check; CheckErased.
    """
    row = stored_row(application_id, check_id)
    if row["state"] != CheckState.DONE:
        return limit_size(_submission(row) | _no_verdict(row))
    decision = in_place(row["decision"], row["held"], row["answer"])
    claims = row["claims"] or []
    passages = by_ref(row["measurement"]["evidence"])
    spans = to_utf16(row["answer"], [(claim["start"], claim["end"]) for claim in claims])
    final_spans = decision.get("final_spans", {})
    members = [
        claim_members(claim, passages)
        | {"answer_utf16_span": list(utf16), "final_char_span": final_spans.get(claim["claim_id"])}
        for claim, utf16 in zip(claims, spans, strict=True)
    ]
    verdict = _verdict(row, decision) | {"citations": decision["citations"], "claims": members}
    return limit_size(_submission(row) | verdict)


def verdict_document(application_id: UUID, check_id: UUID) -> dict[str, Any]:
    """Return a check without its claims and citations, thousands of which take megabytes.

    `final_spans` holds the claims that the final response still shows, `passages` the first 20 that
    citations may point to. Raises Check.DoesNotExist, CheckErased.
    """
    row = stored_row(application_id, check_id, with_claims=False)
    if row["state"] != CheckState.DONE:
        return _submission(row) | _no_verdict(row)
    decision = in_place(row["decision"], row["held"], row["answer"])
    more = {name: decision.get(name) for name in ("final_spans", "passages")}
    return _submission(row) | _verdict(row, decision) | more


def batch_document(batch: Batch) -> dict[str, Any]:
    """Return a batch with each item's check or errors, in the order of submission."""
    checks = [{"index": check.batch_index, "check": check} for check in items_of(batch)]
    return {
        "id": batch.id,
        "created_at": batch.created_at,
        "items_total": batch.items_total,
        "states": states_in(batch),
        "refused": len(batch.errors),
        "items": sorted([*checks, *batch.errors], key=lambda item: item["index"]),
    }


def risk_api_assessment(check_id: UUID) -> dict[str, Any] | None:
    """Return a stored result in the risk API's shape and weights, or None if there is none."""
    answers = AnnotatedAnswer.objects.select_related("check_record").prefetch_related("claims")
    answer = answers.filter(pk=check_id).first()
    if answer is None:
        return None
    measurement = Measurement.from_json(stored_measurement(answer))
    return risk_api_shape(measurement, decide(answer.check_record.answer, measurement))


def stored_measurement(answer: AnnotatedAnswer) -> dict[str, Any]:
    """Return the measurement document as the engine wrote it, reassembled from its claims."""
    claims = list(answer.claims.all())
    return {
        **answer.measurement,
        "claims": [{name: getattr(claim, name) for name in CLAIM_MEMBERS} for claim in claims],
        "signals": [claim.signal for claim in claims],
    }


def stored_decision(answer: AnnotatedAnswer) -> dict[str, Any]:
    """Return the decision document as the engine wrote it, reassembled from its claims."""
    return {**answer.decision, "claims": [claim.decision for claim in answer.claims.all()]}


def stored_row(application_id: UUID, check_id: UUID, *, with_claims: bool = True) -> dict[str, Any]:
    """Return a check with its result and claims as one row.

    Without claims there is no evidence, and of the citations only the first passages. Raises
    Check.DoesNotExist, CheckErased.
    """
    parameters: dict[str, UUID | bool] = {
        "id": check_id, "application_id": application_id, "with_claims": with_claims,
    }  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute(_CHECK_DOCUMENT, parameters)
        values = cursor.fetchone()
        if values is None:
            raise Check.DoesNotExist
        row = dict(zip((column.name for column in cursor.description), values, strict=True))
    if row["result_erased_at"] is not None:
        raise erasure_of(check_id)
    return row | {name: row[name] and json.loads(row[name]) for name in _JSON_COLUMNS}


def _submission(row: dict[str, Any]) -> dict[str, Any]:
    """Return the members that a check has in every state: its input, its state and feedback."""
    return {
        "id": str(row["id"]),
        "state": row["state"],
        "created_at": row["created_at"],
        "finished_at": row["finished_at"],
        "feedback": feedback_counts(**row["feedback"]),
        "query": {"id": str(row["id"]), "text": row["query"], "timestamp": row["created_at"]},
        **{name: row[name] for name in _INPUT},
    }


def feedback_counts(helpful: int, not_helpful: int) -> dict[str, Any]:
    """Return the counts of feedback and the share of helpful ones (None without any)."""
    total = helpful + not_helpful
    share = round(helpful / total, 4) if total else None
    return {"helpful": helpful, "not_helpful": not_helpful, "helpful_share": share}


def _verdict(row: dict[str, Any], decision: Document) -> dict[str, Any]:
    measurement = row["measurement"]
    return {
        "action": row["action"],
        "risk_score": row["risk_score"],
        "risk_level": row["risk_level"],
        "hallucination_score": decision["hallucination_score"],
        "explanation": decision["risk"]["explanation"],
        "reasons": decision["reasons"],
        "signals": decision["risk"]["signals"],
        "signal_states": measurement["states"],
        "not_checked": decision["not_checked"],
        "injection": measurement["injection"],
        "final_response": decision["final_response"],
        "mitigation_actions": decision["mitigation_actions"],
        "summary_stats": decision["summary_stats"],
        "safety": decision["safety"],
        "partial_answer": decision["partial_answer"],
        "suggested_questions": row["suggestions"],
        "hold": decision["hold"],
        "policy_version": row["policy_version"],
        "policy_override": decision["override"],
        "engine_version": row["engine_version"],
        "milliseconds": round(row["milliseconds"], 3),
    }


def in_place(decision: Document, hold_row: Document | None, answer: str) -> Document:
    """Return a stored decision with what is shown now: of a held answer what became of it.

    `hold_row` is its state (null for a probe, which nobody reviews), `hold` in the result what
    clients learn of that. The text of a person has no places of claims.
    """
    terms = decision.get("hold")
    if terms is None:
        return decision | {"hold": None}
    now = hold_row or {"state": HoldState.AWAITING, "due_at": None, "settled_at": None}
    hold = {name: now[name] for name in ("state", "due_at", "settled_at")}
    state = HoldState(now["state"])
    if state is HoldState.EXPIRED and terms["on_expiry"] == Expiry.RELEASE:
        return decision | {"hold": hold}
    text, mitigations = terms["refusal_text"], [REFUSED]
    if state is HoldState.AWAITING:
        text, mitigations = terms["waiting_text"], [AWAITING]
    elif state is HoldState.APPROVED:
        text, mitigations = answer, []
    elif state is HoldState.EDITED and now["corrected_text"]:  # empty once it is erased
        text, mitigations = now["corrected_text"], [EDITED]
    return decision | {
        "hold": hold,
        "final_response": text,
        "mitigation_actions": mitigations,
        "final_spans": {},
        "partial_answer": None,
    }


def decision_in_place(answer: AnnotatedAnswer) -> Document:
    """Return the stored decision on an answer as `in_place` does."""
    decision: Document = answer.decision
    if not decision.get("hold"):
        return decision | {"hold": None}
    rows = HeldAnswer.objects.filter(pk=answer.pk).values(
        "state", "due_at", "settled_at", corrected_text=F("review__corrected_text")
    )
    row = rows.first()
    return in_place(decision, dict(row) if row else None, answer.check_record.answer)


def _no_verdict(row: dict[str, Any]) -> dict[str, Any]:
    failed = row["state"] == CheckState.FAILED
    not_checked = {"signal": "all", "status": "error", "reason": row["last_error"]}
    return {
        **dict.fromkeys(_NULL_UNTIL_DONE),
        "action": "WARN" if failed else None,
        "explanation": _FAILED_REASON["text"] if failed else None,
        "reasons": [_FAILED_REASON] if failed else [],
        "not_checked": [not_checked] if failed else [],
        "mitigation_actions": [],
        "injection": [],
        "claims": [],
    }


def claim_members(claim: dict[str, Any], passages: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return a stored claim in the API's shape; `passages` are the check's by reference."""
    decision, signal = claim["decision"], claim["signal"]
    sides = dict.fromkeys((signal["supported_by"], signal["contradicted_by"]))
    return {
        "claim_id": claim["claim_id"],
        "text": claim["text"],
        "answer_char_span": [claim["start"], claim["end"]],
        "status": claim["status"],
        "label": LABELS[ClaimStatus(claim["status"])],
        "reason": claim["reason"] or None,
        "wording": words(claim["status"], claim["reason"]),
        "rationale": decision["rationale"],
        "confidence": decision["confidence"],
        "primary_evidence": passages.get(decision["primary_evidence"]),
        "evidence": [passages[ref] for ref in sides if ref in passages],
        "signal": signal,
    }


def limit_size(document: Document, most: int = MOST_BYTES) -> Document:
    """Shorten the document to `most` bytes; `left_out` counts omitted signals and claims.

    Starting at the last claim, signals are dropped first, then claims.
    """
    claims: list[Document] = document["claims"]
    room = most - _size({**document, "claims": []})
    slim = [claim | {"signal": None} for claim in claims]
    sizes, bare = list(map(_size, claims)), list(map(_size, slim))
    fitting = _fitting(bare, room)
    spare = room - sum(bare[:fitting])
    whole = _fitting([a - b for a, b in zip(sizes, bare, strict=True)][:fitting], spare)
    left_out = {"signals": fitting - whole, "claims": len(claims) - fitting}
    return document | {"claims": claims[:whole] + slim[whole:fitting], "left_out": left_out}


def _fitting(sizes: Sequence[int], room: int) -> int:
    """Return how many of the first sizes fit into the room."""
    return sum(total <= room for total in accumulate(sizes))


def _size(value: Any) -> int:
    """Return the bytes of the value in JSON with a separator; times and ids count as text."""
    return len(json.dumps(value, ensure_ascii=False, default=str).encode(errors="replace")) + 2
