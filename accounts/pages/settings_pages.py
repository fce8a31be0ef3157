"""Settings: their overview, and the people of an application, whom its leads invite."""

import smtplib

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.contrib.auth.views import PasswordResetConfirmView
from django.core.exceptions import PermissionDenied
from django.core.mail import send_mail
from django.core.validators import validate_email
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import reverse, reverse_lazy
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from accounts import access, navigation
from accounts.addresses import public_address
from accounts.member_admin import show_once
from accounts.models import Application, Membership, Role
from accounts.services import account_of, invite, withdraw_role
from audit.models import Event
from audit.services import append


class InviteForm(forms.Form):
    """An address and the role that its owner gets in an application."""

    email = forms.CharField(label=gettext_lazy("E-mail, or name of an account"), max_length=150)
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=Role.choices)
    application = forms.ModelChoiceField(
        queryset=Application.objects.none(), empty_label=None, label=gettext_lazy("Application")
    )

    def clean_email(self) -> str:
        """Return the name of an account as it is; what names none has to be an address."""
        name: str = self.cleaned_data["email"]
        if account_of(name) is None:
            validate_email(name)
        return name


@require_safe
def settings_page(request: HttpRequest) -> HttpResponse:
    """List the pages of settings that this person may open."""
    if not access.sees_anything(request.user):
        raise PermissionDenied
    context = admin.site.each_context(request) | {
        "title": _("Settings"), "subjects": navigation.settings_pages(request.user),
    }  # fmt: skip
    return TemplateResponse(request, "accounts/settings.html", context)


@require_http_methods(["GET", "POST"])
def people_page(request: HttpRequest) -> HttpResponse:
    """Show who has a role where this person leads; invite, and withdraw roles."""
    applications = access.leading(request.user)
    if not isinstance(request.user, User) or not access.manages_anything(request.user):
        raise PermissionDenied
    memberships = Membership.objects.filter(application__in=applications)
    if request.method == "POST" and "withdraw" in request.POST:
        others = memberships.exclude(user=request.user).select_related("user")
        membership = get_object_or_404(others, pk=int(request.POST["withdraw"]))
        withdraw_role(membership=membership, by=request.user.get_username())
        messages.success(request, _("%s has no role here any more.") % membership.user)
        return redirect("people")
    form = InviteForm(request.POST if request.method == "POST" else None)
    field = form.fields["application"]
    if isinstance(field, forms.ModelChoiceField):
        field.queryset = applications
    if form.is_valid():
        _invite(request, request.user, form)
        return redirect("people")
    context = admin.site.each_context(request) | {
        "title": _("People and roles"), "form": form, "has_one_application": len(applications) == 1,
        "memberships": memberships.select_related("user", "application").order_by(
            "application__name", "user__username"
        ),
    }  # fmt: skip
    return TemplateResponse(request, "accounts/people.html", context)


class InvitationPage(PasswordResetConfirmView):
    """Lets somebody who was invited choose a password."""

    template_name = "accounts/invitation.html"
    success_url = reverse_lazy("login")

    def form_valid(self, form: "SetPasswordForm[User]") -> HttpResponse:
        append(Event.PASSWORD_CHANGED, subject=form.user, by=form.user.get_username())
        return super().form_valid(form)


def _invite(request: HttpRequest, lead: User, form: InviteForm) -> None:
    """Give the role, and send the link of a new account or show it once."""
    values = form.cleaned_data
    user, is_new = invite(
        email=values["email"], application=values["application"], role=Role(values["role"]), by=lead
    )
    success = _("Invited as %(role)s: %(who)s") if is_new else _("Now %(role)s: %(who)s")
    role = Role(values["role"]).label
    messages.success(request, success % {"who": user, "role": role})
    if not is_new or not settings.LOCAL_LOGIN:
        return
    code = urlsafe_base64_encode(force_bytes(user.pk))
    path = reverse("invitation", args=[code, default_token_generator.make_token(user)])
    link = public_address(request, path)
    if settings.EMAIL_HOST:
        words = {"lead": lead, "application": values["application"], "link": link}
        text = _("%(lead)s invites you to %(application)s. Choose a password: %(link)s") % words
        try:
            send_mail(_("Your account for WATCHDOG"), text, None, [user.email])
        except (OSError, smtplib.SMTPException) as error:
            messages.error(request, _("The invitation could not be sent: %s") % error)
        else:
            messages.success(request, _("The invitation was sent to %s.") % user.email)
            return
    show_once(request, _("Send them this link, shown once: %s") % link, link)
