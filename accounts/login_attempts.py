"""What django-axes counts failed log-ins by: the name tried and the client's address."""

import ipaddress
from ipaddress import IPv4Address, IPv6Address
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

    A whole /64 belongs to one subscriber, who could otherwise take a fresh address for each guess.
    """
    address = peer_address(request)
    if address is None:
        return _NO_ADDRESS
    if address.version == 6 and address.ipv4_mapped is None:
        return str(ipaddress.ip_network((address, 64), strict=False).network_address)
    return str(address)


def peer_address(request: HttpRequest) -> IPv4Address | IPv6Address | None:
    """The peer's address, or the one that the outermost of `TRUSTED_PROXIES` proxies saw.

    None for a unix socket and for a malformed header.
    """
    text = str(request.META.get("REMOTE_ADDR", ""))
    if settings.TRUSTED_PROXIES > 0:
        hops = [hop.strip() for hop in request.headers.get("X-Forwarded-For", "").split(",")]
        text = hops[-settings.TRUSTED_PROXIES] if len(hops) >= settings.TRUSTED_PROXIES else text
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


def _locked_out(sender: str, request: HttpRequest, username: str, **_: Any) -> None:
    if getattr(request, "axes_failures_since_start", 0):
        append_login_event(Event.LOGIN_LOCKED, username)
