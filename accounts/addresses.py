"""Addresses for people outside of this server."""

from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request


def public_address(request: HttpRequest | Request, path: str) -> str:
    """A path under PUBLIC_URL where that is set, else under the name that the request used."""
    return settings.PUBLIC_URL + path if settings.PUBLIC_URL else request.build_absolute_uri(path)
