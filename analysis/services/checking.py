"""Runs a check: measures the answer, decides by the policy in force, records both at once."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from random import SystemRandom
from time import perf_counter
from typing import Any
from uuid import UUID

import structlog
from django.conf import settings
from django.db import connection, transaction

from analysis.engine import Decision, Measurement, decide
from analysis.engine.codec import encode
from analysis.engine.policy import ReviewRules, candidates, to_measure
from analysis.engine.types import Action
from analysis.models import Check, Review, ReviewReason
from analysis.selectors.refining import NOT_LOOKED_FOR, Suggestions, suggested_questions
from analysis.selectors.submissions import Prepared, prepare, with_input
from analysis.services.answer_vectors import EmbeddingRow, embedding
from analysis.services.due import due_at
from analysis.services.lifecycle import CHECKS, terms_of
from analysis.services.measuring import measure_submission
from analysis.services.policies import active_policy, rules_of
from analysis.services.probing import PLAYGROUND
from analysis.services.time_limit import TimeLimit
from analysis.services.trials import NO_TRIAL, assignment_of, judge_in_shadow, row_of
from analysis.sql import load
from inference.judge.types import Judge
from lib.telemetry.attributes import GUARDRAIL, KIND, RETRIEVER, documents, input_attributes, text
from lib.telemetry.tracing import Attributes, span
from lib.workqueue.broker import announce_end
from lib.workqueue.queue import LeaseLost
from notifications.services import ask_for_delivery

log = structlog.get_logger(__name__)
NOT_CHECKED_CODE = "not_checked_"
_random = SystemRandom()
_FINISH = load("finish_check")
_SEEDED = {
    Action.ALLOW: ReviewReason.QUALITY_SAMPLE,
    Action.WARN: ReviewReason.WARN,
    Action.BLOCK: ReviewReason.BLOCK,
}
"""The queue of a seeded case that the policy itself would have nobody review."""


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of a check before it is recorded. `milliseconds` is the worker's time.

    `in_shadow` is what remains to be done of a trial once the client has its answer.
    """

    policy_id: int
    measurement: Measurement
    decision: Decision
    embedded: EmbeddingRow
    milliseconds: float
    suggestions: Suggestions = NOT_LOOKED_FOR
    trial: dict[str, Any] = field(default_factory=NO_TRIAL.copy)
    in_shadow: Callable[[], None] | None = None


def run_check(check_id: UUID) -> bool:
    """Check one answer; return False if there was nothing to do or the attempt failed.

    Safe to call twice or late: only the holder of the lease records a result.
    """
    check = CHECKS.claim(check_id)
    if check is None:
        return False
    try:
        with span("check", input_of(check), kind="CONSUMER") as check_span:
            result = _result(check)
            record(check, result)
            check_span.set(verdict_of(result.decision))
    except LeaseLost:
        log.warning("lease_lost", check_id=str(check_id))
        return False
    except Exception as error:
        log.error("check_failed", check_id=str(check_id), exc_info=error)
        CHECKS.retry(check, error=type(error).__name__)
        return False
    announce_end(check_id)
    if result.in_shadow:
        try:
            result.in_shadow()
        except Exception as error:  # the check has its result, whatever becomes of the trial
            log.error("shadow_failed", check_id=str(check_id), exc_info=error)
    return True


def _result(check: Check) -> Result:
    started = perf_counter()
    limit = TimeLimit.of(settings.CHECK_SOFT_LIMIT_SECONDS, settings.CHECK_CPU_SECONDS)
    terms = terms_of(check)
    active = terms.active_policy_id or active_policy(check.application_id).pk
    assignment = None if check.is_probe else assignment_of(check, terms.open_trial, active)
    policy_id = assignment.policy_id if assignment else active
    rules = rules_of(policy_id)
    if check.is_probe and check.metadata.get("channel") != PLAYGROUND:
        # Held answers warn; of a probe that would hide a miss, or be a false alarm.
        rules = rules.without_hold()
    prepared = prepare_in_span(check)
    with embedding(check.query, check.answer) as vectors:
        measurement = with_input(
            check,
            prepared,
            measure_submission(prepared.submission, to_measure(rules, check.collections), limit),
        )
        decision = decide(check.answer, measurement, rules, check.collections)
    suggestions = suggested_questions(check, measurement, decision, rules)
    other = rules_of(assignment.trial.policy_id) if assignment else rules
    trial = row_of(assignment, measurement, rules, other, check.collections)
    milliseconds = (perf_counter() - started) * 1000
    result = Result(policy_id, measurement, decision, vectors(), milliseconds, suggestions, trial)
    if assignment is None or not assignment.trial.judge:
        return result

    def again(claim_judge: Judge) -> Measurement:
        """Measure by another judge, in what is left of the check's time, the same samples."""
        samples = prepared.submission.samples or measurement.samples_drawn
        submission = replace(prepared.submission, samples=samples)
        undrawn = replace(to_measure(rules, check.collections), draw_samples=0)
        return with_input(
            check, prepared, measure_submission(submission, undrawn, limit, claim_judge)
        )

    in_shadow = partial(judge_in_shadow, check, assignment.trial, again, rules, other)
    return replace(result, in_shadow=in_shadow)


