"""The thresholds of the policies in force, as lines of the risk histogram."""

from collections import defaultdict
from collections.abc import Mapping
from uuid import UUID

from django.utils.translation import gettext as _

from analysis.engine.policy.rules import PolicyRules
from analysis.models import Policy
from analysis.trends.metrics import RISK_STEP
from desk.dashboard.page_parts import AxisLine


def lines(applications: Mapping[UUID, str]) -> list[AxisLine]:
    """Return a line for each threshold, naming what begins there, and in which applications."""
    begins: dict[tuple[int, str], list[str]] = defaultdict(list)
    active = Policy.objects.filter(application__in=list(applications), is_active=True)
    for application, stored_rules in active.values_list("application_id", "rules"):
        rules = PolicyRules.from_json(stored_rules)
        begins[rules.warn_at, "warn"].append(applications[application])
        begins[rules.block_at, "block"].append(applications[application])
    return [
        AxisLine(score / RISK_STEP, _words(score, what, names, len(applications)))
        for (score, what), names in sorted(begins.items())
    ]


def _words(score: int, what: str, names: list[str], of: int) -> str:
    where = "" if len(names) == of else f" ({', '.join(sorted(names))})"
    text = _("warn from %d") if what == "warn" else _("block from %d")
    return f"{text % score}{where}"
