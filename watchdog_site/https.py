"""Plain HTTP between our own nodes, behind the proxy that ends HTTPS."""

from django.conf import settings
from django.http import HttpRequest, HttpResponsePermanentRedirect
from django.http.request import split_domain_port
from django.middleware.security import SecurityMiddleware


class HttpsMiddleware(SecurityMiddleware):
    """Django's, but a call of the API under a name of `INTERNAL_HOSTS` is not redirected.

    Who writes such a name into a request from outside only goes without the redirect: pages are not
    served so, and their cookies are sent over HTTPS alone.
    """

    def process_request(self, request: HttpRequest) -> HttpResponsePermanentRedirect | None:
        host, _ = split_domain_port(request.get_host())
        if host in settings.INTERNAL_HOSTS and request.path.startswith("/api/"):
            return None
        return super().process_request(request)
