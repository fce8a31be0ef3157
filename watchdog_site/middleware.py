"""Our middleware: HTTPS behind the proxy, the log's lines, the request's id, the language."""

from collections.abc import Callable

import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponsePermanentRedirect
from django.http.request import split_domain_port
from django.middleware.locale import LocaleMiddleware
from django.middleware.security import SecurityMiddleware
from django.utils import translation
from django_structlog.middlewares import RequestMiddleware

from accounts.login_attempts import peer_address

HEADER = "X-Request-ID"
_API = "/api/"


class HttpsMiddleware(SecurityMiddleware):
    """Django's, but API and metrics are not redirected under a name of `INTERNAL_HOSTS`.

    Who writes such a name into a request from outside only goes without the redirect: pages are not
    served so, and their cookies are sent over HTTPS alone.
    """

    def process_request(self, request: HttpRequest) -> HttpResponsePermanentRedirect | None:
        host, _ = split_domain_port(request.get_host())
        if host in settings.INTERNAL_HOSTS and request.path.startswith((_API, "/metrics")):
            return None
        return super().process_request(request)


class RequestLogMiddleware(RequestMiddleware):
    """Logs the address that failed log-ins are counted by, instead of whatever a client claims.

    django_structlog would believe any `X-Forwarded-For`, and look for it under twenty names.
    """

    @classmethod
    def bind_ip(cls, request: HttpRequest) -> None:
        """Add the client's address to the request's log lines."""
        address = peer_address(request)
        structlog.contextvars.bind_contextvars(ip=address and str(address))


class RequestIdMiddleware:
    """Adds X-Request-ID: the `request_id` of the log lines of this request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Serve the request; it runs inside django_structlog's middleware, which binds the id."""
        request_id = structlog.contextvars.get_contextvars().get("request_id")
        response = self.get_response(request)
        if request_id:
            response[HEADER] = request_id
        return response


class PageLanguageMiddleware(LocaleMiddleware):
    """Django's own, for pages alone: what programs read must not depend on a browser's header."""

    def process_request(self, request: HttpRequest) -> None:
        """Choose the language of a page; the API and its errors stay English."""
        if request.path_info.startswith(_API):
            translation.activate("en")
            request.LANGUAGE_CODE = "en"
        else:
            super().process_request(request)

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Name the language of a page in its headers; leave the API's alone."""
        if request.path_info.startswith(_API):
            return response
        return super().process_response(request, response)
