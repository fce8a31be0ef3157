"""The risk API's entry points in its exact format: `analyze` and `analyze_batch`."""

from typing import Any

from analysis.engine.decision import Assessment, assess, decide
from analysis.engine.evidence.sources import normalise
from analysis.engine.measurement import measure
from analysis.engine.policy import DEFAULT_RULES, PolicyRules
from analysis.engine.signal_types import Measurement
from analysis.engine.signals.runner import log_failure
from analysis.engine.types import FAILED, ClaimStatus, Submission
from analysis.engine.verdict_types import Decision

RISK_API_STATUS = {
    ClaimStatus.SUPPORTED: "SUPPORTED",
    ClaimStatus.CONTRADICTORY: "CONTRADICTED",
    ClaimStatus.LOW_CONFIDENCE: "UNVERIFIED",
}
"""The verifier API's verdicts in the words of the risk API."""
SIGNALS = ("rag_contradiction", "rag_unverified", "internal_contradiction", "overconfidence")


def verify(
    submission: Submission, rules: PolicyRules = DEFAULT_RULES
) -> tuple[Measurement, Decision]:
    """Return the measurement of a submission, and the decision under these rules."""
    measurement = measure(submission)
    return measurement, decide(submission.answer, measurement, rules)


def analyze(prompt: Any = "", llm_response: Any = None, rag_results: Any = None) -> dict[str, Any]:
    """Return the risk API's assessment of one answer: risk_score, signals, explanation, claims.

    Never raises for bad input: what could not be checked is stated, scores at least 35, and
    "warnings" says what was ignored.
    """
    try:
        return _analyze(prompt, llm_response, rag_results)
    except Exception as error:  # noqa: BLE001 - a stated outcome, whatever went wrong
        log_failure("analyze", error)
        return unknown(f"the analysis failed with {type(error).__name__}")


def analyze_batch(requests: Any) -> list[dict[str, Any]]:
    """Return one result for each request (a dict or a tuple); a bad one does not affect others.

    Raises TypeError if requests is no list.
    """
    if not isinstance(requests, (list, tuple)):
        raise TypeError(f"requests must be a list, not {type(requests).__name__}")
    return [_analyze_one(request) for request in requests]


def unknown(reason: str) -> dict[str, Any]:
    """Return the result if nothing could be checked: never below WARN."""
    return {
        "risk_score": DEFAULT_RULES.warn_at,
        "signals": dict.fromkeys(SIGNALS),
        "explanation": f"MEDIUM RISK: Not checked: {reason}",
        "claims": [],
    }


def _analyze_one(request: Any) -> dict[str, Any]:
    if isinstance(request, dict):
        names = ("prompt", "llm_response", "rag_results")
        return analyze(*(request.get(name) for name in names))
    if isinstance(request, (tuple, list)) and 2 <= len(request) <= 3:
        return analyze(*request)
    kind = type(request).__name__
    return unknown(f"a request must be an object or a tuple of 2 or 3, not {kind}")


def _analyze(prompt: Any, llm_response: Any, rag_results: Any) -> dict[str, Any]:
    sources, warnings = normalise(rag_results)
    query, warning = _query(prompt)
    if llm_response is not None and not isinstance(llm_response, str):
        kind = type(llm_response).__name__
        return _with(unknown(f"llm_response must be a string, not {kind}"), warning + warnings)
    answer = llm_response or ""
    measurement = measure(Submission(answer, query, sources))
    decision = assess(measurement, DEFAULT_RULES, blank=not answer.strip())
    failures = [
        f"{name}: {state.status.value}: {state.reason}"
        for name, state in measurement.states.items()
        if state.status in FAILED
    ]
    return _with(risk_api_shape(measurement, decision), warning + warnings + failures)


def _query(prompt: Any) -> tuple[str, list[str]]:
    if prompt is None or isinstance(prompt, str):
        return prompt or "", []
    return "", [f"prompt must be a string, not {type(prompt).__name__}; treated as missing"]


def _with(result: dict[str, Any], warnings: list[str]) -> dict[str, Any]:
    return {**result, "warnings": warnings} if warnings else result


def risk_api_shape(measurement: Measurement, decision: Decision | Assessment) -> dict[str, Any]:
    """Return a decision in the terms and format of the risk API."""
    texts = {chunk.ref: chunk.text for chunk in measurement.evidence}
    claims = [
        {
            "text": claim.text,
            "status": RISK_API_STATUS[verdict.status],
            "start": claim.start,
            "end": claim.end,
            "evidence": texts.get(verdict.primary_evidence or ""),
        }
        for claim, verdict in zip(measurement.claims, decision.claims, strict=True)
    ]
    return {
        "risk_score": decision.risk.risk_score,
        "signals": dict(decision.risk.signals),
        "explanation": decision.risk.explanation,
        "claims": claims,
    }
