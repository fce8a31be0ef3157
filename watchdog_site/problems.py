"""Errors as `application/problem+json` (RFC 9457), each naming the field that is wrong."""

import sys
from http import HTTPStatus
from typing import Any

import structlog
from django.db import IntegrityError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views import defaults
from rest_framework import exceptions
from rest_framework.permissions import SAFE_METHODS
from rest_framework.response import Response
from rest_framework.views import exception_handler as drf_exception_handler

from accounts.problems import ProblemError
from analysis.selectors.erasures import CheckErased
from api.inputs import errors_of, field_errors

log = structlog.get_logger(__name__)
MEDIA_TYPE = "application/problem+json"
OUTAGES = (OperationalError, InterfaceError)
DISK_FULL = "53100"  # PostgreSQL's code
ON_HOLD = "23001"
"""The code of the triggers that keep what a legal hold is on (`watchdog_guard_hold`)."""


class Outage(exceptions.APIException):
    """Raised where the database does not answer or has no space. What was sent may be committed."""

    status_code = HTTPStatus.SERVICE_UNAVAILABLE
    default_code = "database_unavailable"
    wait = 5  # seconds, in `Retry-After`

    def __init__(self, error: Exception, method: str | None) -> None:
        reason = "The database does not answer."
        if _code(error) == DISK_FULL:
            self.status_code = HTTPStatus.INSUFFICIENT_STORAGE
            self.default_code = "storage_full"
            reason = "The database has no space left."
            self.wait = 60
        outcome = (
            "Try again."
            if method in SAFE_METHODS
            else "The outcome is unknown: repeat the request with the same Idempotency-Key."
        )
        super().__init__(f"{reason} {outcome}", self.default_code)


def legal_hold(error: BaseException | None) -> ProblemError | None:
    """Return a 409 where a legal hold made the database refuse to delete something."""
    if not isinstance(error, IntegrityError) or _code(error) != ON_HOLD:
        return None
    detail = "This is on legal hold and cannot be deleted. A superuser lifts holds in the admin."
    return ProblemError(HTTPStatus.CONFLICT, "legal_hold", detail)


def _code(error: BaseException) -> str | None:
    return getattr(error.__cause__, "pgcode", None)


def exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Turn every exception of an API view into a problem document (DRF's hook)."""
    if isinstance(error, Http404):
        error = exceptions.NotFound()
    if isinstance(error, CheckErased):
        error = ProblemError(HTTPStatus.GONE, "erased", str(error))
    if isinstance(error, OUTAGES):
        log.error("database_outage", exc_info=error)
        error = Outage(error, context["request"].method)
    error = legal_hold(error) or error
    response = drf_exception_handler(error, context)
    if response is None:
        return None
    code = getattr(error, "code", None) or getattr(error, "default_code", "error")
    body = problem(response.status_code, str(code), _detail(error))
    if isinstance(error, exceptions.ValidationError):
        body["errors"] = errors_of(error.detail)
    response.data = body | getattr(error, "members", {})
    response.content_type = MEDIA_TYPE
    return response


def problem(status: int, code: str, detail: str) -> dict[str, Any]:
    """Return the members of a problem document."""
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
    """Answer 404: a problem document under /api/, Django's page elsewhere."""
    if request.path.startswith("/api/"):
        body = problem(404, "not_found", "There is nothing at this address.")
        return JsonResponse(body, status=404, content_type=MEDIA_TYPE)
    return defaults.page_not_found(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer 500, 503 and 507 for an outage, 409 for a legal hold: never a verdict."""
    error = sys.exception()
    if isinstance(error, OUTAGES):
        outage = Outage(error, request.method)
        status, detail = int(outage.status_code), str(outage.detail)
        headers = {"Retry-After": str(outage.wait)}
        if request.path.startswith("/api/"):
            body = problem(status, outage.default_code, detail)
            return JsonResponse(body, status=status, headers=headers, content_type=MEDIA_TYPE)
        return HttpResponse(detail, status=status, headers=headers, content_type="text/plain")
    if refusal := legal_hold(error):
        return HttpResponse(
            str(refusal.detail), status=refusal.status_code, content_type="text/plain"
        )
    if request.path.startswith("/api/"):
        detail = "An internal error. The outcome is unknown; the log has the details."
        body = problem(500, "internal_error", detail)
        return JsonResponse(body, status=500, content_type=MEDIA_TYPE)
    return defaults.server_error(request)
