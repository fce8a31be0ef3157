"""Legal holds: placed and lifted by people, with an entry in the trail each."""

from django.db import transaction
from django.db.models.functions import Now

from accounts.models import Application
from analysis.models import Check, LegalHold
from audit.models import Event
from audit.services import append


@transaction.atomic
def place_hold(
    *, application: Application, check: Check | None = None, reason: str, by: str
) -> LegalHold:
    """Forbid erasing a check or a whole application; return the existing hold if there is one."""
    hold, is_new = LegalHold.objects.get_or_create(
        application=application,
        check_record=check,
        lifted_at=None,
        defaults={"reason": reason, "placed_by": by},
    )
    if is_new:
        _note(Event.HOLD_PLACED, hold, by, reason)
    return hold


@transaction.atomic
def lift_hold(hold: LegalHold, *, by: str, reason: str = "") -> bool:
    """Allow erasure again; return False if the hold was already lifted."""
    changed = LegalHold.objects.filter(pk=hold.pk, lifted_at=None).update(
        lifted_at=Now(), lifted_by=by
    )
    if changed:
        _note(Event.HOLD_LIFTED, hold, by, reason)
    return bool(changed)


def _note(event: Event, hold: LegalHold, by: str, reason: str) -> None:
    append(
        event,
        subject=hold,
        by=by,
        check=hold.check_record_id and str(hold.check_record_id),
        reason=reason,
    )
