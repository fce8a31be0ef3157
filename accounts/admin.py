"""Applications, keys, people, teams and holidays in the admin."""

import smtplib
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.core.exceptions import PermissionDenied
from django.core.mail import send_mail
from django.core.validators import validate_email
from django.db import models
from django.db.models import ManyToManyField, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.dates import WEEKDAYS
from django.utils.encoding import force_bytes
from django.utils.formats import date_format, number_format
from django.utils.functional import Promise
from django.utils.http import urlsafe_base64_encode
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts import access
from accounts.addresses import public_address
from accounts.filters import ApplicationFilter
from accounts.member_admin import (
    ListAdmin,
    MemberAdmin,
    PercentField,
    ReadOnlyAdmin,
    show_once,
)
from accounts.models import (
    ApiKey,
    Application,
    Holiday,
    Membership,
    Role,
    Scope,
    Team,
    all_scopes,
)
from accounts.services import (
    KeyNotActive,
    account_of,
    change_application,
    create_api_key,
    create_application,
    delete_holiday,
    delete_team,
    invite,
    note_team,
    revoke_api_key,
    rotate_api_key,
    save_holiday,
    withdraw_role,
)

# Second factors change through their page and `reset_second_factor` alone, which write the trail.
admin.site.unregister([StaticDevice, TOTPDevice])


class WeekdaysField(forms.MultipleChoiceField):
    """Days of the week as the digits from 1 to 7, chosen by their names."""

    widget = forms.CheckboxSelectMultiple

    def __init__(self, **options: Any) -> None:
        super().__init__(
            choices=[(str(day + 1), name) for day, name in WEEKDAYS.items()], **options
        )

    def prepare_value(self, value: Any) -> Any:
        return list(value) if value else value

    def clean(self, value: Any) -> str:
        return "".join(sorted(super().clean(value)))


_TABS: dict[str, tuple[Promise, dict[str, Promise]]] = {
    "general": (_("General"), {"name": _("Name"), "slug": _("Short name")}),
    "hours": (_("Desk hours"), {
        "desk_time_zone": _("Time zone"),
        "desk_days": _("Open on"),
        "desk_opens_at": _("Opens at"),
        "desk_closes_at": _("Closes at"),
    }),
    "deadlines": (_("Deadlines"), {
        "due_hours_block": _("Blocked answers"),
        "due_hours_failed": _("Failed or incomplete checks"),
        "due_hours_warn": _("Answers with a warning"),
        "due_hours_sample": _("Quality sample"),
    }),
    "review": (_("Quality control"), {
        "quality_sample_rate": _("Quality sample, in percent"),
        "second_review_share": _("Blind second review, in percent"),
        "second_review_of_overturned_blocks": _("Second review of each overturned BLOCK"),
        "second_approver": _("Second person activates policies"),
        "cases_must_pass": _("Regression cases must pass"),
    }),
    "limits": (_("Limits"), {
        "rate_limit_per_minute": _("Checks per minute"),
        "checks_per_day": _("Checks per day"),
        "checks_per_month": _("Checks per month"),
        "claims_per_month": _("Claims per month"),
        "tokens_per_day": _("Assistant tokens per day"),
        "file_megabytes": _("Uploaded files, in megabytes"),
    }),
    "retention": (_("Retention"), {
        "keep_inputs_days": _("Questions, answers and sources, in days"),
        "keep_results_days": _("Claims, evidence and decisions, in days"),
        "keep_reviews_days": _("Notes and comments, in days"),
        "keep_files_days": _("Uploaded documents, in days"),
        "keep_conversations_days": _("Conversations with the assistant, in days"),
    }),
}  # fmt: skip
"""The pages of an application by their name in addresses: title, and the labels of the fields."""


class ApplicationForm(forms.ModelForm[Application]):
    def clean(self) -> dict[str, Any]:
        """Refuse hours that end before they begin."""
        values = super().clean() or self.cleaned_data
        opens, closes = values.get("desk_opens_at"), values.get("desk_closes_at")
        if opens and closes and closes <= opens:
            self.add_error("desk_closes_at", _("The desk must close after it opens."))
        return values


