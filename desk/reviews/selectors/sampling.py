"""The sampling plan: how much of the quality sample must be reviewed, and how much has been."""

from dataclasses import dataclass
from datetime import datetime
from math import ceil
from typing import Any

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    IntegerField,
    OuterRef,
    Q,
    Subquery,
    Value,
    When,
)

from analysis.models import Check, CheckState, Review, ReviewDecision, SamplingPlan
from desk.reviews.selectors.decision_counts import SETTLED
from lib.stats.bootstrap import highest_rate, sample_needed

BANDS = (25, 50, 75, 101)
"""The risk scores at which the bands end."""
FORMULA = (
    "n is the smallest number of reviewed answers whose wrong decisions keep the exact one-sided "
    "binomial bound (Clopper and Pearson, Biometrika 26, 1934) at or below the target. Without a "
    "wrong one, n = ln(1 - confidence) / ln(1 - target), which is near the rule of three: 3 / "
    "target for 95% (Hanley and Lippman-Hand, JAMA 249, 1983)."
)


@dataclass(frozen=True, slots=True)
class Stratum:
    """One stratum of a plan in a period, by action, band of the score and writing model.

    Of its `checks`, `sample_size` are in the quality sample, `decided` of these settled, and
    `wrong` of these overturned. `sample_needed` decided ones would do, given how many were wrong;
    `high` is the bound on the share of wrong decisions that those decided allow.
    """

    action: str
    band: str
    segment: str
    checks: int
    sample_size: int
    decided: int
    wrong: int
    sample_needed: int
    high: float
    is_met: bool

    @property
    def name(self) -> str:
        """The parts by which the plan divides."""
        return ", ".join(filter(None, (self.action, self.band, self.segment))) or "all"

    @property
    def share(self) -> float:
        """The share of the stratum to draw so that such a period gives `sample_needed`."""
        return min(1.0, self.sample_needed / self.checks)


def strata(plan: SamplingPlan, *, start: datetime, end: datetime) -> list[Stratum]:
    """Return the strata of checks submitted in [start, end), by two queries.

    A decision is wrong if its review overturned it; open ones and escalations are not settled.
    """
    keys = _keys(plan)
    checks = Check.objects.filter(
        application=plan.application_id,
        state=CheckState.DONE,
        created_at__gte=start,
        created_at__lt=end,
    ).order_by()
    reviews = Review.objects.filter(check_record=OuterRef("pk"))
    settled = reviews.filter(decision__in=SETTLED).order_by("-pk").values("decision")[:1]
    sample = (
        checks.filter(sampled=True)
        .annotate(**keys, last=Subquery(settled), is_open=Exists(reviews.filter(decision=None)))
        .values(*keys)
        .annotate(
            decided_count=Count("pk", filter=Q(last__isnull=False, is_open=False)),
            wrong_count=Count("pk", filter=Q(last=ReviewDecision.OVERTURNED, is_open=False)),
        )
    )
    by_key = {_place(row): row for row in sample}
    rows = checks.annotate(**keys).values(*keys)
    rows = rows.annotate(total=Count("pk"), drawn_count=Count("pk", filter=Q(sampled=True)))
    return [
        _stratum(plan, row, by_key.get(_place(row), {"decided_count": 0, "wrong_count": 0}))
        for row in sorted(rows, key=_place)
    ]


def share_needed(plan: SamplingPlan, parts: list[Stratum]) -> float:
    """Return the share of all checks to draw so that a period like this one meets the plan.

    One share is drawn of all alike, so that of the stratum that needs most counts.
    """
    share = max((part.share for part in parts), default=0.0)
    return min(plan.most_share, ceil(share * 1_000) / 1_000)


def _keys(plan: SamplingPlan) -> dict[str, Any]:
    bands = [When(risk_score__lt=end, then=Value(at)) for at, end in enumerate(BANDS)]
    return {
        "in_action": F("action") if plan.by_action else Value(""),
        "in_band": Case(*bands, output_field=IntegerField()) if plan.by_band else Value(-1),
        "in_segment": F("source_model") if plan.by_segment else Value(""),
    }


def _place(row: dict[str, Any]) -> tuple[str, int, str]:
    return row["in_action"], row["in_band"], row["in_segment"]


def _stratum(plan: SamplingPlan, row: dict[str, Any], sample: dict[str, Any]) -> Stratum:
    at, decided, wrong = row["in_band"], sample["decided_count"], sample["wrong_count"]
    high = highest_rate(wrong, decided, plan.confidence)
    return Stratum(
        action=row["in_action"],
        band="" if at < 0 else f"{BANDS[at - 1] if at else 0}-{BANDS[at] - 1}",
        segment=(row["in_segment"] or "(no model named)") if plan.by_segment else "",
        checks=row["total"],
        sample_size=row["drawn_count"],
        decided=decided,
        wrong=wrong,
        sample_needed=sample_needed(wrong, plan.most_error, plan.confidence),
        high=high,
        is_met=high <= plan.most_error,
    )
