"""Writes reason codes: adds, relabels or retires them; the trail says by whom."""

from django.contrib.auth.models import User
from django.db import transaction

from analysis.models import ReasonCode
from audit.models import Event
from audit.services import append


@transaction.atomic
def save_code(*, code: ReasonCode, by: User) -> None:
    """Save a new or changed reason code."""
    code.save()
    append(
        Event.REASON_CODE_CHANGED,
        subject=code,
        by=by.get_username(),
        code=code.code,
        label=code.label,
        decision=code.decision,
        is_active=code.is_active,
    )
