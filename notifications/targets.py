"""Validates webhook URLs: leads choose them, and they must not reach our own network.

Allowed are https URLs whose host has public addresses. A host in WEBHOOK_ALLOWED_HOSTS may also be
plain http, and have any address.
"""

import socket
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import SplitResult, urlsplit

_NAT64 = IPv6Network("64:ff9b::/96")
# Special forms that hold an IPv4 address and belong to no public host: IPv4-compatible (RFC 4291),
# IPv4-translated (RFC 2765), a network's own NAT64 (RFC 8215).
_PRIVATE_FORMS = tuple(map(IPv6Network, ("::/96", "::ffff:0:0:0/96", "64:ff9b:1::/48")))
_NO_NAME = "The host's name has an empty part, or is too long."
_OWN_ZONES = frozenset({"localhost", "local", "internal", "lan", "home", "corp"})
PORTS = {"https": 443, "http": 80}
_LOOKUPS = ThreadPoolExecutor(8, "webhook-name")
"""At most so many names are looked up at once: a resolver that hangs holds no further threads."""


class TargetRefused(ValueError):
    """Raised for a URL that no webhook may have; the message says why."""


def check_url(url: str, allowed_hosts: Collection[str]) -> SplitResult:
    """Return the parts of a URL that may be called, judged by its text. Raises TargetRefused."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise TargetRefused("This is not a URL.") from error
    if parts.scheme not in ("https", "http") or not host or port == 0:
        raise TargetRefused("Enter a URL that starts with https:// and names a host.")
    if parts.username is not None or parts.password is not None:
        raise TargetRefused("A URL must not contain a user name or password.")
    if any(c.isspace() or not c.isascii() or not c.isprintable() for c in url):
        raise TargetRefused("A URL may contain only ASCII characters, without spaces.")
    if host in allowed_hosts:
        return parts
    if (
        any(not 0 < len(label) < 64 for label in host.removesuffix(".").split("."))
        or len(host) > 253
    ):
        raise TargetRefused(_NO_NAME)
    if parts.scheme != "https":
        raise TargetRefused(
            f"Only https: the operator has not allowed plain http to {host} "
            "(WEBHOOK_ALLOWED_HOSTS)."
        )
    address = _literal(host)
    if not is_public(address) if address else _is_own_name(host):
        raise TargetRefused(_not_public(host))
    return parts


def check_new(url: str, allowed_hosts: Collection[str], seconds: float) -> None:
    """Refuse a new target that could not be called: by its text, or by its host's addresses.

    Its host must be known now, but nothing needs to listen there: a receiver is set up with the
    secret that this webhook is about to get. Raises TargetRefused.
    """
    parts = check_url(url, allowed_hosts)
    host, port = str(parts.hostname), parts.port or PORTS[parts.scheme]
    lookup = _LOOKUPS.submit(addresses_of, host, port, allowed_hosts)
    try:
        lookup.result(seconds)
    except OSError as error:  # A time-out too.
        lookup.cancel()
        is_allowed = host in allowed_hosts
        why = f"The name {host} cannot be looked up." if is_allowed else _not_public(host)
        raise TargetRefused(why) from error


def addresses_of(host: str, port: int, allowed_hosts: Collection[str]) -> list[str]:
    """Return the addresses of `host` that may be connected to. Raises TargetRefused, OSError.

    Connect to one of these and do not resolve the name again: the second answer may differ. A name
    that nobody knows is refused in the words for one of our own network, so that nobody learns
    which names exist there.
    """
    try:
        entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError as error:  # A label is empty or too long.
        raise TargetRefused(_NO_NAME) from error
    except OSError as error:
        if host in allowed_hosts:
            raise
        raise TargetRefused(_not_public(host)) from error
    addresses = list(dict.fromkeys(str(where[0]) for *_, where in entries))
    if host in allowed_hosts:
        return addresses
    public = [address for address in addresses if (ip := _literal(address)) and is_public(ip)]
    if not public:
        raise TargetRefused(_not_public(host))
    return public


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether it is a public internet address, even if it wraps an IPv4 address."""
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is None and address in _NAT64:
            inner = IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(inner)
        if address.teredo is not None or any(address in form for form in _PRIVATE_FORMS):
            return False
    return address.is_global and not address.is_multicast


def _literal(host: str) -> IPv4Address | IPv6Address | None:
    """Return the address that a host literal is, even in short and unusual forms, or None."""
    try:
        return ip_address(host.partition("%")[0])
    except ValueError:
        pass
    try:
        return IPv4Address(socket.inet_aton(host.rstrip(".")))
    except OSError:
        return None


def _is_own_name(host: str) -> bool:
    """Return True for a name known only in a local network: a single label, or reserved."""
    labels = host.rstrip(".").split(".")
    return len(labels) == 1 or labels[-1] in _OWN_ZONES


def _not_public(host: str) -> str:
    return (
        f"No public address of {host} is known here; the operator has to allow hosts of the own "
        "network by name (WEBHOOK_ALLOWED_HOSTS)."
    )
