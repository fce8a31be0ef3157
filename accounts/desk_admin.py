"""Teams and holidays of a desk in the admin: visible to members, changed by leads."""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth.models import User
from django.db import models
from django.db.models import ManyToManyField, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import access
from accounts.filters import ApplicationFilter
from accounts.member_admin import MemberAdmin
from accounts.models import Holiday, Team
from accounts.services import delete_holiday, delete_team, note_team, save_holiday


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
