"""Names the request in every response, as the log lines do."""

from collections.abc import Callable

import structlog
from django.http import HttpRequest, HttpResponse

HEADER = "X-Request-ID"


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
