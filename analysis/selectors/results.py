"""Stored results as documents: for the API, the command line and the admin alike."""

from dataclasses import fields
from typing import Any

from analysis.engine.types import Claim as EngineClaim
from analysis.models import AnnotatedAnswer, Batch, Check, CheckState, Claim
from analysis.selectors.checks import items_of, states_in
from text.offsets import to_utf16

CLAIM_MEMBERS = tuple(field.name for field in fields(EngineClaim))
_DEAD_REASON = {
    "code": "not_checked",
    "action": "WARN",
    "text": "The answer could not be checked: every attempt failed. A reviewer has been told.",
    "decided": True,
}


def check_document(check: Check) -> dict[str, Any]:
    """Everything known of a check; the verdict's members are null until it is done."""
    return {**_life(check), **_input(check), **_outcome(check)}


def check_summary(check: Check) -> dict[str, Any]:
    """A check as one line of a list."""
    return {
        **_life(check),
        "source_model": check.source_model,
        "action": check.action,
        "risk_score": check.risk_score,
        "risk_level": check.risk_level,
    }


def batch_document(batch: Batch) -> dict[str, Any]:
    """A batch with each item's own result or error, in the order in which they were sent."""
    checks = [{"index": c.batch_index, "check": check_summary(c)} for c in items_of(batch)]
    errors = [{"index": e["index"], "errors": e["errors"]} for e in batch.errors]
    return {
        "id": str(batch.id),
        "created_at": batch.created_at,
        "items_total": batch.items_total,
        "states": states_in(batch),
        "refused": len(errors),
        "items": sorted([*checks, *errors], key=lambda item: item["index"]),
    }


def stored_measurement(answer: AnnotatedAnswer) -> dict[str, Any]:
    """The measurement document as the engine wrote it, put together again from its claims."""
    claims = list(answer.claims.all())
    return {
        **answer.measurement,
        "claims": [{name: getattr(claim, name) for name in CLAIM_MEMBERS} for claim in claims],
        "signals": [claim.signal for claim in claims],
    }


def stored_decision(answer: AnnotatedAnswer) -> dict[str, Any]:
    """The decision document as the engine wrote it, put together again from its claims."""
    return {**answer.decision, "claims": [claim.decision for claim in answer.claims.all()]}


def _life(check: Check) -> dict[str, Any]:
    return {
        "id": str(check.id),
        "state": check.state,
        "created_at": check.created_at,
        "finished_at": check.finished_at,
    }


def _input(check: Check) -> dict[str, Any]:
    return {
        "query": {"id": str(check.id), "text": check.query, "timestamp": check.created_at},
        "answer": check.answer,
        "collections": check.collections,
        "scope": check.scope,
        "source_model": check.source_model,
        "metadata": check.metadata,
        "input_sha256": check.input_sha256,
    }


def _outcome(check: Check) -> dict[str, Any]:
    if check.state != CheckState.DONE:
        return _no_outcome(check)
    answer = check.annotated_answer
    decision, measurement = answer.decision, answer.measurement
    return {
        "action": check.action,
        "risk_score": check.risk_score,
        "risk_level": check.risk_level,
        "explanation": decision["risk"]["explanation"],
        "reasons": decision["reasons"],
        "signals": decision["risk"]["signals"],
        "signal_states": measurement["states"],
        "not_checked": decision["not_checked"],
        "final_response": decision["final_response"],
        "mitigation_actions": decision["mitigation_actions"],
        "summary_stats": decision["summary_stats"],
        "claims": _claims(check.answer, answer),
        "policy_version": answer.policy.version,
        "engine_version": answer.engine_version,
        "milliseconds": round(answer.milliseconds, 3),
    }


def _no_outcome(check: Check) -> dict[str, Any]:
    dead = check.state == CheckState.DEAD
    empty = dict.fromkeys(
        ("risk_score", "risk_level", "signals", "signal_states", "final_response",
         "summary_stats", "policy_version", "engine_version", "milliseconds")
    )  # fmt: skip
    return {
        **empty,
        "action": "WARN" if dead else None,
        "explanation": _DEAD_REASON["text"] if dead else None,
        "reasons": [_DEAD_REASON] if dead else [],
        "not_checked": [{"signal": "all", "status": "error", "reason": check.last_error}]
        if dead
        else [],
        "mitigation_actions": [],
        "claims": [],
    }


def _claims(text: str, answer: AnnotatedAnswer) -> list[dict[str, Any]]:
    claims = list(answer.claims.all())
    passages = {f"{e['doc_id']}#{e['sent_id']}": e for e in answer.measurement["evidence"]}
    spans = to_utf16(text, [(claim.start, claim.end) for claim in claims])
    return [_claim(claim, utf16, passages) for claim, utf16 in zip(claims, spans, strict=True)]


def _claim(
    claim: Claim, utf16: tuple[int, int], passages: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    decision, signal = claim.decision, claim.signal
    sides = dict.fromkeys((signal["supported_by"], signal["contradicted_by"]))
    return {
        "claim_id": claim.claim_id,
        "text": claim.text,
        "answer_char_span": [claim.start, claim.end],
        "answer_utf16_span": list(utf16),
        "status": claim.status,
        "reason": claim.reason or None,
        "rationale": decision["rationale"],
        "confidence": decision["confidence"],
        "primary_evidence": passages.get(decision["primary_evidence"]),
        "evidence": [passages[ref] for ref in sides if ref in passages],
        "signal": signal,
    }
