"""Subscriptions and the outbox in the admin: read by leads and auditors, changed by leads.

An address may be a secret (many services put a key into it), so reviewers do not see it.
"""

from datetime import timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts import access
from accounts.filters import ActiveFilter, ApplicationFilter
from accounts.member_admin import MemberAdmin, ReadOnlyAdmin, show_once, yes_or_no
from notifications import targets
from notifications.models import (
    DESK,
    SUBSCRIBED,
    Attempt,
    Channel,
    Notification,
    Subscription,
    desk_kinds,
)
from notifications.services import (
    renew_secret,
    replay,
    save_subscription,
    secret_of,
    send_again,
    send_test,
)

_EVENTS_NAMED = 2
"""Events of a subscription that the list names; the form has all."""


class OverseenAdmin(MemberAdmin):
    """An admin for the applications that the user leads or audits."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Allow leads and auditors of any application."""
        return access.oversees_anything(request.user)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Allow leads and auditors of the row's application."""
        if obj is None:
            return access.oversees_anything(request.user)
        return access.may_oversee(request.user, self.application_id(obj))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never allow deletion: a subscription is switched off, and its history stays."""
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        applications = access.overseeing(request.user)
        return super().get_queryset(request).filter(**{f"{self.path}__in": applications})


class SubscriptionForm(forms.ModelForm[Subscription]):
    """A form for an address and the events sent to it."""

    kinds = forms.MultipleChoiceField(
        label=_("Events"),
        choices=[
            (
                title,
                [(kind.value, format_lazy("{} ({})", kind.label, kind.value)) for kind in kinds],
            )
            for title, kinds in (
                (_("For people: waiting work and problems"), DESK),
                (
                    _("For programs, by webhook: verdicts and decisions"),
                    [kind for kind in SUBSCRIBED if kind not in DESK],
                ),
            )
        ],
        widget=forms.CheckboxSelectMultiple,
        initial=desk_kinds,
    )

    class Meta:
        model = Subscription
        fields = (
            "application", "channel", "target", "kinds", "quiet_from", "quiet_until", "is_active",
        )  # fmt: skip
        help_texts = {
            "quiet_from": _(
                "During quiet hours (desk time zone), messages that can wait are held and sent "
                "afterwards."
            )
        }

    def clean(self) -> dict[str, Any]:
        """Require an address that fits the channel and may be called."""
        values = super().clean() or self.cleaned_data
        channel, target = values.get("channel"), values.get("target")
        if target and channel == Channel.EMAIL:
            self._try(validate_email, target)
        elif target and channel == Channel.WEBHOOK:
            hosts, seconds = settings.WEBHOOK_ALLOWED_HOSTS, settings.WEBHOOK_SECONDS
            self._try(lambda url: targets.check_new(url, hosts, seconds), target)
        return values

    def _try(self, check: Any, target: str) -> None:
        try:
            check(target)
        except ValidationError as error:
            self.add_error("target", error)
        except targets.TargetRefused as error:
            self.add_error("target", str(error))


@admin.register(Subscription)
class SubscriptionAdmin(OverseenAdmin):
    form = SubscriptionForm
    list_display = ("target", "channel", "application", "events", "active", "created_at")
    list_filter = ("channel", ("is_active", ActiveFilter), ApplicationFilter)
    list_select_related = ("application",)
    ordering = ("application__name", "id")
    actions = ("test", "rotate_secret", "new_secret")
    active = yes_or_no("is_active", _("active"))

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Return the address as read-only once it exists: its history must stay true."""
        return ("application", "channel", "target", "created_by", "created_at") if obj else ()

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return the input fields; afterwards also who created it."""
        fields = SubscriptionForm.Meta.fields
        return (*fields, "created_by", "created_at") if obj else fields

    @admin.display(description=_("events"))
    def events(self, subscription: Subscription) -> str:
        labels = {kind.value: str(kind.label) for kind in SUBSCRIBED}
        first = "; ".join(labels[kind] for kind in subscription.kinds[:_EVENTS_NAMED])
        more = len(subscription.kinds) - _EVENTS_NAMED
        if more <= 0:
            return first
        text = ngettext("%(events)s and %(more)d more", "%(events)s and %(more)d more", more)
        return text % {"events": first, "more": more}

    def save_model(
        self, request: HttpRequest, obj: Subscription, form: forms.ModelForm[Any], change: bool
    ) -> None:
        """Save what changed through the service; show the secret of a new webhook once."""
        if change and not form.changed_data:
            return
        save_subscription(subscription=obj, by=str(request.user))
        if not change and obj.channel == Channel.WEBHOOK:
            text, secret = _("The secret of %(target)s, shown once: %(secret)s"), secret_of(obj)
            show_once(request, text % {"target": obj.target, "secret": secret}, secret)

    def response_add(
        self, request: HttpRequest, obj: Subscription, post_url_continue: str | None = None
    ) -> HttpResponse:
        """Go on to the page from which a test message is sent."""
        messages.success(request, _("Saved."))
        return redirect("admin:notifications_subscription_change", obj.pk)

    def response_change(self, request: HttpRequest, obj: Subscription) -> HttpResponse:
        """Do what the button says to the address that was just saved, and stay on its page."""
        act = request.POST.get("then", "")
        if act not in ("test", "rotate_secret", "new_secret"):
            return super().response_change(request, obj)
        getattr(self, act)(request, Subscription.objects.filter(pk=obj.pk))
        return redirect(request.get_full_path())

    @admin.action(description=_("Send a test message"), permissions=["change"])
    def test(self, request: HttpRequest, queryset: QuerySet[Subscription]) -> None:
        """Send a test message; the list of notifications shows its state."""
        subscriptions = self._managed(request, queryset.filter(is_active=True))
        for subscription in subscriptions:
            send_test(subscription=subscription, by=str(request.user))
        text = ngettext(
            "%d test message is queued; see Notifications.",
            "%d test messages are queued; see Notifications.",
            len(subscriptions),
        )
        messages.success(request, text % len(subscriptions))

    @admin.action(description=_("Renew the secret; the old one ends now"), permissions=["change"])
    def new_secret(self, request: HttpRequest, queryset: QuerySet[Subscription]) -> None:
        """Renew the secret of webhooks, and show it once."""
        self._renew(request, queryset, timedelta(0))

    @admin.action(
        description=_("Renew the secret; the old one works for another day"), permissions=["change"]
    )
    def rotate_secret(self, request: HttpRequest, queryset: QuerySet[Subscription]) -> None:
        """Renew webhooks' secrets and show them once; messages have both signatures for a day."""
        self._renew(request, queryset, timedelta(days=1))

    def _renew(
        self, request: HttpRequest, queryset: QuerySet[Subscription], overlap: timedelta
    ) -> None:
        for item in self._managed(request, queryset.filter(channel=Channel.WEBHOOK)):
            secret = renew_secret(subscription=item, by=str(request.user), overlap=overlap)
            text = _("The new secret of %(target)s, shown once: %(secret)s")
            show_once(request, text % {"target": item.target, "secret": secret}, secret)

    def _managed(
        self, request: HttpRequest, queryset: QuerySet[Subscription]
    ) -> list[Subscription]:
        """Return the subscriptions that the user may change."""
        return [item for item in queryset if access.may_manage(request.user, item.application_id)]


