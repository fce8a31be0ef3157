"""The risk API's middleware: raises for a blocked answer, returns it otherwise.

It judges in this process by rules alone and stores nothing. Applications that want the server's
verdict use `watchdog_client.Guard`.
"""

from typing import Any

from analysis.engine.evidence.sources import normalise
from analysis.engine.pipeline import analyze, verify
from analysis.engine.types import Action, Submission

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
