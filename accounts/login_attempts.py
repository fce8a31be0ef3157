"""What django-axes counts failed log-ins by: the name tried and the client's address."""

import ipaddress
from typing import Any

from axes.signals import user_locked_out
from django.conf import settings
from django.http import HttpRequest

from audit.logins import append_login_event, login_name
from audit.models import Event

_NO_ADDRESS = "0.0.0.0"  # noqa: S104  a unix socket or a malformed header: counted together


def connect() -> None:
    """Register the receiver that writes lock-outs into the trail."""
    user_locked_out.connect(_locked_out, dispatch_uid="accounts.locked_out")


def attempted_name(request: HttpRequest, credentials: dict[str, Any] | None) -> str:
    """The user's name, or a digest of a name that nobody bears."""
    typed = (credentials or {}).get("username") or request.POST.get("username", "")
    return login_name(str(typed))


def client_address(request: HttpRequest) -> str:
    """The address of the client, or of its /64 network where it is IPv6.

    It is the peer's, or the one that the outermost of `TRUSTED_PROXIES` proxies saw. A whole /64
    belongs to one subscriber, who could otherwise take a fresh address for each guess.
    """
    hops = [hop.strip() for hop in request.headers.get("X-Forwarded-For", "").split(",")]
    text = str(request.META.get("REMOTE_ADDR", ""))
    if 0 < settings.TRUSTED_PROXIES <= len(hops):
        text = hops[-settings.TRUSTED_PROXIES]
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return _NO_ADDRESS
    if address.version == 6 and address.ipv4_mapped is None:
        return str(ipaddress.ip_network((address, 64), strict=False).network_address)
    return str(address)


def _locked_out(sender: str, request: HttpRequest, username: str, **_: Any) -> None:
    if getattr(request, "axes_failures_since_start", 0):
        append_login_event(Event.LOGIN_LOCKED, username)
