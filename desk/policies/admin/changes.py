"""What differs between two versions of a policy, in the words of its form."""

from dataclasses import dataclass
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from analysis.engine.policy.rules import PolicyRules
from analysis.models import Policy
from audit.models import Event, TrailEntry
from desk.policies.admin.form import value_at, words_of
from desk.policies.admin.words import GROUPS


@dataclass(frozen=True, slots=True)
class SettingChange:
    """One setting that differs."""

    label: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.label}: {self.before} → {self.after}"


def changes(before: dict[str, Any], after: dict[str, Any]) -> list[SettingChange]:
    """The settings that differ, in the order of the form; what a document lacks is its default."""
    old, new = (PolicyRules.from_json(rules).to_json() for rules in (before, after))
    return [
        SettingChange(
            str(setting.label),
            words_of(setting, value_at(old, setting.path)),
            words_of(setting, value_at(new, setting.path)),
        )
        for group in GROUPS
        for setting in group.settings
        if value_at(old, setting.path) != value_at(new, setting.path)
    ]


def with_rules_before(policies: QuerySet[Policy]) -> QuerySet[Policy]:
    """Each version with `rules_before` and `version_before`, those of the version before it."""
    earlier = Policy.objects.filter(
        application=OuterRef("application"), version__lt=OuterRef("version")
    ).order_by("-version")
    return policies.annotate(
        rules_before=Subquery(earlier.values("rules")[:1]),
        version_before=Subquery(earlier.values("version")[:1]),
    )


def activations(policy: Policy) -> list[TrailEntry]:
    """When this version was put in force, by whom and why, the last time first."""
    entries = TrailEntry.objects.filter(
        event=Event.POLICY_ACTIVATED, subject_type="policy", subject_id=str(policy.pk)
    )
    return list(entries.order_by("-id"))


def in_force_before(active: Policy) -> Policy | None:
    """The version that the one in force replaced; None for the first."""
    entries = TrailEntry.objects.filter(
        event=Event.POLICY_ACTIVATED, application_id=active.application_id
    ).exclude(subject_id=str(active.pk))
    last = entries.order_by("-id").values_list("subject_id", flat=True).first()
    return Policy.objects.filter(pk=last).first() if last else None
