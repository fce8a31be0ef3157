"""URLs for people outside this server."""

from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request


def public_address(request: HttpRequest | Request, path: str) -> str:
    """Return a path under PUBLIC_URL if that is set, else under the request's host name."""
    return settings.PUBLIC_URL + path if settings.PUBLIC_URL else request.build_absolute_uri(path)
