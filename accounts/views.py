"""What all views share: the base of those of the API, and what is not found."""

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.models import Scope
from accounts.query_parameters import refuse_unknown_parameters
from accounts.throttling import Quota

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


class ApplicationView(APIView):
    """A view of one application's things; its responses carry the rate limit."""

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


def or_404(
    read: Callable[Parameters, Result], *args: Parameters.args, **options: Parameters.kwargs
) -> Result:
    """What `read` returns; Http404 where it raises DoesNotExist, as for another's object."""
    try:
        return read(*args, **options)
    except ObjectDoesNotExist:
        raise Http404 from None
