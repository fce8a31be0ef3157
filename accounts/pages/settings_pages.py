"""Settings: their overview, and where somebody who was invited chooses a password."""

from django.contrib import admin
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.models import User
from django.contrib.auth.views import PasswordResetConfirmView
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts import access, navigation
from audit.models import Event
from audit.services import append


@require_safe
def settings_page(request: HttpRequest) -> HttpResponse:
    """List the pages of settings that this person may open."""
    if not access.sees_anything(request.user):
        raise PermissionDenied
    context = admin.site.each_context(request) | {
        "title": _("Settings"), "subjects": navigation.settings_pages(request.user),
    }  # fmt: skip
    return TemplateResponse(request, "accounts/settings.html", context)


class InvitationPage(PasswordResetConfirmView):
    """Lets somebody who was invited choose a password."""

    template_name = "accounts/invitation.html"
    success_url = reverse_lazy("login")

    @transaction.atomic
    def form_valid(self, form: "SetPasswordForm[User]") -> HttpResponse:
        append(Event.PASSWORD_CHANGED, subject=form.user, by=form.user.get_username())
        return super().form_valid(form)
