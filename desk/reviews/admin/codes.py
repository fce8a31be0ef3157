"""Reason codes in the admin. Everybody at the desk reads them; superusers keep them."""

from typing import Any

from django.contrib import admin
from django.forms import ModelForm
from django.http import HttpRequest

from accounts import access
from analysis.admin.base import person
from analysis.models import ReasonCode
from desk.reviews.services.codes import save_code


@admin.register(ReasonCode)
class ReasonCodeAdmin(admin.ModelAdmin[ReasonCode]):
    """Never deleted or renamed: decisions hold the code."""

    list_display = ("label", "code", "decision", "position", "is_active")
    list_filter = ("decision", "is_active")
    actions = None

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """The code itself is fixed once it is in use."""
        return ("code",) if obj else ()

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Anybody with an application to look at."""
        return access.sees_anything(request.user)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Anybody with an application to look at."""
        return access.sees_anything(request.user)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """The list is common to all applications."""
        return request.user.is_active and request.user.is_superuser

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """The list is common to all applications."""
        return request.user.is_active and request.user.is_superuser

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A code is retired instead."""
        return False

    def save_model(
        self, request: HttpRequest, obj: ReasonCode, form: ModelForm[Any], change: bool
    ) -> None:
        save_code(code=obj, by=person(request))