@admin.register(Application)
class ApplicationAdmin(ListAdmin):
    """Applications (tenants): made by name, set up page by page."""

    list_display = ("name", "short_name", "sample", "checks_per_minute", "created_at")
    search_fields = ("name", "slug")
    ordering = ("name",)
    form = ApplicationForm

    @admin.display(description=_("short name"), ordering="slug")
    def short_name(self, application: Application) -> str:
        return application.slug

    @admin.display(description=_("Quality sample"), ordering="quality_sample_rate")
    def sample(self, application: Application) -> str:
        return gettext("%s%%") % number_format(f"{100 * application.quality_sample_rate:.3g}")

    @admin.display(description=_("Checks per minute"), ordering="rate_limit_per_minute")
    def checks_per_minute(self, application: Application) -> int | None:
        return application.rate_limit_per_minute

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return the fields of the open page."""
        title, labels = _TABS[_tab(request) if obj else "general"]
        return [(title, {"fields": tuple(labels)})]

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Return the field with its label, as a choice or a percentage where that is meant."""
        match db_field.name:
            case "quality_sample_rate":
                text = _("Of all checks, whatever their action, drawn for review.")
                kwargs |= {"form_class": PercentField, "help_text": text}
            case "second_review_share":
                text = _("Of all decisions, made again by a second person, blind.")
                kwargs |= {"form_class": PercentField, "help_text": text}
            case "desk_days":
                return WeekdaysField(label=_TABS["hours"][1]["desk_days"])
            case "desk_time_zone":
                zones = sorted(available_timezones())
                kwargs["widget"] = forms.Select(choices=[(zone, zone) for zone in zones])
        for _title, labels in _TABS.values():
            if label := labels.get(db_field.name):
                kwargs["label"] = label
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> Any:
        """Say in words beside each period of retention what it means today."""
        form = super().get_form(request, obj, change, **kwargs)
        for name in _TABS["retention"][1] if obj else ():
            if field := form.base_fields.get(name):
                words = _retention_in_words(getattr(obj, name))
                field.help_text = f"{field.help_text} {words}".strip()
        return form

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        tabs = [(name, title) for name, (title, _labels) in _TABS.items()]
        context = {"tabs": tabs, "tab": _tab(request)} | (extra_context or {})
        return super().change_view(request, object_id, form_url, context)

    def response_change(self, request: HttpRequest, obj: Application) -> HttpResponse:
        """Stay on the page that was saved."""
        messages.success(request, _("Saved."))
        return redirect(request.get_full_path())

    def save_model(
        self, request: HttpRequest, obj: Application, form: ModelForm[Any], change: bool
    ) -> None:
        """Create an application through the service, which also adds its policy and trail entry."""
        if change:
            if form.changed_data:
                fields = form.changed_data
                change_application(application=obj, fields=fields, by=str(request.user))
            return
        application = create_application(name=obj.name, slug=obj.slug, by=str(request.user))
        obj.pk, obj.created_at = application.pk, application.created_at


def _tab(request: HttpRequest) -> str:
    name = request.GET.get("tab", "")
    return name if name in _TABS else "general"


def _retention_in_words(days: int | None) -> str:
    """Return for how long something is kept, and what the next night erases; "" for ever."""
    if days is None:
        return ""
    first_day = timezone.now().date() - timedelta(days=days)
    words = ngettext(
        "Now: kept for %(days)d day; the coming night erases what is older than %(day)s.",
        "Now: kept for %(days)d days; the coming night erases what is older than %(day)s.",
        days,
    )
    return words % {"days": days, "day": date_format(first_day)}


