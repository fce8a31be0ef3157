"""The second factor: codes of an authenticator app (TOTP), and recovery codes for a lost one."""

from collections.abc import Callable
from typing import Any

import segno
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django_otp import login

from accounts.authenticator import Authenticator, RecoveryCodes
from accounts.backends import came_from_provider
from audit.logins import append_login_event
from audit.models import Event
from audit.services import append

RECOVERY_CODES = 10
_NAME = "authenticator"
_OPEN_VIEWS = frozenset(
    {"second_factor_verify", "login", "logout", "oidc_begin", "oidc_callback", "admin:jsi18n"}
)
_ENROLMENT_VIEW = "second_factor"


class SecondFactorMiddleware:
    """Shows a half-logged-in person only the page that asks for the code.

    With `SECOND_FACTOR_REQUIRED`, staff without a device only see the enrolment. For people from
    the provider, the provider asks for the second factor.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_: Any) -> HttpResponse | None:
        """Redirect if the second factor is missing."""
        match = request.resolver_match
        if settings.SESSION_COOKIE_NAME not in request.COOKIES or match is None:
            return None
        user = request.user
        if match.view_name in _OPEN_VIEWS or not isinstance(user, User) or is_verified(request):
            return None
        if is_enrolled(user):
            return redirect("second_factor_verify")
        is_required = settings.SECOND_FACTOR_REQUIRED and not came_from_provider(request)
        if is_required and user.is_staff and match.view_name != _ENROLMENT_VIEW:
            return redirect(_ENROLMENT_VIEW)
        return None


def is_verified(request: HttpRequest) -> bool:
    """Return whether this session has passed the second factor."""
    return getattr(request.user, "otp_device", None) is not None


def is_enrolled(user: User) -> bool:
    """Return whether this person's log-in asks for a code."""
    return bool(Authenticator.objects.filter(user=user, confirmed=True).exists())


def pending_device(user: User) -> Authenticator | None:
    """Return the device whose first code is awaited, if enrolment was started."""
    device: Authenticator | None = Authenticator.objects.filter(user=user, confirmed=False).first()
    return device


def start_enrolment(user: User) -> Authenticator:
    """Create a new secret; it counts only once `confirm_enrolment` has seen a code of it."""
    Authenticator.objects.filter(user=user, confirmed=False).delete()
    device: Authenticator = Authenticator.objects.create(user=user, name=_NAME, confirmed=False)
    return device


def qr_code(device: Authenticator) -> str:
    """Return the device's secret as a QR code, a `data:` URI of an SVG."""
    return str(segno.make(device.config_url, error="m").svg_data_uri(scale=5, light="white"))


@transaction.atomic
def confirm_enrolment(request: HttpRequest, device: Authenticator, code: str) -> list[str]:
    """Activate the device; return the recovery codes, or none if the code is wrong."""
    if not device.verify_token(code):
        return []
    device.confirmed = True
    device.save(update_fields=["confirmed"])
    login(request, device)
    _append_change(device.user, "enrolled", by=device.user.get_username())
    return replace_recovery_codes(device.user)


@transaction.atomic
def replace_recovery_codes(user: User) -> list[str]:
    """Create new recovery codes, each valid once; earlier ones become invalid."""
    RecoveryCodes.objects.filter(user=user).delete()
    device: RecoveryCodes = RecoveryCodes.objects.create(user=user, name="recovery codes")
    codes = device.add(RECOVERY_CODES)
    _append_change(user, "recovery codes made", by=user.get_username())
    return codes


def verify(request: HttpRequest, user: User, code: str) -> bool:
    """Complete the log-in with a code; django-otp delays guesses and accepts no code twice."""
    device = _matching_device(user, code.strip().replace(" ", ""))
    if device is None:
        append_login_event(Event.SECOND_FACTOR_FAILED, user.get_username())
        return False
    request.session.cycle_key()
    login(request, device)
    return True


@transaction.atomic
def _matching_device(user: User, code: str) -> Authenticator | RecoveryCodes | None:
    """Return the device that accepts the code, locked so that no two requests use it at once."""
    device: Authenticator | RecoveryCodes
    for model in (Authenticator, RecoveryCodes):
        for device in model.objects.filter(user=user, confirmed=True).select_for_update():
            if device.verify_token(code):
                return device
    return None


@transaction.atomic
def remove(user: User, *, by: str) -> bool:
    """Remove the second factor; return False if there was none."""
    removed, _ = Authenticator.objects.filter(user=user).delete()
    RecoveryCodes.objects.filter(user=user).delete()
    if removed:
        _append_change(user, "removed", by=by)
    return bool(removed)


def _append_change(user: User, change: str, *, by: str) -> None:
    append(Event.SECOND_FACTOR_CHANGED, subject=user, by=by, change=change)
