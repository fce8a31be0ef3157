"""Errors as `application/problem+json` (RFC 9457), each naming the field that is wrong."""

from http import HTTPStatus
from typing import Any

import structlog
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views import defaults
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler as drf_exception_handler

from analysis.api.errors import field_errors

log = structlog.get_logger(__name__)
MEDIA_TYPE = "application/problem+json"


class Problem(exceptions.APIException):
    """An error of ours with its own status and type."""

    def __init__(self, status: int, code: str, detail: str) -> None:
        super().__init__(detail, code)
        self.status_code = status
        self.code = code


def exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's hook: every exception of an API view becomes a problem document."""
    if isinstance(error, (Http404, PermissionDenied)):
        error = exceptions.NotFound() if isinstance(error, Http404) else error
    response = drf_exception_handler(error, context)
    if response is None:
        return None
    code = getattr(error, "code", None) or getattr(error, "default_code", "error")
    body = problem(response.status_code, str(code), _detail(error))
    if isinstance(error, exceptions.ValidationError):
        body["errors"] = list(field_errors(error.detail))
    response.data = body
    response.content_type = MEDIA_TYPE
    return response


def problem(status: int, code: str, detail: str) -> dict[str, Any]:
    """The members of a problem document."""
    return {
        "type": f"urn:watchdog:problem:{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
    }


def _detail(error: Exception) -> str:
    if isinstance(error, exceptions.ValidationError):
        first = next(field_errors(error.detail), None)
        if first is None:
            return "The request is not valid."
        return f"{first['field']}: {first['detail']}" if first["field"] else first["detail"]
    return str(getattr(error, "detail", "")) or "The request could not be served."


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404: a problem document under /api/, Django's page elsewhere."""
    if request.path.startswith("/api/"):
        body = problem(404, "not_found", "There is nothing at this address.")
        return JsonResponse(body, status=404, content_type=MEDIA_TYPE)
    return defaults.page_not_found(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """500: says that nothing is known of the outcome, never a verdict."""
    if request.path.startswith("/api/"):
        detail = "An internal error. Nothing was decided; the log has the details."
        body = problem(500, "internal_error", detail)
        return JsonResponse(body, status=500, content_type=MEDIA_TYPE)
    return defaults.server_error(request)
