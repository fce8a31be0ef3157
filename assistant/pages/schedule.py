"""A manager's briefing by e-mail: its schedule, started, changed and stopped.

Uses the same services as `manage.py briefing`.
"""

from datetime import datetime
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.utils import dateformat, timezone
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from assistant.models import BriefingSchedule
from assistant.pages.access import manager_for
from assistant.selectors import last_mail_of, schedule_of
from assistant.services.briefings import next_at, schedule, unschedule

_WORKDAYS = [0, 1, 2, 3, 4]


def _zones() -> list[tuple[str, str]]:
    return [(zone, zone.replace("_", " ")) for zone in sorted(available_timezones())]


class ScheduleForm(forms.Form):
    """A form for the time and address of a briefing."""

    at = forms.TimeField(
        label=_("Time of day"), widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"})
    )
    weekdays = forms.TypedMultipleChoiceField(
        label=_("Days"),
        coerce=int,
        choices=list(WEEKDAYS.items()),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one day.")},
    )
    zone = forms.ChoiceField(label=_("Time zone of the site"), choices=_zones)
    email = forms.EmailField(
        label=_("E-mail address"), widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )

    def __init__(self, *args: Any, own_address: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._own_address = own_address

    def clean_email(self) -> str:
        """Allow the user's own address, or one of a domain that the operator allows."""
        email = str(self.cleaned_data["email"])
        domain = email.rpartition("@")[2].lower()
        if email.lower() != self._own_address.lower() and domain not in settings.BRIEFING_DOMAINS:
            raise forms.ValidationError(
                gettext(
                    "Briefings go to the address of your account, or to a domain that the operator "
                    "allows (BRIEFING_DOMAINS)."
                )
            )
        return email


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def briefings(request: HttpRequest, manager_id: UUID) -> HttpResponse:
    """Show the schedule; POST starts or changes it."""
    manager = manager_for(request.user, manager_id)
    current = schedule_of(manager)
    own_address = request.user.email if isinstance(request.user, User) else ""
    initial = _initial(own_address, current)
    form = ScheduleForm(request.POST or None, initial=initial, own_address=own_address)
    if request.method == "POST" and form.is_valid():
        schedule(manager, **form.cleaned_data)
        messages.success(request, gettext("Scheduled."))
        return redirect("assistant_schedule", manager.pk)
    context = {
        "manager": manager,
        "form": form,
        "schedule": current,
        "next_at": _local_time(next_at(current, timezone.now())) if current else "",
        "last": last_mail_of(manager),
        "can_send": bool(settings.EMAIL_HOST),
        "icons": static("watchdog/icons.svg"),
    }
    return render(request, "assistant/schedule.html", context)


@login_required
@require_POST
def stop(request: HttpRequest, manager_id: UUID) -> HttpResponse:
    manager = manager_for(request.user, manager_id)
    was_scheduled = unschedule(manager)
    none = gettext("None was scheduled.")
    messages.success(request, gettext("No more will be sent.") if was_scheduled else none)
    return redirect("assistant_schedule", manager.pk)


def _initial(own_address: str, schedule: BriefingSchedule | None) -> dict[str, object]:
    """Return the form's initial values: the schedule, else workdays at 06:30."""
    if schedule is not None:
        return {
            "at": schedule.at, "weekdays": schedule.weekdays, "zone": schedule.timezone,
            "email": schedule.email,
        }  # fmt: skip
    zone = ZoneInfo(settings.TIME_ZONE).key
    return {"at": "06:30", "weekdays": _WORKDAYS, "zone": zone, "email": own_address}


def _local_time(at: datetime | None) -> str:
    """Return the local time of the site, not that of the page."""
    return dateformat.format(at, gettext("l j F Y, H:i")) if at else ""
