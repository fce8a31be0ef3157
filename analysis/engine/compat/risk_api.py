"""The risk API in this process: its detection functions, and its middleware.

They judge by rules alone and store nothing. Applications that want the server's verdict use
`watchdog_client.Guard`.
"""

from typing import Any

from analysis.engine.claims.extraction import read
from analysis.engine.decision import decide
from analysis.engine.evidence.sources import normalise
from analysis.engine.measurement import measure
from analysis.engine.pipeline import RISK_API_STATUS, analyze, verify
from analysis.engine.signals import contradiction, overconfidence
from analysis.engine.types import Action, Submission


def extract_claims(text: str) -> list[str]:
    """Return the atomic claims of an answer, in order."""
    return [statement.claim.text for statement in read(text).statements]


def detect_overconfidence(text: str) -> tuple[bool, str]:
    """Return whether the answer is overconfident, and the reason in words."""
    findings = overconfidence.findings(read(text))
    return bool(findings), overconfidence.explain(findings)


def detect_internal_contradictions(text: str) -> tuple[bool, str]:
    """Return whether the answer contradicts itself, and where."""
    findings = contradiction.findings(read(text))
    return bool(findings), contradiction.explain(findings)


def verify_against_rag(claims: Any, rag_results: Any = None) -> dict[str, str]:
    """Return SUPPORTED, CONTRADICTED or UNVERIFIED for each claim, given as texts or one answer."""
    texts = extract_claims(claims) if isinstance(claims, str) else list(claims)
    sources, _ = normalise(rag_results)
    return {text: _worst(text, Submission(text, "", sources)) for text in texts}


def extract_all_signals(prompt: str, llm_response: str, rag_results: Any = None) -> dict[str, Any]:
    """Return everything the risk API detects: claims, verification, four signals, reasons."""
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
    """Return the worst verdict among the clauses of a claim; nothing checkable is unverified."""
    statuses = {RISK_API_STATUS[claim.status] for claim in decide(text, measure(submission)).claims}
    for status in ("CONTRADICTED", "UNVERIFIED", "SUPPORTED"):
        if status in statuses:
            return status
    return "UNVERIFIED"


BLOCK_AT = 70


class BlockResponseException(Exception):
    """Raised for an answer that must not be shown; `assessment` says why."""

    def __init__(self, assessment: dict[str, Any]) -> None:
        super().__init__(assessment["explanation"])
        self.assessment = assessment


class RiskCheckMiddleware:
    """Assesses each answer with the default policy."""

    def process_llm_response(self, prompt: str, response: str, rag: Any = None) -> str:
        """Return the response unchanged. Raises BlockResponseException for a blocked one.

        The action counts as well as the score: a claim that clearly contradicts a source scores 35
        and blocks. A response that could not be checked is blocked.
        """
        assessment = analyze(prompt, response, rag)
        if None in assessment["signals"].values() or assessment["risk_score"] >= BLOCK_AT:
            raise BlockResponseException(assessment)
        submission = Submission(response or "", prompt or "", normalise(rag)[0])
        _, decision = verify(submission)
        if decision.action is Action.BLOCK:
            raise BlockResponseException(assessment)
        return response
