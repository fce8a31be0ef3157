"""List filters for admin pages that belong to an application."""

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.access import applications_of


class AddressFilter(admin.ListFilter):
    """A filter that reads its `parameters` from the URL."""

    parameters: tuple[str, ...] = ()

    def __init__(
        self,
        request: HttpRequest,
        params: dict[str, Any],
        model: Any,
        model_admin: admin.ModelAdmin[Any],
    ) -> None:
        super().__init__(request, params, model, model_admin)
        for name in self.parameters:
            if name in params:
                self.used_parameters[name] = params.pop(name)[-1]
        self.given = {name: str(value) for name, value in self.used_parameters.items()}

    def expected_parameters(self) -> list[str | None]:
        """Return the URL parameters of this filter."""
        return list(self.parameters)


class ApplicationFilter(admin.SimpleListFilter):
    """A filter by application, among those that this person may see."""

    title = _("application")
    parameter_name = "application"
    path = "application"
    """The lookup that leads from a row to its application."""

    def lookups(
        self, request: HttpRequest, model_admin: admin.ModelAdmin[Any]
    ) -> list[tuple[str, str]]:
        return [(str(a.pk), a.name) for a in applications_of(request.user)]

    def has_output(self) -> bool:
        """Return whether there is something to choose, or something was chosen."""
        return len(self.lookup_choices) > 1 or self.value() is not None

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Filter by application; an unknown or foreign id shows nothing."""
        value = self.value()
        if value is None:
            return queryset
        is_choice = value in {pk for pk, _ in self.lookup_choices}
        return queryset.filter(Q((self.path, value))) if is_choice else queryset.none()


class ActiveFilter(admin.BooleanFieldListFilter):
    """The filter for active rows, named like the column."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.title = _("active")
