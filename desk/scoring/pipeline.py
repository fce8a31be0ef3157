"""Runs one answer through the pipeline with the worker's functions, without the database."""

import resource
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import Any

from analysis.engine.decision import decide
from analysis.engine.policy import PolicyRules
from analysis.engine.signal_types import Measurement
from analysis.engine.types import Action, Submission
from analysis.engine.verdict.probability import claim_score, hallucination_score
from analysis.engine.verdict_types import Decision
from analysis.services.measuring import measure_submission
from inference.judge.onnx_judge import READ

DIGITS = 6
_KIB_IN_MIB = 1024


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """One answer's measurement, decision and cost.

    `milliseconds` is wall time; `cpu_milliseconds` the CPU time of all threads, the fairer figure
    if other programs use the cores too. `tokens` are what the judges read, `peak_memory` the most
    that the process has held so far, in MiB.
    """

    measurement: Measurement
    decision: Decision
    score: float | None
    milliseconds: float
    cpu_milliseconds: float
    tokens: int
    peak_memory: float


def check(submission: Submission, rules: PolicyRules) -> CheckedAnswer:
    """Measure and decide as a worker does."""
    began, worked, read = perf_counter(), process_time(), READ.value
    measurement = measure_submission(submission, rules)
    decision = decide(submission.answer, measurement, rules)
    score = hallucination_score(measurement)
    passed, busy = perf_counter() - began, process_time() - worked
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _KIB_IN_MIB
    tokens = READ.value - read
    return CheckedAnswer(measurement, decision, score, passed * 1000, busy * 1000, tokens, peak)


def line_of(row_id: str | int | float, checked_answer: CheckedAnswer) -> dict[str, Any]:
    """Return the result as `check_file` writes it; scores 0-1, None if nothing was measured."""
    measurement, decision = checked_answer.measurement, checked_answer.decision
    parts = zip(measurement.claims, measurement.signals, decision.claims, strict=True)
    return {
        "id": row_id,
        "risk_score": decision.risk.risk_score,
        "action": decision.action.value,
        "hallucination_score": _short(checked_answer.score),
        "claims": [
            {
                "text": claim.text,
                "start": claim.start,
                "end": claim.end,
                "verdict": part.status.value,
                "score": _short(claim_score(signal)),
            }
            for claim, signal, part in parts
        ],
    }


def failed_line(row_id: str | int | float, reason: str, rules: PolicyRules) -> dict[str, Any]:
    """Return the result of an answer that could not be checked: stated, and never below WARN."""
    return {
        "id": row_id,
        "risk_score": rules.warn_at,
        "action": Action.WARN.value,
        "hallucination_score": None,
        "claims": [],
        "error": reason,
    }


def _short(score: float | None) -> float | None:
    return None if score is None else round(score, DIGITS)
