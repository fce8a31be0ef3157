"""The base of all API views."""

import re
from collections.abc import Callable, Mapping
from inspect import isclass
from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.authentication import client_of
from accounts.inputs import storage_problem
from accounts.models import Scope
from accounts.problems import ProblemError
from accounts.throttling import Quota

# Refuses query parameters that the OpenAPI document does not declare.

_OBJECT = "deepObject"
_MEMBER = re.compile(r"([a-z_]+)(?:\..+|\[.+\])", re.DOTALL)


def refuse_unknown_parameters(request: Request, view: APIView, handler: Callable[..., Any]) -> None:
    """Raise ValidationError for a parameter that `handler` does not declare or that has NUL."""
    if not request.query_params:
        return
    declared, objects = declared_parameters(view, handler)
    wrong: dict[str, list[str]] = {}
    for name, values in request.query_params.lists():
        if name not in declared and _object_of(name) not in objects:
            names = ", ".join(sorted(declared | objects)) or "none"
            wrong[name] = [f"Unknown query parameter. Allowed: {names}."]
        elif reason := storage_problem([name, *values]):
            wrong[name] = [reason]
    if wrong:
        raise ValidationError(wrong)


def declared_parameters(view: APIView, handler: Callable[..., Any]) -> tuple[set[str], set[str]]:
    """Return the query parameters that `extend_schema` declares for a view's method.

    First their names, then the names of objects, whose members are named `a[b]` or `a.b`.
    """
    schema = getattr(handler, "kwargs", {}).get("schema")
    if schema is None:
        return set(), set()
    inspector = schema()
    inspector.view = view
    names: set[str] = set()
    objects: set[str] = set()
    parameters: list[Any] = inspector.get_override_parameters()
    for parameter in parameters:
        if isinstance(parameter, OpenApiParameter):
            if parameter.location == OpenApiParameter.QUERY:
                (objects if parameter.style == _OBJECT else names).add(parameter.name)
        else:
            serializer: Any = parameter() if isclass(parameter) else parameter
            names |= set(serializer.fields)
    return names, objects


def _object_of(name: str) -> str:
    """Return `metadata` for `metadata[a]` and `metadata.a`; "" if no member is named."""
    match = _MEMBER.fullmatch(name)
    return match[1] if match else ""


class ApplicationView(APIView):
    """A view of one application's data; its responses carry the rate limit."""

    read_scope = Scope.CHECKS_READ
    write_scope = Scope.CHECKS_WRITE
    problems: Mapping[type[Exception], tuple[int, str]] = {}
    """Errors of services that are the client's: the status and the code to report each with."""

    @property
    def application_id(self) -> UUID:
        """The application that the request's key belongs to."""
        return client_of(self.request).application_id

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse query parameters that this operation does not have."""
        super().initial(request, *args, **kwargs)
        handler = getattr(self, str(request.method).lower(), None)
        if handler is not None:
            refuse_unknown_parameters(request, self, handler)

    def handle_exception(self, exc: Exception) -> Response:
        """Report an error of a service, whose message is for the client, as a problem."""
        for kind, (status, code) in self.problems.items():
            if isinstance(exc, kind):
                problem = ProblemError(status, code, str(exc))
                problem.__cause__ = exc
                return super().handle_exception(problem)
        return super().handle_exception(exc)

    def finalize_response(
        self, request: Request, response: Response, *args: Any, **kwargs: Any
    ) -> Response:
        """Add the `RateLimit-*` headers."""
        response = super().finalize_response(request, response, *args, **kwargs)
        quota: Quota | None = getattr(request._request, "rate_quota", None)
        for name, value in (quota.headers() if quota else {}).items():
            response[name] = value
        return response
