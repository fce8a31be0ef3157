"""Applications and keys in the admin."""

from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.db import models
from django.db.models import ManyToManyField, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts import access
from accounts.filters import ApplicationFilter
from accounts.member_admin import MemberAdmin
from accounts.models import ApiKey, Application, Holiday, Scope, Team, all_scopes
from accounts.services import (
    KeyNotActive,
    change_application,
    create_api_key,
    create_application,
    delete_holiday,
    delete_team,
    note_team,
    revoke_api_key,
    rotate_api_key,
    save_holiday,
)

__all__ = ["ApiKeyAdmin", "ApplicationAdmin"]

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


# Teams and holidays of a desk in the admin: visible to members, changed by leads.


class _Day(forms.DateInput):
    """A date input that sends and accepts YYYY-MM-DD."""

    input_type = "date"

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__(attrs, format="%Y-%m-%d")


@admin.register(Holiday)
class HolidayAdmin(MemberAdmin):
    """An admin for days without business hours."""

    # The browser’s own field, which needs no script.
    formfield_overrides = {models.DateField: {"widget": _Day}}
    list_display = ("day", "name", "application")
    list_filter = (ApplicationFilter,)
    list_select_related = ("application",)
    ordering = ("-day",)

    def save_model(
        self, request: HttpRequest, obj: Holiday, form: forms.ModelForm[Any], change: bool
    ) -> None:
        save_holiday(holiday=obj, by=str(request.user))

    def delete_model(self, request: HttpRequest, obj: Holiday) -> None:
        delete_holiday(holiday=obj, by=str(request.user))


class TeamForm(forms.ModelForm[Team]):
    """A form for a team, whose members may all decide its application's reviews."""

    class Meta:
        model = Team
        fields = ("application", "name", "members")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        application = cleaned.get("application") or (self.instance.pk and self.instance.application)
        if not application:
            return cleaned
        decider_ids = set(access.deciders(application.pk).values_list("pk", flat=True))
        strange = [str(item) for item in cleaned.get("members", ()) if item.pk not in decider_ids]
        if strange:
            self.add_error(
                "members",
                gettext("No reviewer of %(application)s: %(people)s.")
                % {"application": application, "people": ", ".join(strange)},
            )
        return cleaned


@admin.register(Team)
class TeamAdmin(MemberAdmin):
    """An admin for teams, to which reviews are assigned."""

    form = TeamForm
    list_display = ("name", "application", "people")
    list_filter = (ApplicationFilter,)
    list_select_related = ("application",)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Return the application as read-only once the team exists."""
        return ("application",) if obj else ()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Team]:
        teams: QuerySet[Team] = super().get_queryset(request)
        return teams.prefetch_related("members")

    @admin.display(description=_("people"))
    def people(self, team: Team) -> str:
        return ", ".join(sorted(str(member) for member in team.members.all()))

    def formfield_for_manytomany(
        self, db_field: "ManyToManyField[Any, Any]", request: HttpRequest, **kwargs: Any
    ) -> Any:
        """Offer checkboxes for the people of the applications that the user leads.

        axe-core reports the stock two-column list as a serious violation.
        """
        kwargs["widget"] = forms.CheckboxSelectMultiple
        kwargs["queryset"] = (
            User.objects.filter(
                is_active=True, memberships__application__in=access.managed(request.user)
            )
            .distinct()
            .order_by("username")
        )
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Note the team's current members in the trail."""
        super().save_related(request, form, formsets, change)
        note_team(team=form.instance, by=str(request.user))

    def delete_model(self, request: HttpRequest, obj: Team) -> None:
        delete_team(team=obj, by=str(request.user))
