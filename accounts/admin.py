"""Applications and keys in the admin."""

from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts import desk_admin
from accounts.models import ApiKey, Application, Scope, all_scopes
from accounts.services import (
    KeyNotActive,
    change_application,
    create_api_key,
    create_application,
    revoke_api_key,
    rotate_api_key,
)

__all__ = ["ApiKeyAdmin", "ApplicationAdmin", "desk_admin"]

# Second factors change through their page and `reset_second_factor` alone, which write the trail.
admin.site.unregister([StaticDevice, TOTPDevice])


@admin.register(Application)
class ApplicationAdmin(admin.ModelAdmin[Application]):
    """Applications (tenants) and their limits."""

    list_display = ("name", "slug", "quality_sample_rate", "rate_limit_per_minute", "created_at")
    search_fields = ("name", "slug")
    _FIELDS = (
        (None, ("name", "slug")),
        (_("Desk hours"), ("desk_time_zone", "desk_days", "desk_opens_at", "desk_closes_at")),
        (_("Deadlines"), (
            "due_hours_block", "due_hours_failed", "due_hours_warn", "due_hours_sample",
        )),
        (_("Second review"), (
            "quality_sample_rate", "second_review_share", "second_review_of_overturned_blocks",
            "second_approver",
        )),
        (_("Limits"), (
            "rate_limit_per_minute", "checks_per_day", "checks_per_month", "claims_per_month",
            "tokens_per_day", "file_megabytes",
        )),
        (_("Retention"), (
            "keep_inputs_days", "keep_results_days", "keep_reviews_days", "keep_files_days",
            "keep_conversations_days",
        )),
    )  # fmt: skip

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return the fields by subject, each subject but the first folded."""
        return [
            (title, {"fields": fields, "classes": ("collapse",) if title else ()})
            for title, fields in self._FIELDS
        ]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Show `created_at` only after creation."""
        return ("created_at",) if obj else ()

    def save_model(
        self, request: HttpRequest, obj: Application, form: ModelForm[Any], change: bool
    ) -> None:
        """Create an application through the service, which also adds its policy and trail entry."""
        if change:
            fields = form.changed_data
            change_application(application=obj, fields=fields, by=str(request.user))
            return
        application = create_application(name=obj.name, slug=obj.slug, by=str(request.user))
        obj.pk = application.pk
        obj.created_at = application.created_at
        form_fields = set(form.cleaned_data) - {"name", "slug"}
        obj.save(update_fields=sorted(form_fields))


@admin.register(ApiKey)
class ApiKeyAdmin(admin.ModelAdmin[ApiKey]):
    """An admin for keys: created and revoked here, the secret shown once after saving."""

    list_display = (
        "name", "prefix", "application", "owner", "expires_at", "revoked_at", "last_used_at",
    )  # fmt: skip
    list_filter = ("application",)
    list_select_related = ("application", "owner")
    readonly_fields = ("prefix", "created_at", "revoked_at", "last_used_at", "replaced_by")
    actions = ("rotate", "revoke")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Return the input fields when adding, afterwards also the key's state."""
        fields = ("application", "name", "owner", "scopes", "expires_at")
        return (*fields, *self.readonly_fields) if obj else fields

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "scopes":
            return forms.MultipleChoiceField(
                choices=Scope.choices,
                initial=all_scopes,
                widget=forms.CheckboxSelectMultiple,
                help_text=_("What the key may do."),
            )
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Allow no change: create a new key and revoke the old one."""
        return obj is None and super().has_change_permission(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Allow no deletion: a key is revoked, since the trail names its prefix."""
        return False

    def save_model(
        self, request: HttpRequest, obj: ApiKey, form: ModelForm[Any], change: bool
    ) -> None:
        """Create the key and show its token once."""
        key, token = create_api_key(
            application=obj.application,
            name=obj.name,
            scopes=obj.scopes,
            expires_at=obj.expires_at,
            owner=obj.owner or (request.user if isinstance(request.user, User) else None),
            by=str(request.user),
        )
        obj.pk, obj.prefix = key.pk, key.prefix
        messages.warning(request, _("The key, shown once: %s") % token)

    @admin.action(description=_("Replace the selected key; the old one works for another day"))
    def rotate(self, request: HttpRequest, queryset: QuerySet[ApiKey]) -> None:
        """Replace one key and show the new one's token once."""
        if not request.user.is_superuser or queryset.count() != 1:
            messages.error(request, _("Select one key; only a superuser may replace it."))
            return
        try:
            new_key, token = rotate_api_key(
                queryset.get(), overlap=timedelta(days=1), by=str(request.user)
            )
        except KeyNotActive as error:
            messages.error(request, str(error))
            return
        text = _("The new key %(prefix)s…, shown once: %(token)s")
        messages.warning(request, text % {"prefix": new_key.prefix, "token": token})

    @admin.action(description=_("Revoke the selected keys"), permissions=["view"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[ApiKey]) -> None:
        """Revoke each selected key; the trail notes by whom."""
        if not request.user.is_superuser:
            messages.error(request, _("Only a superuser may revoke keys."))
            return
        revoked = sum(revoke_api_key(key, by=str(request.user)) for key in queryset)
        text = ngettext("%d key revoked.", "%d keys revoked.", revoked)
        messages.success(request, text % revoked)
