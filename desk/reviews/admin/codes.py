"""Reason codes and instructions in the admin: everybody at the desk reads them.

Superusers edit the codes, and leads the instructions of their applications.
"""

from typing import Any

from django.contrib import admin
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts import access
from accounts.filters import ActiveFilter, ApplicationFilter
from accounts.member_admin import ListAdmin, MemberAdmin, yes_or_no
from analysis.admin.base import person
from analysis.models import QueueInstructions, ReasonCode
from desk.reviews.services.codes import delete_instructions, save_code, save_instructions


@admin.register(ReasonCode)
class ReasonCodeAdmin(ListAdmin):
    """An admin for reason codes, which are never deleted or renamed: decisions store them."""

    list_display = ("label", "code", "decision", "position", "active")
    list_filter = ("decision", ("is_active", ActiveFilter))
    actions = None
    active = yes_or_no("is_active", _("active"))

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Return the code as read-only once it exists."""
        return ("code",) if obj else ()

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Allow anybody with an application."""
        return access.sees_anything(request.user)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Allow anybody with an application."""
        return access.sees_anything(request.user)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Allow superusers only: the list is shared by all applications."""
        return access.is_superuser(request.user)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Allow superusers only: the list is shared by all applications."""
        return access.is_superuser(request.user)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never allow deletion: a code is retired instead."""
        return False

    def save_model(
        self, request: HttpRequest, obj: ReasonCode, form: ModelForm[Any], change: bool
    ) -> None:
        save_code(code=obj, by=person(request))


@admin.register(QueueInstructions)
class QueueInstructionsAdmin(MemberAdmin):
    """An admin for what leads tell the reviewers of a queue."""

    list_display = ("__str__", "application")
    empty_list = _("What reviewers are told about a queue, beside each of its answers.")
    list_filter = (ApplicationFilter,)
    list_select_related = ("application",)

    def save_model(
        self, request: HttpRequest, obj: QueueInstructions, form: ModelForm[Any], change: bool
    ) -> None:
        save_instructions(instructions=obj, by=person(request))

    def delete_model(self, request: HttpRequest, obj: QueueInstructions) -> None:
        delete_instructions(instructions=obj, by=person(request))
