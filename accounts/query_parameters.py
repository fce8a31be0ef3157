"""Query parameters are those of the OpenAPI document; any other is refused."""

from collections.abc import Callable
from inspect import isclass
from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.inputs import unstorable


def refuse_unknown_parameters(request: Request, view: APIView, handler: Callable[..., Any]) -> None:
    """Raise ValidationError for a parameter that `handler` does not declare, or that holds NUL."""
    if not request.query_params:
        return
    known = declared_parameters(view, handler)
    wrong: dict[str, list[str]] = {}
    for name, values in request.query_params.lists():
        if name not in known:
            names = ", ".join(sorted(known)) or "none"
            wrong[name] = [f"Unknown query parameter. Known are: {names}."]
        elif reason := unstorable(values):
            wrong[name] = [reason]
    if wrong:
        raise ValidationError(wrong)


def declared_parameters(view: APIView, handler: Callable[..., Any]) -> set[str]:
    """The names of the query parameters that `extend_schema` declares of a view's method."""
    schema = getattr(handler, "kwargs", {}).get("schema")
    if schema is None:
        return set()
    inspector = schema()
    inspector.view = view
    names: set[str] = set()
    parameters: list[Any] = inspector.get_override_parameters()
    for parameter in parameters:
        if isinstance(parameter, OpenApiParameter):
            names |= {parameter.name} if parameter.location == OpenApiParameter.QUERY else set()
        else:
            serializer: Any = parameter() if isclass(parameter) else parameter
            names |= set(serializer.fields)
    return names
