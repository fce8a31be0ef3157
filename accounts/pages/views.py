"""The user's own password and second factor."""

from typing import Any

from django.contrib import messages
from django.contrib.auth import authenticate
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.models import User
from django.contrib.auth.views import PasswordChangeView
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse, reverse_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import second_factor
from audit.models import Event
from audit.services import append


class PasswordPage(PasswordChangeView):
    """Changes the user's password, which ends their other sessions."""

    template_name = "accounts/password.html"
    success_url = reverse_lazy("home")

    @transaction.atomic
    def form_valid(self, form: PasswordChangeForm) -> HttpResponse:
        response = super().form_valid(form)
        append(Event.PASSWORD_CHANGED, subject=form.user, by=form.user.get_username())
        messages.success(self.request, _("Your password was changed."))
        return response


@never_cache
def staff_login(request: HttpRequest) -> HttpResponse:
    """Redirect to the log-in page; refuse whoever is logged in but may not see staff's pages."""
    if request.user.is_authenticated:
        raise PermissionDenied
    return redirect(f"{reverse('login')}?{request.GET.urlencode()}")


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def verify_page(request: HttpRequest) -> HttpResponse:
    """Ask for the code that completes the log-in."""
    user = _person(request)
    if second_factor.is_verified(request) or not second_factor.is_enrolled(user):
        return redirect("home")
    is_answer = request.method == "POST"
    if is_answer and second_factor.verify(request, user, request.POST.get("code", "")):
        return redirect("home")
    return render(request, "accounts/verify.html", {"wrong": is_answer})


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def second_factor_page(request: HttpRequest) -> HttpResponse:
    """Enrol an authenticator app, create new recovery codes, or remove the second factor."""
    user = _person(request)
    context: dict[str, Any] = {}
    if request.method == "POST":
        context = _change(request, user, request.POST.get("do", ""))
    device = second_factor.pending_device(user)
    context |= {
        "enrolled": second_factor.is_enrolled(user),
        "device": device,
        "qr_code": second_factor.qr_code(device) if device else "",
    }
    return render(request, "accounts/second_factor.html", context)


def _change(request: HttpRequest, user: User, action: str) -> dict[str, Any]:
    """Perform the action of the button; return what the page shows then."""
    password = request.POST.get("password", "")
    if authenticate(request, username=user.get_username(), password=password) != user:
        return {"error": _("The password is wrong.")}
    if action == "start" and not second_factor.is_enrolled(user):
        second_factor.start_enrolment(user)
    elif action == "confirm" and (device := second_factor.pending_device(user)):
        codes = second_factor.confirm_enrolment(request, device, request.POST.get("code", ""))
        return {"codes": codes} if codes else {"error": _("The code is wrong or was delayed.")}
    elif action == "codes" and second_factor.is_enrolled(user):
        return {"codes": second_factor.replace_recovery_codes(user)}
    elif action == "remove":
        second_factor.remove(user, by=user.get_username())
    return {}


def _person(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise TypeError("a page without login_required")
    return request.user
