"""The differences between two policy versions, in the labels of the form."""

from dataclasses import dataclass
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from analysis.engine.policy import PolicyRules
from analysis.models import Policy
from audit.models import Event, TrailEntry
from desk.policies.admin.form import value_at, words_of
from desk.policies.admin.words import SETTINGS


@dataclass(frozen=True, slots=True)
class SettingChange:
    """One changed setting."""

    label: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.label}: {self.before} → {self.after}"


def changes(before: dict[str, Any], after: dict[str, Any]) -> list[SettingChange]:
    """Return the changed settings in the order of the form; absent settings have their default."""
    old, new = (PolicyRules.from_json(rules).to_json() for rules in (before, after))
    return [
        SettingChange(
            str(setting.label),
            words_of(setting, value_at(old, setting.path)),
            words_of(setting, value_at(new, setting.path)),
        )
        for setting in SETTINGS.values()
        if value_at(old, setting.path) != value_at(new, setting.path)
    ]


def with_rules_before(policies: QuerySet[Policy]) -> QuerySet[Policy]:
    """Annotate each version with the `rules_before` and `version_before` of the previous one."""
    earlier = Policy.objects.filter(
        application=OuterRef("application"), version__lt=OuterRef("version")
    ).order_by("-version")
    return policies.annotate(
        rules_before=Subquery(earlier.values("rules")[:1]),
        version_before=Subquery(earlier.values("version")[:1]),
    )


def activations(policy: Policy) -> list[TrailEntry]:
    """Return the activations of this version (when, by whom, why), the latest first."""
    entries = TrailEntry.objects.filter(
        event=Event.POLICY_ACTIVATED, subject_type="policy", subject_id=str(policy.pk)
    )
    return list(entries.order_by("-id"))


def in_force_before(active: Policy) -> Policy | None:
    """Return the version that the active one replaced, or None for the first."""
    entries = TrailEntry.objects.filter(
        event=Event.POLICY_ACTIVATED, application_id=active.application_id
    ).exclude(subject_id=str(active.pk))
    last = entries.order_by("-id").values_list("subject_id", flat=True).first()
    return Policy.objects.filter(pk=last).first() if last else None
