"""Stored checks as a policy decides them again, and what a version makes of regression cases."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import connection

from analysis.engine.policy import PolicyRules
from analysis.engine.replay import StoredCheck, replay_one
from analysis.engine.types import Action
from analysis.models import Case, CaseUse, CheckState, Policy
from analysis.sql import load

_AT_ONCE = 250
_REPLAY = load("replay")


@dataclass(frozen=True, slots=True)
class CaseOutcome:
    """A regression case under a version: `action` is empty where `cannot` says why."""

    case: Case
    action: str
    cannot: str = ""

    @property
    def passed(self) -> bool:
        """A bad answer is flagged, and a good one allowed; what was not decided has not passed."""
        return bool(self.action) and (self.action != Action.ALLOW) == self.case.is_bad


def case_outcomes(application_id: UUID, rules: PolicyRules) -> list[CaseOutcome]:
    """Return what these rules make of the application's regression cases, by name.

    Stored measurements are decided again, and no model runs. That answers are held is left out: a
    good one would warn.
    """
    rules = rules.without_hold()
    cases = Case.objects.filter(application=application_id, use=CaseUse.REGRESSION)
    cases = cases.filter(check_record__input_erased_at=None).order_by("name", "pk")
    of_checks = list(cases.select_related("check_record"))
    done = [case.pk for case in of_checks if case.check_record.state == CheckState.DONE]
    replayed = {
        row.check_id: replay_one(row, decided_by[row.policy_id], rules)
        for rows, decided_by in parts(done)
        for row in rows
    }
    return [
        CaseOutcome(case, outcome.after.action if outcome.after else "", outcome.cannot)
        if (outcome := replayed.get(case.pk))
        else CaseOutcome(case, "", f"The check is {case.check_record.state}.")
        for case in of_checks
    ]


def parts(ids: Sequence[UUID]) -> Iterator[tuple[list[StoredCheck], dict[int, PolicyRules]]]:
    """Yield the stored checks in parts, with the rules that decided them."""
    rules_by_policy = dict[int, PolicyRules]()
    for at in range(0, len(ids), _AT_ONCE):
        with connection.cursor() as cursor:
            cursor.execute(_REPLAY, {"ids": list(ids[at : at + _AT_ONCE])})
            rows = [StoredCheck(*row) for row in cursor.fetchall()]
        policy_ids = {row.policy_id for row in rows}
        policies = Policy.objects.filter(pk__in=policy_ids - rules_by_policy.keys()).only("rules")
        for policy in policies:
            rules_by_policy[policy.pk] = PolicyRules.from_json(policy.rules)
        yield rows, {pk: rules_by_policy[pk] for pk in policy_ids}