def record(check: Check, result: Result) -> None:
    """Store the result, finish the check and notify, in one statement. Raises LeaseLost."""
    terms = terms_of(check)
    rate = 0.0 if check.is_probe and not terms.is_seeded else terms.quality_sample_rate
    sampled = _random.random() < rate
    asking = [rules for _, rules in candidates(rules_of(result.policy_id), check.collections)]
    reason = review_reason(result.decision, [rules.review for rules in asking], sampled=sampled)
    hold = None if check.is_probe else result.decision.hold
    if terms.is_seeded and reason is None:
        reason = _SEEDED[result.decision.action]
    sampled = sampled or reason is ReviewReason.QUALITY_SAMPLE
    hours = hold.hours if hold else None
    row = (
        _row(check, result)
        | result.trial
        | {
            "sampled": sampled,
            "sampling_probability": rate,
            "review_reason": reason,
            "rank_minutes": Review.MINUTES_A_POINT * result.decision.risk.risk_score,
            "review_due_at": due_at(terms, reason, hours=hours) if reason else None,
            "held": hold is not None,
            "is_seeded": terms.is_seeded,
        }
    )
    with connection.cursor() as cursor:
        cursor.execute(_FINISH, row)
        finished = cursor.fetchone()
    if finished is None:
        raise LeaseLost
    if finished[1]:
        transaction.on_commit(ask_for_delivery)


def review_reason(
    decision: Decision, asking: Sequence[ReviewRules], *, sampled: bool
) -> ReviewReason | None:
    """Return why a decided check needs a review, or None; one of the rules `asking` is enough.

    A check that was not fully checked is reviewed whatever the rules say, and so is a held one.
    """
    if decision.hold:
        return ReviewReason.HELD
    unfinished = any(reason.code.startswith(NOT_CHECKED_CODE) for reason in decision.reasons)
    if decision.action is Action.BLOCK and (unfinished or any(item.blocked for item in asking)):
        return ReviewReason.BLOCK
    if decision.action is Action.WARN and (unfinished or any(item.warned for item in asking)):
        return ReviewReason.WARN
    if decision.action is Action.ALLOW and unfinished:
        return ReviewReason.NOT_CHECKED
    return ReviewReason.QUALITY_SAMPLE if sampled else None


def _row(check: Check, result: Result) -> dict[str, Any]:
    measurement, decision = result.measurement.to_json(), result.decision.to_json()
    parts = zip(
        measurement.pop("claims"), measurement.pop("signals"), decision.pop("claims"), strict=True
    )
    claims = [
        {
            **claim,
            "status": decided["status"],
            "reason": decided["reason"] or "",
            "signal": signal,
            "decision": decided,
        }
        for claim, signal, decided in parts
    ]
    outcome = {
        "action": decision["action"],
        "risk_score": decision["risk"]["risk_score"],
        "policy_id": result.policy_id,
        "engine_version": result.measurement.engine_version,
    }
    return {
        **outcome,
        "id": check.pk,
        "epoch": check.epoch,
        "risk_level": decision["risk"]["risk_level"],
        "measurement": json.dumps(measurement),
        "decision": json.dumps(decision),
        "suggestions": json.dumps(encode(result.suggestions)),
        "milliseconds": result.milliseconds,
        "claims": json.dumps(claims),
        "claim_count": len(claims),
        "embedding_model": result.embedded.model,
        "query_vector": result.embedded.query,
        "answer_vector": result.embedded.answer,
        "embedding_truncated": result.embedded.truncated,
        "embedding_reason": result.embedded.reason,
        "trail": json.dumps(outcome),
    }


# Attributes of a check's tracing spans.


def input_of(check: Check) -> Attributes:
    ids = {"check_id": str(check.pk), "application_id": str(check.application_id)}
    return input_attributes(GUARDRAIL, check.query, check.answer, ids)


def prepare_in_span(check: Check) -> Prepared:
    """Return the check as the engine reads it, in a span with its sources."""
    with span("retrieve", {KIND: RETRIEVER, **text("input", check.query)}) as retrieval_span:
        prepared_check = prepare(check)
        sources = prepared_check.submission.sources or ()
        retrieval_span.set(documents([(s.source_id, s.text, s.relevance) for s in sources]))
        return prepared_check


def verdict_of(decision: Decision) -> Attributes:
    """Return action, risk and the number of claims by status as span attributes."""
    claims = Counter(str(claim.status) for claim in decision.claims)
    claim_counts = {
        f"watchdog.claims.{status.lower().replace(' ', '_')}": count
        for status, count in claims.items()
    }
    return {
        "watchdog.action": str(decision.action),
        "watchdog.risk_score": decision.risk.risk_score,
        "watchdog.risk_level": str(decision.risk.risk_level),
        **claim_counts,
        **text("output", decision.final_response),
    }
