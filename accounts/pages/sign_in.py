"""Redirects to and from the provider, and logs out, started here or there."""

import logging

from django.conf import settings
from django.contrib.auth import login, logout
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from accounts.addresses import public_address
from accounts.backends import PROVIDER, came_from_provider
from accounts.oidc import provider
from accounts.oidc.people import end_sessions, sign_in
from accounts.oidc.provider import LogoutRefused, ProviderUnavailable, SignInRefused
from accounts.session_store import FROM_PROVIDER

log = logging.getLogger(__name__)
_NEXT = "oidc_next"
_ID_TOKEN = "oidc_id_token"  # noqa: S105  the name of a member of the session
_WAITS_S = 600


@never_cache
@require_GET
def begin_page(request: HttpRequest) -> HttpResponse:
    """Redirect to the provider. Reached by a link, since the CSP lets no form lead elsewhere."""
    _require_provider()
    if not request.user.is_authenticated:
        request.session.set_expiry(_WAITS_S)
    aim = request.GET.get("next", "")
    hosts, secure = {request.get_host()}, request.is_secure()
    safe = url_has_allowed_host_and_scheme(aim, allowed_hosts=hosts, require_https=secure)
    request.session[_NEXT] = aim if safe else ""
    try:
        return provider.begin(request, public_address(request, reverse("oidc_callback")))
    except ProviderUnavailable as error:
        return _failure_page(request, "unavailable", error)


@never_cache
@require_GET
def callback_page(request: HttpRequest) -> HttpResponse:
    """Read the provider's response, and log in."""
    _require_provider()
    try:
        identity = provider.finish(request)
    except ProviderUnavailable as error:
        return _failure_page(request, "unavailable", error)
    except SignInRefused as error:
        return _failure_page(request, "refused", error)
    came = sign_in(identity)
    if came.user is None:
        return _failure_page(request, "forbidden", came.refusal)
    aim = request.session.get(_NEXT) or resolve_url(settings.LOGIN_REDIRECT_URL)
    login(request, came.user, backend=PROVIDER)
    request.session[_ID_TOKEN] = identity.id_token
    request.session[FROM_PROVIDER] = {
        "issuer": identity.issuer, "subject": identity.subject, "sid": identity.sid,
    }  # fmt: skip
    request.session.pop(_NEXT, None)
    return redirect(aim)


@never_cache
@require_POST
def logout_page(request: HttpRequest) -> HttpResponse:
    """Log out here, and at the provider if the session came from there.

    A page leads on to the provider: the CSP lets no form end at another origin.
    """
    onward = ""
    if settings.OIDC_ISSUER and came_from_provider(request):
        back = public_address(request, reverse("login"))
        onward = provider.sign_out_url(request.session.get(_ID_TOKEN, ""), back)
    logout(request)
    if not onward:
        return redirect(settings.LOGOUT_REDIRECT_URL)
    return render(request, "accounts/signed_out.html", {"onward": onward})


@csrf_exempt
@never_cache
@require_POST
def back_channel_logout(request: HttpRequest) -> HttpResponse:
    """End the sessions of somebody who signed out or was removed at the provider.

    Its signature proves the caller. 400 for any failure, as the standard requires.
    """
    _require_provider()
    try:
        end_sessions(provider.logout_notice(request.POST.get("logout_token", "")))
    except (LogoutRefused, ProviderUnavailable) as error:
        log.warning("logout by the provider failed: %s", error)
        return JsonResponse({"error": "invalid_request"}, status=400)
    return HttpResponse()


def _failure_page(request: HttpRequest, why: str, error: object) -> HttpResponse:
    """Show a page that says what to do.

    Only the log has the cause, since others may read the page.
    """
    log.warning("sign-in at the provider failed (%s): %s", why, error)
    status = 503 if why == "unavailable" else 403
    return render(request, "accounts/sign_in_failed.html", {"why": why}, status=status)


def _require_provider() -> None:
    if not settings.OIDC_ISSUER:
        raise Http404
