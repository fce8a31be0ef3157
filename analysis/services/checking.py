"""Running a check: measure the answer, decide by the policy in force, record both at once."""

from dataclasses import dataclass
from random import SystemRandom
from time import perf_counter
from typing import Any
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models.functions import Now

from analysis import doorbell
from analysis.engine import Decision, Measurement, decide, measure
from analysis.engine.types import Action
from analysis.models import (
    AnnotatedAnswer,
    Check,
    CheckState,
    Claim,
    Policy,
    Review,
    ReviewReason,
)
from analysis.selectors.submissions import submission_of
from analysis.services.life import LeaseLost, claim, give_back
from analysis.services.policies import active_policy, rules_of
from audit.models import Event
from audit.services import append

log = structlog.get_logger(__name__)
_random = SystemRandom()


@dataclass(frozen=True, slots=True)
class Result:
    """What a worker found, before it is recorded. `milliseconds` is its own time."""

    policy: Policy
    measurement: Measurement
    decision: Decision
    milliseconds: float


def run_check(check_id: UUID) -> bool:
    """Check one answer; False when there was nothing to do or the attempt failed.

    Safe to call twice or late: only who holds the lease records a result.
    """
    check = claim(check_id)
    if check is None:
        return False
    try:
        record(check, _result(check))
    except LeaseLost:
        log.warning("lease_lost", check_id=str(check_id))
        return False
    except Exception as error:
        log.error("check_failed", check_id=str(check_id), exc_info=error)
        give_back(check, error=type(error).__name__)
        return False
    doorbell.announce(check_id)
    return True


def _result(check: Check) -> Result:
    started = perf_counter()
    policy = active_policy(check.application_id)
    measurement = measure(submission_of(check))
    decision = decide(check.answer, measurement, rules_of(policy.pk))
    return Result(policy, measurement, decision, (perf_counter() - started) * 1000)


@transaction.atomic
def record(check: Check, result: Result) -> None:
    """Finish the check and keep its result, in one transaction. Raises LeaseLost."""
    rate = check.application.quality_sample_rate
    sampled = _random.random() < rate
    _finish(check, result.decision, sampled=sampled, probability=rate)
    _keep(check, result)
    reason = review_reason(result.decision.action, sampled=sampled)
    if reason is not None:
        Review.objects.create(
            check_record=check, application_id=check.application_id, reason=reason
        )
    append(
        Event.CHECK_DECIDED,
        subject=check,
        by="watchdog",
        application_id=check.application_id,
        action=str(result.decision.action),
        risk_score=result.decision.risk.risk_score,
        policy_version=result.policy.version,
    )


def review_reason(action: Action, *, sampled: bool) -> ReviewReason | None:
    """Why a decided check goes to the desk, if it does."""
    if action is Action.BLOCK:
        return ReviewReason.BLOCK
    if action is Action.WARN:
        return ReviewReason.WARN
    return ReviewReason.QUALITY_SAMPLE if sampled else None


def _finish(check: Check, decision: Decision, *, sampled: bool, probability: float) -> None:
    mine = Check.objects.filter(pk=check.pk, epoch=check.epoch, state=CheckState.RUNNING)
    changed = mine.update(
        state=CheckState.DONE,
        lease_until=None,
        action=str(decision.action),
        risk_level=str(decision.risk.risk_level),
        risk_score=decision.risk.risk_score,
        sampled=sampled,
        sampling_probability=probability,
        finished_at=Now(),
    )
    if not changed:
        raise LeaseLost


def _keep(check: Check, result: Result) -> None:
    measured, decided = result.measurement.to_json(), result.decision.to_json()
    parts = zip(measured.pop("claims"), measured.pop("signals"), decided.pop("claims"), strict=True)
    answer = AnnotatedAnswer(
        check_record=check,
        policy=result.policy,
        engine_version=result.measurement.engine_version,
        measurement=measured,
        decision=decided,
        milliseconds=result.milliseconds,
    )
    answer.save(force_insert=True)
    Claim.objects.bulk_create([_claim(answer, *part) for part in parts], batch_size=1_000)


def _claim(
    answer: AnnotatedAnswer, claim: dict[str, Any], signal: dict[str, Any], decided: dict[str, Any]
) -> Claim:
    return Claim(
        **claim,
        annotated_answer=answer,
        status=decided["status"],
        reason=decided["reason"] or "",
        signal=signal,
        decision=decided,
    )
