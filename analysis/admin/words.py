"""Signals, states and verdicts in the words of a person who was not there when they were named."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from analysis.engine.types import ClaimStatus, LowConfidenceReason, Signal, SignalStatus
from analysis.models import Check, CheckState

ICONS = {
    ClaimStatus.SUPPORTED: "supported",
    ClaimStatus.CONTRADICTORY: "contradictory",
    ClaimStatus.LOW_CONFIDENCE: "low-confidence",
}
REASONS = {
    LowConfidenceReason.NOT_SUPPORTED: "no source supports it",
    LowConfidenceReason.NOTHING_FOUND: "nothing was found about it",
    LowConfidenceReason.NOT_CHECKABLE: "it states nothing that can be checked",
    LowConfidenceReason.NOT_CHECKED: "it was not checked",
}
SIGNALS = {
    "all": "The whole answer",
    Signal.CLAIMS: "Reading the claims",
    Signal.OVERCONFIDENCE: "Overconfident wording",
    Signal.INTERNAL_CONTRADICTION: "Contradictions within the answer",
    Signal.GROUNDING: "Comparison with the sources",
    Signal.RETRIEVAL: "Search in the collections",
    Signal.CONSISTENCY: "Agreement with other samples",
    Signal.UNCERTAINTY: "The model's own uncertainty",
    Signal.CITATIONS: "Citations",
}
STATUSES = {
    SignalStatus.OK: "measured",
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
    """`{"status": "unavailable", "reason": "no model"}` as "not available: no model"."""
    words = STATUSES.get(state["status"], state["status"])
    return f"{words}: {state['reason']}" if state.get("reason") else words


def reason_words(reason: str | None) -> str:
    """Why the confidence in a claim is low."""
    return REASONS.get(LowConfidenceReason(reason), reason) if reason else ""


def percent(share: float | None) -> str:
    """0.9234 as "92 %"."""
    return NOT_MEASURED if share is None else f"{share * 100:.0f} %"


def life_words(check: Check) -> str:
    """Where an undecided check stands; empty for a decided one."""
    failed = check.last_error or "the worker stopped before it had finished"
    match check.state:
        case CheckState.DEAD:
            return f"Could not be checked: {failed}. All {check.attempts} attempts failed."
        case CheckState.RUNNING:
            return f"Not checked yet: a worker has it now (attempt {check.attempts})."
        case CheckState.QUEUED if check.attempts:
            return f"Not checked yet: attempt {check.attempts} failed ({failed}); it waits for the next."  # noqa: E501
        case CheckState.QUEUED:
            return "Not checked yet: it waits for a worker."
    return ""


def signal_rows(signal: dict[str, Any]) -> list[Row]:
    """Everything measured for one claim, a line each; what did not run says so."""
    return [*_evidence_rows(signal), *_wording_rows(signal), *_model_rows(signal)]


def _evidence_rows(signal: dict[str, Any]) -> Iterator[Row]:
    yield _nli(signal["nli"])
    coverage = signal["coverage"] or {}
    for member, name in (
        ("tokens_overlap", "Words of the claim found in the passage"),
        ("entities", "Names of the claim found"),
        ("numbers", "Figures of the claim found"),
    ):
        yield _share(name, coverage, member)
    yield _figures(signal["numeric_check"])
    conflicts = [f"{c['kind']}: {c['detail']}" for c in signal["conflicts"]]
    none = "none" if signal["checked"] else NOT_MEASURED
    yield Row("Conflicts with a passage", *_listed(conflicts, none))
    match = signal["citation_span_match"]
    yield Row("Words of the claim found in the passage it cites", percent(match))


def _nli(nli: dict[str, float] | None) -> Row:
    name = "Reading of the passage"
    if nli is None:
        return Row(name, NOT_MEASURED)
    side = max(nli, key=lambda member: nli[member])
    words = {"entail": "speaks for the claim", "contradict": "speaks against the claim"}
    kinds = {"entail": "good", "contradict": "bad"}
    scores = (
        f"for {percent(nli['entail'])}, against {percent(nli['contradict'])}, "
        f"neither {percent(nli['neutral'])}"
    )
    return Row(name, f"{words.get(side, 'says neither')} ({scores})", kinds.get(side, "none"))


def _share(name: str, coverage: dict[str, float | None], member: str) -> Row:
    if not coverage:
        return Row(name, NOT_MEASURED)
    share = coverage[member]
    if share is None:
        return Row(name, "the claim has none")
    return Row(name, percent(share), "good" if share == 1 else "none")


def _figures(agree: bool | None) -> Row:
    name = "Figures and units compared"
    if agree is None:
        return Row(name, "nothing to compare")
    return Row(name, *(("they agree", "good") if agree else ("they differ", "bad")))


def _wording_rows(signal: dict[str, Any]) -> Iterator[Row]:
    sure = [finding["detail"] for finding in signal["overconfidence"]]
    yield Row("Overconfident wording", *_listed(sure, "none"))
    against = [finding["detail"] for finding in signal["contradictions"]]
    yield Row("Contradicts another part of the answer", *_listed(against, "no"))


def _model_rows(signal: dict[str, Any]) -> Iterator[Row]:
    yield Row("The model's own uncertainty", _uncertainty(signal["uncertainty"] or {}))
    yield Row("Agreement with other samples", _consistency(signal["consistency"] or {}))
    yield _citation(signal)


def _uncertainty(found: dict[str, Any]) -> str:
    named = (("mean_entropy", "mean entropy"), ("nll", "mean surprise"))
    told = [f"{name} {found[key]:.2f}" for key, name in named if found.get(key) is not None]
    return ", ".join(told) or NOT_MEASURED


def _consistency(found: dict[str, Any]) -> str:
    disagreement = found.get("disagreement")
    if disagreement is None:
        return NOT_MEASURED
    return f"{percent(1 - disagreement)} support over {found['samples']} samples"


def _citation(signal: dict[str, Any]) -> Row:
    match, missing = signal["citation_span_match"], signal.get("cited_missing")
    if match is None:
        return Row("Words found in the sources it cites", "it cites none")
    gone = f"; source {', '.join(map(str, missing))} does not exist" if missing else ""
    tone = "good" if match == 1 and not missing else "none"
    return Row("Words found in the sources it cites", percent(match) + gone, tone)


def _listed(found: list[str], none: str) -> tuple[str, str]:
    return ("; ".join(found), "bad") if found else (none, "none")
