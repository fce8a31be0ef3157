"""List filters that never read a whole column to learn its values."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import Q, QuerySet, TextChoices
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.filters import AddressFilter
from analysis.models import ReviewReason, ReviewStage
from analysis.services.months import first_id
from desk.reviews.selectors.reviews import overdue

_SLACK = timedelta(days=1)


class DayFilter(AddressFilter):
    """A filter by day of creation: a few links, and two date fields for any other range."""

    title = _("date")
    template = "admin/analysis/day_filter.html"
    parameters = FROM, TO = ("from", "to")

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.first, self.last = (_day(self.given.get(name, "")) for name in self.parameters)

    def has_output(self) -> bool:
        """Return True: the filter always shows, since any date can be chosen."""
        return True

    def choices(self, changelist: ChangeList) -> Iterator[dict[str, Any]]:
        """Yield the links: any date, today, the last 7 and 30 days."""
        today = timezone.localdate()
        yield self._choice(changelist, gettext("Any date"), None)
        yield self._choice(changelist, gettext("Today"), today)
        yield self._choice(changelist, gettext("Last 7 days"), today - timedelta(days=6))
        yield self._choice(changelist, gettext("Last 30 days"), today - timedelta(days=29))

    def _choice(self, changelist: ChangeList, words: str, first: date | None) -> dict[str, Any]:
        new = {self.FROM: first.isoformat()} if first else {}
        return {
            "selected": self.first == first and self.last is None,
            "query_string": changelist.get_query_string(new, [self.FROM, self.TO]),
            "display": words,
            "others": changelist.get_filters_params().items(),
        }

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Filter by whole days in the server's time zone, both ends included.

        Ids contain their time of creation, by another clock: bounds on the id, with a day of slack,
        let every index that ends with the id serve a range of days.
        """
        if self.first:
            begin = _midnight(self.first)
            queryset = queryset.filter(created_at__gte=begin, id__gte=first_id(begin, -_SLACK))
        if self.last:
            end = _midnight(self.last + timedelta(days=1))
            queryset = queryset.filter(created_at__lt=end, id__lt=first_id(end, _SLACK))
        return queryset


class OpenFilter(admin.SimpleListFilter):
    """A filter by state that shows open reviews by default."""

    title = _("state")
    parameter_name = "state"
    DECIDED = "decided"

    def lookups(
        self, request: HttpRequest, model_admin: admin.ModelAdmin[Any]
    ) -> list[tuple[str, str]]:
        return [(self.DECIDED, gettext("Decided"))]

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        """Yield the choices, with Django's "All" renamed to "Open"."""
        first, *others = super().choices(changelist)
        yield {**first, "display": _("Open")}
        yield from others

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return open reviews unless decided ones are asked for."""
        return queryset.filter(decision__isnull=self.value() != self.DECIDED)


class _ChoiceFilter(admin.SimpleListFilter):
    """A filter by a field with choices, which are not read from the table."""

    offered: type[TextChoices]

    def lookups(
        self, request: HttpRequest, model_admin: admin.ModelAdmin[Any]
    ) -> list[tuple[str, str]]:
        return [(str(value), str(label)) for value, label in self.offered.choices]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        value = self.value()
        return queryset.filter(Q((str(self.parameter_name), value))) if value else queryset


class ReasonFilter(_ChoiceFilter):
    title = _("reason")
    parameter_name = "reason"
    offered = ReviewReason


class StageFilter(_ChoiceFilter):
    title = _("stage")
    parameter_name = "stage"
    offered = ReviewStage


class DueFilter(admin.SimpleListFilter):
    """A filter for overdue reviews."""

    title = _("due date")
    parameter_name = "due"
    OVERDUE = "overdue"

    def lookups(
        self, request: HttpRequest, model_admin: admin.ModelAdmin[Any]
    ) -> list[tuple[str, str]]:
        return [(self.OVERDUE, gettext("Overdue"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(overdue()) if self.value() == self.OVERDUE else queryset


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))
