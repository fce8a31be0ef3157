"""The risk API's detection functions by their own names, for callers that want one signal alone."""

from typing import Any

from analysis.engine.claims.extraction import read
from analysis.engine.decision import decide
from analysis.engine.evidence.sources import normalise
from analysis.engine.measurement import measure
from analysis.engine.pipeline import RISK_API_STATUS
from analysis.engine.signals import contradiction, overconfidence
from analysis.engine.types import Submission


def extract_claims(text: str) -> list[str]:
    """The atomic claims of an answer, in order."""
    return [statement.claim.text for statement in read(text).statements]


def detect_overconfidence(text: str) -> tuple[bool, str]:
    """Whether the answer is overconfident, and the reason in words."""
    findings = overconfidence.findings(read(text))
    return bool(findings), overconfidence.explain(findings)


def detect_internal_contradictions(text: str) -> tuple[bool, str]:
    """Whether the answer contradicts itself, and where."""
    findings = contradiction.findings(read(text))
    return bool(findings), contradiction.explain(findings)


def verify_against_rag(claims: Any, rag_results: Any = None) -> dict[str, str]:
    """SUPPORTED, CONTRADICTED or UNVERIFIED for each claim, given as texts or as one answer."""
    texts = extract_claims(claims) if isinstance(claims, str) else list(claims)
    sources, _ = normalise(rag_results)
    return {text: _worst(text, Submission(text, "", sources)) for text in texts}


def extract_all_signals(prompt: str, llm_response: str, rag_results: Any = None) -> dict[str, Any]:
    """Everything the risk API detects: claims, their verification, four signals, the reasons."""
    sources, _ = normalise(rag_results)
    measurement = measure(Submission(llm_response, prompt, sources))
    decision = decide(llm_response, measurement)
    pairs = zip(measurement.claims, decision.claims, strict=True)
    return {
        **decision.risk.signals,
        "claims": [claim.text for claim in measurement.claims],
        "claim_verification": {
            claim.text: RISK_API_STATUS[claim_decision.status] for claim, claim_decision in pairs
        },
        "overconfidence_reason": overconfidence.explain(measurement.overconfidence),
        "contradiction_details": contradiction.explain(measurement.contradictions),
    }


def _worst(text: str, submission: Submission) -> str:
    """The worst verdict among the clauses of one claim; nothing checkable is unverified."""
    statuses = {RISK_API_STATUS[claim.status] for claim in decide(text, measure(submission)).claims}
    for status in ("CONTRADICTED", "UNVERIFIED", "SUPPORTED"):
        if status in statuses:
            return status
    return "UNVERIFIED"