@admin.register(ApiKey)
class ApiKeyAdmin(ListAdmin):
    """An admin for keys: created and revoked here, the secret shown once after saving."""

    list_display = (
        "name", "state", "prefix", "application", "owner_name", "expires", "last_used",
    )  # fmt: skip
    list_filter = (ApplicationFilter,)
    ordering = ("-pk",)
    list_select_related = ("application", "owner")
    readonly_fields = ("prefix", "created_at", "revoked_at", "last_used_at", "replaced_by")
    actions = ("rotate", "revoke")

    @admin.display(description=_("state"))
    def state(self, key: ApiKey) -> str:
        """Return until when the key works, or since when it does not."""
        if key.revoked_at:
            return gettext("revoked %s") % date_format(key.revoked_at, "DATE_FORMAT")
        if key.expires_at and key.expires_at <= timezone.now():
            return gettext("expired %s") % date_format(key.expires_at, "DATE_FORMAT")
        return gettext("valid")

    @admin.display(description=_("owner"), ordering="owner")
    def owner_name(self, key: ApiKey) -> str:
        return str(key.owner or "–")

    @admin.display(description=_("expires at"), ordering="expires_at")
    def expires(self, key: ApiKey) -> datetime | str:
        return key.expires_at or gettext("never")

    @admin.display(description=_("last used at"), ordering="last_used_at")
    def last_used(self, key: ApiKey) -> datetime | str:
        return key.last_used_at or gettext("never")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Return the input fields when adding, afterwards also the key's state."""
        fields = ("application", "name", "owner", "scopes", "expires_at")
        return (*fields, *self.readonly_fields) if obj else fields

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "scopes":
            return forms.MultipleChoiceField(
                choices=[(code, f"{capfirst(words)} ({code})") for code, words in Scope.choices],
                initial=all_scopes,
                widget=forms.CheckboxSelectMultiple,
                help_text=_("What the key may do."),
            )
        if db_field.name == "expires_at":
            zone = timezone.get_current_timezone_name()
            kwargs["help_text"] = gettext("Optional. Time zone: %s.") % zone
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
        show_once(request, gettext("The key, shown once: %s") % token, token)

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
        text = gettext("The new key %(prefix)s…, shown once: %(token)s")
        show_once(request, text % {"prefix": new_key.prefix, "token": token}, token)

    @admin.action(description=_("Revoke the selected keys"), permissions=["view"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[ApiKey]) -> None:
        """Revoke each selected key; the trail notes by whom."""
        if not request.user.is_superuser:
            messages.error(request, _("Only a superuser may revoke keys."))
            return
        revoked = sum(revoke_api_key(key, by=str(request.user)) for key in queryset)
        text = ngettext("%d key revoked.", "%d keys revoked.", revoked)
        messages.success(request, text % revoked)


class InviteForm(forms.Form):
    """An address and the role that its owner gets in an application."""

    email = forms.CharField(label=_("E-mail or username"), max_length=150)
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices)
    application = forms.ModelChoiceField(
        queryset=Application.objects.none(), empty_label=None, label=_("Application")
    )

    def __init__(self, applications: QuerySet[Application], data: Any = None) -> None:
        super().__init__(data)
        field = self.fields["application"]
        if isinstance(field, forms.ModelChoiceField):
            field.queryset = applications

    def clean_email(self) -> str:
        """Return the name of an account unchanged; anything else must be an e-mail address."""
        name: str = self.cleaned_data["email"]
        if account_of(name) is None:
            validate_email(name)
        return name


