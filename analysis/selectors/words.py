"""A verdict as plain text, for a terminal."""

from collections.abc import Iterator

from analysis.engine.signal_types import Measurement
from analysis.engine.verdict_types import ClaimDecision, Decision
from lib.text.citations import marks

_MARKS = {"Supported": "✓", "Contradictory": "✗", "Low Confidence": "?"}


def verdict_in_words(measurement: Measurement, decision: Decision) -> str:
    """Return action, reasons, claims with evidence, unfinished signals and final text as text."""
    return "\n".join(_lines(measurement, decision))


def _lines(measurement: Measurement, decision: Decision) -> Iterator[str]:
    risk = decision.risk
    yield f"{decision.action}  risk {risk.risk_score}/100 ({risk.risk_level})"
    yield risk.explanation
    for reason in decision.reasons:
        yield f"  {'→' if reason.decided else ' '} {reason.action}: {reason.text}"
    yield f"\nClaims ({len(measurement.claims)}):"
    passages = {chunk.ref: chunk for chunk in measurement.evidence}
    for claim, decided in zip(measurement.claims, decision.claims, strict=True):
        yield f"  {_MARKS[decided.status]} {claim.text}"
        yield f"      {_status(decided)}"
        if decided.primary_evidence in passages:
            passage = passages[decided.primary_evidence]
            yield f"      {passage.source or passage.doc_id}: “{passage.text.strip()}”"
    for signal in decision.not_checked:
        yield f"Not checked: {signal.signal} ({signal.status}: {signal.reason})"
    if decision.hold:
        yield f"\nShown until a person has approved the answer:\n{decision.hold.waiting_text}"
        return
    yield f"\nSafe to show:\n{decision.final_response}"
    numbers = {n for mark in marks(decision.final_response) for n in mark.numbers}
    for number, cited in enumerate(decision.citations.passages, start=1):
        if number in numbers:
            yield f"  [{number}] {cited.title}: “{cited.text.strip()}”"


def _status(claim_decision: ClaimDecision) -> str:
    reason = f" ({claim_decision.reason})" if claim_decision.reason else ""
    return f"{claim_decision.status}{reason}: {claim_decision.rationale}"
