"""Signals, states and verdicts in the words of a person who was not there when they were named."""

from dataclasses import dataclass
from typing import Any

from analysis.engine.response.mitigation import REFUSED
from analysis.engine.types import ClaimStatus, SignalName, SignalStatus
from analysis.engine.verdict import wording
from analysis.models import Check, CheckState

ICONS = {
    ClaimStatus.SUPPORTED: "supported",
    ClaimStatus.CONTRADICTORY: "contradictory",
    ClaimStatus.LOW_CONFIDENCE: "low-confidence",
}
SIGNALS = {
    "all": "The whole answer",
    SignalName.CLAIMS: "Reading the claims",
    SignalName.OVERCONFIDENCE: "Overconfident wording",
    SignalName.INTERNAL_CONTRADICTION: "Contradictions within the answer",
    SignalName.GROUNDING: "Comparison with the sources",
    SignalName.NLI: "Entailment by a model",
    SignalName.RETRIEVAL: "Search in the collections",
    SignalName.CONSISTENCY: "Agreement with other samples",
    SignalName.UNCERTAINTY: "The answering model’s own uncertainty",
    SignalName.CITATIONS: "Citations",
    SignalName.RELEVANCE: "Relevance to the question",
}
STATUSES = {
    SignalStatus.OK: "completed",
    SignalStatus.NOT_APPLICABLE: "does not apply",
    SignalStatus.UNAVAILABLE: "not available",
    SignalStatus.TRUNCATED: "cut short",
    SignalStatus.ERROR: "failed",
}
RISK_SIGNALS = {
    "rag_contradiction": "A claim contradicts a source",
    "rag_unverified": "A claim has no source that supports it",
    "internal_contradiction": "The answer contradicts itself",
    "overconfidence": "The wording is surer than the evidence",
}
NOT_MEASURED = "not measured"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table of signals. `kind` is `good`, `bad` or `none`: the icon before it."""

    name: str
    found: str
    kind: str = "none"


def signal_name(name: str) -> str:
    """A stored name of a signal in words; an unknown one as it is."""
    return SIGNALS.get(name, name.replace("_", " ").capitalize())


def status_words(state: dict[str, Any]) -> str:
    """`{"status": "unavailable", "reason": "No model"}` as "not available (no model)"."""
    words, reason = STATUSES.get(state["status"], state["status"]), _within(state.get("reason"))
    return f"{words} ({reason})" if reason else words


def why_not(state: dict[str, Any]) -> str:
    """Why a signal did not run: its reason, or its status where none is given."""
    return _within(state.get("reason")) or STATUSES.get(state["status"], state["status"])


def _within(sentence: str | None) -> str:
    """A sentence as a part of another: without the capital that begins it."""
    text = sentence or ""
    return text[0].lower() + text[1:] if text[1:2].islower() else text


def reason_words(reason: str | None) -> str:
    """Why the confidence in a claim is low; "" for one whose confidence is not."""
    return wording.words(ClaimStatus.LOW_CONFIDENCE, reason) if reason else ""


def mitigation_words(code: str) -> str:
    """A stored mitigation action, `removed_contradicted_claims`, in words."""
    return "Refused the answer" if code == REFUSED else code.replace("_", " ").capitalize()


def percent(share: float | None) -> str:
    """0.9234 as "92 %"."""
    return NOT_MEASURED if share is None else f"{share * 100:.0f} %"


def public_life_words(check: Check) -> str:
    """Where an undecided check stands, for people outside; empty for a decided one."""
    if check.state == CheckState.FAILED:
        return "This answer could not be checked. Do not rely on it."
    return "" if check.state == CheckState.DONE else "Not checked yet. Reload in a moment."


def life_words(check: Check) -> str:
    """Where an undecided check stands; empty for a decided one."""
    failed = check.last_error or "the worker stopped before it had finished"
    match check.state:
        case CheckState.FAILED:
            return f"Could not be checked: {failed}. All {check.attempts} attempts failed."
        case CheckState.RUNNING:
            return f"Not checked yet: being checked now (attempt {check.attempts})."
        case CheckState.QUEUED if check.attempts:
            return f"Not checked yet: attempt {check.attempts} failed ({failed}); it will be tried again."  # noqa: E501
        case CheckState.QUEUED:
            return "Not checked yet: waiting for a worker."
    return ""
