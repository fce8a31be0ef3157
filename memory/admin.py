"""Managers and company facts in the admin.

What managers stated about themselves is private: it is on their own page, not here.
"""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.db.models import ForeignKey, ProtectedError, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import access
from accounts.filters import ApplicationFilter
from accounts.member_admin import MemberAdmin
from accounts.models import Membership
from memory.models import Manager, MemoryEntry, Target
from memory.selectors.entries import came_from
from memory.services.managers import change_manager, create_manager, delete_from, delete_manager


class ApplicationAdmin(MemberAdmin):
    """An admin whose rows are few, so that a deletion page lists related rows."""

    list_filter = (ApplicationFilter,)
    get_deleted_objects = admin.ModelAdmin.get_deleted_objects


@admin.register(Manager)
class ManagerAdmin(ApplicationAdmin):
    """An admin for the people who ask the assistant, and their user accounts."""

    list_display = ("name", "application", "user", "created_at")
    list_select_related = ("application", "user")
    search_fields = ("name",)

    def formfield_for_foreignkey(
        self, db_field: "ForeignKey[Any, Any]", request: HttpRequest, **kwargs: Any
    ) -> Any:
        """Offer a lead only accounts of their own applications, never a superuser's."""
        if db_field.name == "user":
            users = User.objects.order_by("username")
            if not request.user.is_superuser:
                members = Membership.objects.filter(application__in=access.leading(request.user))
                users = users.filter(pk__in=members.values("user"), is_superuser=False)
            kwargs["queryset"] = users
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Return the application as read-only once the manager exists."""
        return ("application", "created_at") if obj else ()

    def save_model(
        self, request: HttpRequest, obj: Manager, form: forms.ModelForm[Any], change: bool
    ) -> None:
        if change:
            change_manager(manager=obj, by=str(request.user))
            return
        manager = create_manager(
            application=obj.application, name=obj.name, user=obj.user, by=str(request.user)
        )
        obj.pk = manager.pk

    def delete_model(self, request: HttpRequest, obj: Manager) -> None:
        """Delete through the service, which refuses a manager with conversations."""
        try:
            delete_manager(manager=obj, by=str(request.user))
        except ProtectedError:
            text = _("Conversations of %s are kept; nothing was deleted.")
            messages.error(request, text % obj.name)


@admin.register(MemoryEntry)
class MemoryEntryAdmin(ApplicationAdmin):
    """An admin for managers' statements about the site; a lead may delete them."""

    list_display = ("text", "application", "source_in_words", "superseded_at")
    list_select_related = ("application", "stated_by")
    ordering = ("-id",)
    readonly_fields = fields = (
        *("application", "text", "slot", "value", "source_in_words", "judge", "confidence"),
        *("stated_at", "superseded_at", "superseded_by"),
    )

    @admin.display(description=gettext_lazy("came from"))
    def source_in_words(self, entry: MemoryEntry) -> str:
        return came_from(entry)

    def get_queryset(self, request: HttpRequest) -> QuerySet[MemoryEntry]:
        """Return company facts only, without their vectors."""
        memory_entries: QuerySet[MemoryEntry] = super().get_queryset(request)
        return memory_entries.filter(target=Target.COMPANY).defer("embedding")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Never allow adding: only managers state facts."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never allow a change: a fact is replaced, not edited."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Allow whoever leads the row's application."""
        return super().has_change_permission(request, obj)

    def delete_model(self, request: HttpRequest, obj: MemoryEntry) -> None:
        delete_from(self.get_queryset(request), obj.pk, by=str(request.user))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[MemoryEntry]) -> None:
        """Delete the entries one by one; one may already be gone with an earlier one."""
        for entry_id in list(queryset.values_list("pk", flat=True)):
            if self.get_queryset(request).filter(pk=entry_id).exists():
                delete_from(self.get_queryset(request), entry_id, by=str(request.user))
