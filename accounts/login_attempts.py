"""The identity by which django-axes counts failed log-ins: name tried and client's address."""

import ipaddress
from ipaddress import IPv4Address, IPv6Address
from typing import Any

from axes.signals import user_locked_out
from django.conf import settings
from django.dispatch import receiver
from django.http import HttpRequest

from audit.logins import append_login_event, login_name
from audit.models import Event

_NO_ADDRESS = "0.0.0.0"  # noqa: S104  a unix socket or a malformed header: counted together


def attempted_name(request: HttpRequest, credentials: dict[str, Any] | None) -> str:
    """Return the user's name, or a digest of a name that nobody has."""
    typed = (credentials or {}).get("username") or request.POST.get("username", "")
    return login_name(str(typed))


def client_address(request: HttpRequest) -> str:
    """Return the client's address, or its /64 network for IPv6.

    A whole /64 belongs to one subscriber, who could otherwise use a new address for each guess.
    """
    address = peer_address(request)
    if address is None:
        return _NO_ADDRESS
    if address.version == 6 and address.ipv4_mapped is None:
        return str(ipaddress.ip_network((address, 64), strict=False).network_address)
    return str(address)


def peer_address(request: HttpRequest) -> IPv4Address | IPv6Address | None:
    """Return the peer's address, or the one seen by the outermost of `TRUSTED_PROXIES` proxies.

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


@receiver(user_locked_out)
def _locked_out(sender: str, request: HttpRequest, username: str, **_: Any) -> None:
    if getattr(request, "axes_failures_since_start", 0):
        append_login_event(Event.LOGIN_LOCKED, username)
