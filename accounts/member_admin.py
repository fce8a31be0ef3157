"""The base of admin pages that leads edit: each row belongs to an application."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.utils import label_for_field
from django.contrib.admin.views.main import ORDER_VAR, ChangeList
from django.contrib.admin.widgets import RelatedFieldWidgetWrapper
from django.db import models
from django.db.models import ForeignKey, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.html import format_html
from django.utils.translation import gettext, gettext_lazy

from accounts import access
from accounts.filters import ApplicationFilter

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise
    from django_stubs_ext import StrOrPromise

HIDDEN_COLUMNS = "hidden-columns"
"""The cookie of a list, sent to its path alone."""
_YEAR_SECONDS = 365 * 24 * 3_600


def show_once(request: HttpRequest, words: str, secret: str) -> None:
    """Show a secret on the next page, with a button that copies it."""
    button = '{} <button type="button" class="wd-copy" data-copy="{}" data-copied="{}">{}</button>'
    messages.warning(
        request, format_html(button, words, secret, gettext("Copied"), gettext("Copy"))
    )


def yes_or_no(field: str, title: "_StrPromise") -> Callable[[Any, Any], str]:
    """Return a column that says of each row whether the field is true, in a word."""

    @admin.display(description=title, ordering=field)
    def column(_admin: Any, row: Any) -> str:
        return gettext("yes") if getattr(row, field) else gettext("no")

    return column


class PercentField(forms.FloatField):
    """A share from 0 to 1, written in percent; its bounds are in percent as well."""

    def __init__(self, *, min_value: float = 0, max_value: float = 100, **options: Any) -> None:
        super().__init__(min_value=min_value, max_value=max_value, **options)

    def prepare_value(self, value: Any) -> Any:
        return f"{100 * value:.6g}" if isinstance(value, float) else value

    def clean(self, value: Any) -> float | None:
        percent: float | None = super().clean(value)
        # Rounded, since 99.9 / 100 is a little above 0.999.
        return None if percent is None else round(percent / 100, 12)

    def has_changed(self, initial: Any, data: Any) -> bool:
        return super().has_changed(float(self.prepare_value(initial or 0.0)), data)


class ReadOnlyAdmin(admin.ModelAdmin[Any]):
    """A model whose rows are evidence: no add, no change, no delete."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class MemberList(ChangeList):
    """Rows in any order of their columns; some columns are left out.

    Those are the application where there is only one, and what this browser was asked to hide.
    """

    SORTED = 2_000
    """Rows, the first by the order of the list, among which another order is looked for."""

    def get_filters(self, request: HttpRequest) -> Any:
        """Choose the columns too, on whose numbers the order of the rows depends."""
        filters = super().get_filters(request)
        names = list(self.list_display)
        if not any(isinstance(spec, ApplicationFilter) for spec in filters[0]):
            names = [name for name in names if name not in ("application", "of_application")]
        first = next(name for name in names if name != "action_checkbox")
        fixed = {"action_checkbox", first, *(self.list_display_links or ())}
        hidden = {*request.COOKIES.get(HIDDEN_COLUMNS, "").split(".")} - fixed
        self.list_display = [name for name in names if name not in hidden]
        self.columns = [
            (name, label_for_field(name, self.model, self.model_admin), name not in hidden)
            for name in names
            if name not in fixed
        ]
        return filters

    def get_queryset(
        self, request: HttpRequest, exclude_parameters: list[str | None] | None = None
    ) -> QuerySet[Any]:
        """Sort only the first rows by another column, whose cost does not grow with the list."""
        rows: QuerySet[Any] = super().get_queryset(request, exclude_parameters)
        if ORDER_VAR not in self.params:
            return rows
        first = rows.order_by(*self.model_admin.get_ordering(request)).values("pk")[: self.SORTED]
        return rows.filter(pk__in=first)


class ListAdmin(admin.ModelAdmin[Any]):
    """An admin with the look of all lists and forms of the product."""

    formfield_overrides = {
        models.DateTimeField: {
            "form_class": forms.DateTimeField,
            "widget": forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        },
        models.TimeField: {"widget": forms.TimeInput({"type": "time"}, format="%H:%M")},
    }
    empty_value_display = ""
    empty_list: "StrOrPromise" = gettext_lazy("There is nothing here yet.")
    """The sentence in place of a list without rows: what belongs there."""
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER  # a facet counts the whole table for each choice

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[MemberList]:
        return MemberList

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Return the field alone, without buttons that change what it refers to."""
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if field is not None and isinstance(field.widget, RelatedFieldWidgetWrapper):
            field.widget = field.widget.widget
        if isinstance(field, forms.ModelChoiceField) and field.required and field.empty_label:
            field.empty_label = gettext_lazy("Choose …")
        return field

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the list, or keep in this browser which of its columns were chosen."""
        offered = request.POST.getlist("offered")
        if not offered:
            return super().changelist_view(request, extra_context)
        columns = request.POST.getlist("column")
        hidden = [name for name in offered if name.isidentifier() and name not in columns]
        response = redirect(request.get_full_path())
        response.set_cookie(
            HIDDEN_COLUMNS, ".".join(hidden), max_age=_YEAR_SECONDS, path=request.path,
            secure=settings.SESSION_COOKIE_SECURE, httponly=True, samesite="Lax",
        )  # fmt: skip
        return response


class MemberAdmin(ListAdmin):
    """An admin whose rows members see and leads change; needs no Django permissions."""

    path = "application"
    """The lookup that leads from a row to its application."""

    def application_id(self, obj: Any) -> UUID:
        application_id: UUID = obj.application_id
        return application_id

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Allow anybody with an application."""
        return access.sees_anything(request.user)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Allow rows of the user's own applications."""
        if obj is None:
            return access.sees_anything(request.user)
        return access.may_see(request.user, self.application_id(obj))

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Allow whoever leads an application; the form offers no other."""
        return access.manages_anything(request.user)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Allow whoever leads the row's application."""
        return self._may_manage(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Allow whoever leads the row's application."""
        return self._may_manage(request, obj)

    def _may_manage(self, request: HttpRequest, obj: Any) -> bool:
        if obj is None:
            return access.manages_anything(request.user)
        return access.may_manage(request.user, self.application_id(obj))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        """Delete the rows one by one, each as if deleted alone."""
        for row in queryset:
            self.delete_model(request, row)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return access.visible(super().get_queryset(request), request.user, path=self.path)

    def formfield_for_foreignkey(
        self, db_field: "ForeignKey[Any, Any]", request: HttpRequest, **kwargs: Any
    ) -> Any:
        """Offer only what this person may change; refuse another choice as unknown."""
        if db_field.name == "application":
            kwargs["queryset"] = applications = access.leading(request.user)
            if len(applications[:2]) == 1:
                kwargs["empty_label"] = None  # there is nothing to choose
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def get_deleted_objects(
        self, objs: Sequence[Any] | QuerySet[Any], request: HttpRequest
    ) -> tuple[list[Any], dict[str, int], set[str], list[Any]]:
        """Return the rows alone: related rows may be a million chunks, too many to list."""
        rows = list(objs)
        allowed = all(self.has_delete_permission(request, row) for row in rows)
        missing_permissions = set() if allowed else {str(self.opts.verbose_name)}
        return (
            list(map(str, rows)),
            {str(self.opts.verbose_name_plural): len(rows)},
            missing_permissions,
            [],
        )
