"""The base of all API views."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.models import Scope
from accounts.query_parameters import refuse_unknown_parameters
from accounts.throttling import Quota


class ApplicationView(APIView):
    """A view of one application's data; its responses carry the rate limit."""

    read_scope = Scope.CHECKS_READ
    write_scope = Scope.CHECKS_WRITE

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse query parameters that this operation does not have."""
        super().initial(request, *args, **kwargs)
        handler = getattr(self, str(request.method).lower(), None)
        if handler is not None:
            refuse_unknown_parameters(request, self, handler)

    def finalize_response(
        self, request: Request, response: Response, *args: Any, **kwargs: Any
    ) -> Response:
        """Add the `RateLimit-*` headers."""
        response = super().finalize_response(request, response, *args, **kwargs)
        quota: Quota | None = getattr(request._request, "rate_quota", None)
        for name, value in (quota.headers() if quota else {}).items():
            response[name] = value
        return response
