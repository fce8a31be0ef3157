"""Saves sampling plans, and sets the share of the quality sample that follows from them."""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from accounts.models import Application
from accounts.services import change_application
from analysis.models import SamplingPlan
from audit.models import Event
from audit.services import append
from desk.reviews.selectors.sampling import share_needed, strata

_CHANGE_WORTH = 0.1
"""A share is left alone until the one needed differs by this part of it."""
FIELDS = (
    "most_error", "confidence", "days", "by_action", "by_band", "by_segment", "automatic",
    "most_share",
)  # fmt: skip


@transaction.atomic
def save_plan(*, plan: SamplingPlan, by: str) -> None:
    """Save an application's plan, whose fields are valid; an automatic one sets the share."""
    plan.save()
    values = {name: getattr(plan, name) for name in FIELDS}
    append(Event.APPLICATION_CHANGED, subject=plan.application, by=by, sampling_plan=values)
    if plan.automatic:
        adjust_share(plan, timezone.now())


def adjust_shares(now: datetime) -> int:
    """Set the share of each application whose plan is automatic; return how many changed."""
    plans = SamplingPlan.objects.filter(automatic=True).select_related("application")
    return sum(adjust_share(plan, now) for plan in plans)


@transaction.atomic
def adjust_share(plan: SamplingPlan, now: datetime) -> bool:
    """Set the application's share to what the plan needs, with an entry in the trail."""
    parts = strata(plan, start=now - timedelta(days=plan.days), end=now)
    if not parts:
        return False  # nothing says yet how many checks a period has
    application = Application.objects.select_for_update(no_key=True).get(pk=plan.application_id)
    before, share = application.quality_sample_rate, share_needed(plan, parts)
    if abs(share - before) <= _CHANGE_WORTH * before:
        return False
    application.quality_sample_rate = share
    change_application(application=application, fields=["quality_sample_rate"], by="watchdog")
    return True