@admin.register(Membership)
class MembershipAdmin(ReadOnlyAdmin, ListAdmin):
    """The people of the applications that the user leads, with a form above to invite others."""

    list_display = ("name", "application", "role_word", "last_log_in")
    empty_list = _("Nobody has been given a role yet.")
    list_display_links = None
    list_filter = (ApplicationFilter, "role")
    list_select_related = ("user", "application")
    search_fields = ("user__username", "user__email")
    ordering = ("application__name", "user__username")
    actions = ("withdraw",)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return access.manages_anything(request.user)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return access.manages_anything(request.user)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Membership]:
        memberships: QuerySet[Membership] = super().get_queryset(request)
        return memberships.filter(application__in=access.leading(request.user))

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show who has a role where this person leads, or invite somebody."""
        if not isinstance(request.user, User) or not self.has_view_permission(request):
            raise PermissionDenied
        applications = access.leading(request.user)
        form = InviteForm(applications, request.POST if "email" in request.POST else None)
        if form.is_valid():
            _invite(request, request.user, form)
            return redirect(request.get_full_path())
        context = {
            "heading": _("People and roles"), "form": form,
            "has_one_application": len(applications) == 1,
        }  # fmt: skip
        return super().changelist_view(request, context | (extra_context or {}))

    @admin.display(description=_("name"), ordering="user__username")
    def name(self, membership: Membership) -> str:
        return str(membership.user)

    @admin.display(description=_("role"), ordering="role")
    def role_word(self, membership: Membership) -> str:
        return membership.get_role_display()

    @admin.display(description=_("last log-in"), ordering="user__last_login")
    def last_log_in(self, membership: Membership) -> str:
        """Return when they last logged in, or that they have not chosen a password yet."""
        user = membership.user
        if user.last_login:
            return date_format(timezone.localtime(user.last_login), "DATETIME_FORMAT")
        return "" if user.has_usable_password() else gettext("invited")

    @admin.action(description=_("Withdraw the role"), permissions=["view"])
    def withdraw(self, request: HttpRequest, queryset: QuerySet[Membership]) -> None:
        """Withdraw the chosen roles; nobody withdraws their own."""
        for membership in queryset.exclude(user=request.user.pk):
            withdraw_role(membership=membership, by=request.user.get_username())
            messages.success(request, _("%s has no role here any more.") % membership.user)


def _invite(request: HttpRequest, lead: User, form: InviteForm) -> None:
    """Give the role, and send the link of a new account or show it once."""
    application, role = form.cleaned_data["application"], Role(form.cleaned_data["role"])
    user, is_new = invite(
        email=form.cleaned_data["email"], application=application, role=role, by=lead
    )
    text = gettext("Invited as %(role)s: %(who)s") if is_new else gettext("Now %(role)s: %(who)s")
    messages.success(request, text % {"who": user, "role": role.label})
    if not is_new or not settings.LOCAL_LOGIN:
        return
    code = urlsafe_base64_encode(force_bytes(user.pk))
    path = reverse("invitation", args=[code, default_token_generator.make_token(user)])
    link = public_address(request, path)
    if settings.EMAIL_HOST:
        text = gettext("%(lead)s invites you to %(application)s. Choose a password: %(link)s")
        body = text % {"lead": lead, "application": application, "link": link}
        try:
            send_mail(gettext("Your account for WATCHDOG"), body, None, [user.email])
        except (OSError, smtplib.SMTPException) as error:
            messages.error(request, gettext("The invitation could not be sent: %s") % error)
        else:
            messages.success(request, gettext("The invitation was sent to %s.") % user.email)
            return
    show_once(request, gettext("Send them this link, shown once: %s") % link, link)


# Teams and holidays of a desk: visible to members, changed by leads.


@admin.register(Holiday)
class HolidayAdmin(MemberAdmin):
    """An admin for days without business hours."""

    # The browser’s own field, which needs no script.
    formfield_overrides = {
        models.DateField: {"widget": forms.DateInput({"type": "date"}, format="%Y-%m-%d")}
    }
    list_display = ("day", "name", "application")
    empty_list = _("Days on which the desk is closed; due times skip them.")
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
        names = sorted(str(member) for member in team.members.all())
        return ", ".join(names) or gettext("nobody yet")

    def formfield_for_manytomany(
        self, db_field: "ManyToManyField[Any, Any]", request: HttpRequest, **kwargs: Any
    ) -> Any:
        """Offer checkboxes for the people of the applications that the user leads.

        axe-core reports the stock two-column list as a serious violation.
        """
        kwargs["widget"] = forms.CheckboxSelectMultiple
        kwargs["queryset"] = (
            User.objects.filter(
                is_active=True, memberships__application__in=access.leading(request.user)
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
