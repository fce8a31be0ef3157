"""Judgements of a manager's words."""

from dataclasses import dataclass

ENOUGH = 0.65
"""From this confidence on a fact is stored."""
USER, COMPANY = "user", "company"


@dataclass(frozen=True, slots=True)
class FactJudgement:
    """One judgement. `reason` says why it is not worth storing, or is ""."""

    worth_storing: bool
    confidence: float
    fact: str
    target: str
    reason: str = ""
