"""The seed's middleware: blocks an answer by raising, lets it through by returning it."""

from collections.abc import Callable
from typing import Any

from analysis.engine import Submission, analyze, verify
from analysis.engine.evidence.sources import normalise

Assessment = dict[str, Any]
Check = Callable[[str, str, Any], Assessment]
BLOCK_AT = 70


def check_here(prompt: str, response: str, rag: Any = None) -> Assessment:
    """Assess in this process: seed 1's assessment, and the action of the default policy.

    The action asks for more than the score: a claim that surely contradicts a source scores 35
    and blocks. What could not be checked at all has no action of its own and is blocked.
    """
    assessment = analyze(prompt, response, rag)
    if None in assessment["signals"].values():
        return assessment | {"action": "BLOCK"}
    _, decision = verify(Submission(response or "", prompt or "", normalise(rag)[0]))
    return assessment | {"action": str(decision.action)}


class BlockResponseException(Exception):
    """The answer must not be shown; `assessment` says why."""

    def __init__(self, assessment: Assessment) -> None:
        super().__init__(assessment.get("explanation") or "The answer was blocked.")
        self.assessment = assessment


class RiskCheckMiddleware:
    """Assesses every answer with `check`; by default the engine in this process.

    `on_assessment` is called with each assessment, also of answers that are let through: log it,
    or show the user a warning.
    """

    def __init__(
        self,
        check: Check = check_here,
        *,
        block_at: int = BLOCK_AT,
        on_assessment: Callable[[Assessment], None] | None = None,
    ) -> None:
        if not 0 < block_at <= 100:
            raise ValueError(f"block_at must be 1 to 100, got {block_at}")
        self._check = check
        self._block_at = block_at
        self._on_assessment = on_assessment

    def process_llm_response(self, prompt: str, response: str, rag: Any = None) -> str:
        """Return the response unchanged, or raise BlockResponseException with the assessment."""
        assessment = self._check(prompt, response, rag)
        if self._on_assessment is not None:
            self._on_assessment(assessment)
        if self._blocks(assessment):
            raise BlockResponseException(assessment)
        return response

    def _blocks(self, assessment: Assessment) -> bool:
        if assessment.get("action") == "BLOCK":
            return True
        score = assessment.get("risk_score")
        return score is not None and score >= self._block_at