class AttemptInline(admin.TabularInline[Attempt, Notification]):
    """The attempts of a notification and the receiver's responses."""

    model = Attempt
    fields = readonly_fields = ("at", "status", "error", "milliseconds")
    extra = 0
    can_delete = False
    verbose_name_plural = "attempts"

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Allow whoever sees the notification."""
        return True

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never allow adding: only the delivery task creates attempts."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Notification)
class NotificationAdmin(ReadOnlyAdmin, OverseenAdmin):
    """The outbox, which only services write: what was sent, waits (and why) or was given up."""

    path = "subscription__application"
    list_display = (
        "created_at", "kind", "subscription", "state", "attempts", "due_at", "sent_at",
        "last_error",
    )  # fmt: skip
    list_filter = ("state", "kind")
    empty_list = _("No notifications yet.")
    list_select_related = ("subscription__application",)
    ordering = ("-id",)
    fields = readonly_fields = (*list_display, "id", "key", "data")
    inlines = (AttemptInline,)
    actions = ("again", "replay")

    def application_id(self, obj: Notification) -> Any:
        return obj.subscription.application_id

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Say of which address the list is, if a link chose one."""
        context = dict(extra_context or {})
        if (pk := request.GET.get("subscription__id__exact", "")).isdecimal():
            overseen = access.overseeing(request.user)
            of = Subscription.objects.filter(pk=pk, application__in=overseen).first()
            context |= {"heading": f"{_('Notifications')}: {of}"} if of else {}
        return super().changelist_view(request, context)

    @admin.action(description=_("Retry failed notifications"), permissions=["view"])
    def again(self, request: HttpRequest, queryset: QuerySet[Notification]) -> None:
        """Retry failed notifications from the first attempt; leads only."""
        again = send_again(_led(request, queryset))
        messages.success(request, _queued_again(again))

    @admin.action(description=_("Send delivered notifications again"), permissions=["view"])
    def replay(self, request: HttpRequest, queryset: QuerySet[Notification]) -> None:
        """Send delivered notifications again with the same id; leads only."""
        again = sum(map(replay, _led(request, queryset)))
        messages.success(request, _queued_again(again))


def _led(request: HttpRequest, queryset: QuerySet[Notification]) -> QuerySet[Notification]:
    """Return the notifications of the applications that the user leads."""
    return queryset.filter(subscription__application__in=access.leading(request.user))


def _queued_again(count: int) -> str:
    text = ngettext("%d notification is queued again.", "%d notifications are queued again.", count)
    return text % count
