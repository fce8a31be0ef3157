"""The filter bar of the dashboard: a form whose complete state is the URL."""

from datetime import date, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import Application
from desk.reviews.figures.dashboard_filter import LONGEST, DashboardFilter, DimensionValue

DAYS, DATES = 30, "dates"
_CHOICES = [
    ("1", _("Today")), ("7", _("Last 7 days")), ("30", _("Last 30 days")),
    ("90", _("Last 90 days")), ("365", _("Last 365 days")), (DATES, _("These dates:")),
]  # fmt: skip


class FilterBar(forms.Form):
    """The filters: application, period (UTC days, with today), one value of a dimension."""

    application = forms.ModelChoiceField(
        queryset=Application.objects.none(), required=False, empty_label=_("All applications")
    )
    days = forms.ChoiceField(choices=_CHOICES, required=False, label=_("Period"))
    only = forms.CharField(max_length=240, required=False)

    def __init__(self, applications: QuerySet[Application], parameters: dict[str, str]) -> None:
        dated = "from" in parameters or "to" in parameters
        default_days = DATES if dated else str(DAYS)
        data = {**parameters, "days": parameters.get("days") or default_days}
        super().__init__(data=data, auto_id="bar_%s")
        self.applications = list(applications)
        self.fields["from"] = _day(gettext("From"))
        self.fields["to"] = _day(gettext("To"))
        field = self.fields["application"]
        if isinstance(field, forms.ModelChoiceField):
            field.queryset = applications

    def clean_only(self) -> DimensionValue | None:
        encoded = self.cleaned_data["only"]
        part = DimensionValue.of(encoded) if encoded else None
        if encoded and part is None:
            raise ValidationError(_("There is no such breakdown of the checks."))
        return part

    def clean(self) -> dict[str, Any]:
        """Validate the dates: in order, after 2000, and not longer than can be shown."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get("days") == DATES and not self.errors:
            first, last = cleaned.get("from"), cleaned.get("to")
            if first is None and last is not None and last.year >= 2000:
                # The page about drift asks for the last day alone.
                first = cleaned["from"] = last - timedelta(days=DAYS - 1)
            if first is None or last is None:
                raise ValidationError(_("Choose the first and the last day."))
            if first > last:
                raise ValidationError(_("The period ends before it begins."))
            if (last - first).days >= LONGEST:
                raise ValidationError(_("At most %d days are shown at once.") % LONGEST)
            if first.year < 2000:
                raise ValidationError(_("The period begins before the year 2000."))
        return cleaned

    def filters(self) -> DashboardFilter:
        """Return the filters of a valid form."""
        cleaned = self.cleaned_data
        first, last = self._days()
        application = cleaned["application"]
        applications = [application] if application else self.applications
        return DashboardFilter(
            first=first,
            last=last,
            application=application.pk if application else None,
            applications=tuple(item.pk for item in applications),
            part=cleaned["only"],
        )

    def _days(self) -> tuple[date, date]:
        cleaned = self.cleaned_data
        if cleaned["days"] == DATES:
            return cleaned["from"], cleaned["to"]
        today = timezone.now().date()
        return today - timedelta(days=int(cleaned["days"]) - 1), today


def _day(label: str) -> forms.DateField:
    return forms.DateField(
        required=False, label=label, widget=forms.DateInput(attrs={"type": "date"})
    )
