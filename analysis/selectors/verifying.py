"""Decides stored checks again from their signals, and compares with the stored decision."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from analysis.engine import ENGINE_VERSION, Measurement, PolicyRules, decide
from analysis.models import AnnotatedAnswer
from analysis.records.document import differing_columns
from analysis.selectors.results import stored_decision, stored_measurement

_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class VerifiedDecision:
    """One stored decision; `differs` names the members that came out differently.

    `engine` is None if it was decided by an engine version whose rules this build does not contain.
    """

    check_id: UUID
    engine: str | None
    differs: tuple[str, ...]


def _stored() -> QuerySet[AnnotatedAnswer]:
    """Return the decisions on traffic; probes and cases are decided as if nothing were held."""
    return AnnotatedAnswer.objects.filter(check_record__is_probe=False)


def stored_count() -> int:
    return _stored().count()


def verify_decisions() -> Iterator[VerifiedDecision]:
    """Decide every stored decision again under the policy version that it names."""
    results = _stored().select_related("check_record", "policy").order_by("pk")
    for answer in results.prefetch_related("claims").iterator(chunk_size=_AT_ONCE):
        yield verify_decision(answer)


def verify_decision(answer: AnnotatedAnswer) -> VerifiedDecision:
    """Decide one stored decision again; the answer has its check, policy and claims loaded."""
    columns = tuple(f"stored {name}" for name in differing_columns(_columns(answer)))
    if answer.engine_version != ENGINE_VERSION:
        return VerifiedDecision(answer.check_record_id, None, columns)
    measurement = Measurement.from_json(stored_measurement(answer))
    rules = PolicyRules.from_json(answer.policy.rules)
    check = answer.check_record
    again = decide(check.answer, measurement, rules, check.collections).to_json()
    before = stored_decision(answer)
    now = json.loads(json.dumps(again))
    differs = tuple(name for name in now if now[name] != before.get(name))
    return VerifiedDecision(answer.check_record_id, answer.engine_version, (*differs, *columns))


def _columns(answer: AnnotatedAnswer) -> dict[str, Any]:
    """Return the columns of a check and its claims beside the decision."""
    check, claims = answer.check_record, answer.claims.all()
    outcome = {name: getattr(check, name) for name in ("action", "risk_score", "risk_level")}
    members = ("claim_id", "status", "reason", "decision")
    rows = [{name: getattr(claim, name) for name in members} for claim in claims]
    return {**outcome, "decision": answer.decision, "claims": rows}
