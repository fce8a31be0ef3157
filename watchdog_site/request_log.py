"""The log's first and last line of each request."""

import structlog
from django.http import HttpRequest
from django_structlog.middlewares import RequestMiddleware

from accounts.login_attempts import peer_address


class RequestLogMiddleware(RequestMiddleware):
    """Logs the address that failed log-ins are counted by, instead of whatever a client claims.

    django_structlog would believe any `X-Forwarded-For`, and look for it under twenty names.
    """

    @classmethod
    def bind_ip(cls, request: HttpRequest) -> None:
        """Add the client's address to the request's log lines."""
        address = peer_address(request)
        structlog.contextvars.bind_contextvars(ip=address and str(address))
