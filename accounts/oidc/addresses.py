"""Checks that a provider's URLs are safe; pure, since the settings call it."""

from urllib.parse import urlsplit

_THIS_MACHINE = frozenset({"localhost", "127.0.0.1", "::1"})


def is_safe_issuer(url: str) -> bool:
    """Return whether nobody can impersonate the provider: HTTPS, or this machine."""
    parts = urlsplit(url)
    return bool(parts.hostname) and (
        parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _THIS_MACHINE)
    )
