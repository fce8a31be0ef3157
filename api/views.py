"""`/api/v1/checks`, `/api/v1/batches` and the risk API's `/api/analyze`."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import Throttled
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import or_404
from accounts.authentication import client_of
from accounts.idempotency import KEY, IdempotencyKeyReused, replayed
from accounts.inputs import validated
from accounts.models import Scope
from accounts.pagination import PAGING, NewestFirst
from accounts.problems import ProblemError
from accounts.quotas import QuotaExceeded, Quotas, note_use, require_quota
from accounts.throttling import count
from accounts.views import ApplicationView
from analysis.engine import analyze
from analysis.models import CheckState
from analysis.selectors.checks import batch_of, check_state, checks_of, has_ended
from analysis.selectors.payloads import NotDecided, check_payloads
from analysis.selectors.results import (
    batch_document,
    check_document,
    check_summary,
    risk_api_assessment,
)
from analysis.services.erasure import NotEnded, OnHold, erase_check
from analysis.services.idempotency import Accepted, IdempotencyConflict, was_used
from analysis.services.submission import NewCheck, submit, submit_batch
from api import outputs
from api.headers import PREFER, idempotency, wait_headers, wait_seconds
from api.inputs import (
    METADATA,
    AnalyzeInput,
    BatchInput,
    CheckFilters,
    CheckInput,
    metadata_filters,
    no_verdict,
)
from api.outputs import CheckPayloads
from api.stream import LAST_EVENT_ID, EventStreamRenderer, stream
from documents.selectors import named_collections
from lib.workqueue.broker import wait_for_end

# Requires that a check's collections exist: a misspelt one would be searched in vain.

_UNKNOWN = "unknown_collection"


def require_known(application_id: UUID, names: Sequence[str]) -> None:
    """Raise ProblemError for the first name that is no collection of the application."""
    if missing := _missing(application_id, names):
        raise ProblemError(422, _UNKNOWN, _missing_message(missing[0]))


def refuse_unknown(
    application_id: UUID, items: Sequence[NewCheck | dict[str, Any]]
) -> list[NewCheck | dict[str, Any]]:
    """Return a batch's items; those naming an unknown collection become errors."""
    requested_names = {
        name for item in items if isinstance(item, NewCheck) for name in item.collections
    }
    missing = set(_missing(application_id, sorted(requested_names)))
    return [_check_item(item, missing) for item in items]


def _missing(application_id: UUID, names: Sequence[str]) -> list[str]:
    return named_collections(application_id, list(names))[1] if names else []


def _check_item(item: NewCheck | dict[str, Any], missing: set[str]) -> NewCheck | dict[str, Any]:
    if not isinstance(item, NewCheck) or missing.isdisjoint(item.collections):
        return item
    errors = [
        {"field": f"collections[{at}]", "code": _UNKNOWN, "detail": _missing_message(n)}
        for at, n in enumerate(item.collections)
        if n in missing
    ]
    return {"errors": errors}


def _missing_message(name: str) -> str:
    return f"There is no collection {name!r}. Create it with POST /api/v1/collections."


NO_QUOTAS = Quotas(None, None, None)
_ERASED_BY_REQUEST = "requested by the application"
MAX_REASON = 500
_ENDED = (CheckState.DONE, CheckState.FAILED)


class ChecksView(ApplicationView):
    """Submit an answer; list checks."""

    max_body_bytes = settings.MAX_BODY_BYTES

    @extend_schema(
        operation_id="submit_check",
        parameters=[PREFER, KEY],
        request=CheckInput,
        responses={
            200: outputs.CheckOutput,
            202: outputs.CheckOutput,
            409: outputs.Problem,
            422: outputs.Problem,
        },
    )
    def post(self, request: Request) -> Response:
        """Check an answer: 200 with the verdict, or 202 with where to find it."""
        serializer = CheckInput(data=request.data)
        serializer.is_valid(raise_exception=True)
        new = serializer.new_check()
        require_known(self.application_id, new.collections)
        accepted = accept(request, 1, partial(submit, new=new))
        seconds = wait_seconds(request)
        if not (accepted.replayed and has_ended(accepted.id)):
            wait_for_verdict(accepted.id, seconds)
        document = _document(request, accepted.id)
        ended = document["state"] in _ENDED
        headers = wait_headers(
            request, accepted, ended=ended, where=reverse("check", args=[accepted.id])
        )
        return Response(document, status=200 if ended else 202, headers=headers)

    @extend_schema(
        operation_id="list_checks",
        parameters=[CheckFilters, METADATA, *PAGING],
        responses={200: outputs.CheckPage},
    )
    def get(self, request: Request) -> Response:
        """List checks, newest first."""
        filters = validated(CheckFilters, request.query_params)
        metadata = metadata_filters(request.query_params)
        checks = checks_of(self.application_id, filters, metadata)
        return NewestFirst().respond(checks, self, check_summary)


class CheckView(ApplicationView):
    delete_scope = Scope.CHECKS_ERASE
    problems = {OnHold: (409, "legal_hold"), NotEnded: (409, "check_not_ended")}
    renderer_classes = (JSONRenderer, EventStreamRenderer)

    @extend_schema(
        operation_id="get_check",
        parameters=[LAST_EVENT_ID],
        responses={
            (200, "application/json"): outputs.CheckOutput,
            (200, "text/event-stream"): OpenApiTypes.STR,
            204: None,
            (410, "application/json"): outputs.Problem,
        },
    )
    def get(self, request: Request, check_id: UUID) -> HttpResponseBase:
        """Return a check with its result; 410 once it is erased.

        With `Accept: text/event-stream`, a stream of events: `status` for each state, `claim` for
        each claim with its verdict, and `result`, the JSON document. A stream ends after
        60 seconds; reconnect with `Last-Event-ID`.
        """
        if not isinstance(request.accepted_renderer, EventStreamRenderer):
            return Response(_document(request, check_id))
        state_of = partial(check_state, self.application_id, check_id)
        document_of = partial(_document, request, check_id)
        if or_404(state_of) in _ENDED:
            document_of()  # 410 has to come before the first event
        return stream(request, check_id, state_of, document_of)

    @extend_schema(
        operation_id="erase_check",
        parameters=[
            OpenApiParameter(
                "reason",
                str,
                description="The reason for the erasure, recorded in the audit trail.",
            )
        ],
        request=None,
        responses={204: None, 409: outputs.Problem},
    )
    def delete(self, request: Request, check_id: UUID) -> Response:
        """Erase a check's texts, result and comments; 204 even if it was already erased."""
        reason = request.query_params.get("reason", "").strip() or _ERASED_BY_REQUEST
        or_404(
            erase_check,
            application_id=self.application_id,
            check_id=check_id,
            by=str(request.user),
            reason=reason[:MAX_REASON],
        )
        return Response(status=204)


class CheckPayloadsView(ApplicationView):
    """One check in the verifier API's payloads."""

    @extend_schema(
        operation_id="get_check_payloads",
        responses={200: CheckPayloads, 409: outputs.Problem, 410: outputs.Problem},
    )
    def get(self, request: Request, check_id: UUID) -> Response:
        """Return query, evidence, claims, pairs, signals, decisions, citations.

        409 if undecided.
        """
        try:
            payloads = or_404(check_payloads, self.application_id, check_id)
        except NotDecided as error:
            raise no_verdict(error.state) from error
        return Response(payloads)


class BatchesView(ApplicationView):
    """Submit many answers at once."""

    max_body_bytes = settings.MAX_BATCH_BODY_BYTES

    @extend_schema(
        operation_id="submit_batch",
        parameters=[KEY],
        request=BatchInput,
        responses={202: outputs.BatchOutput, 409: outputs.Problem},
    )
    def post(self, request: Request) -> Response:
        """Submit up to 1,000 answers; each item has its own result or error."""
        serializer = BatchInput(data=request.data)
        serializer.is_valid(raise_exception=True)
        application_id = self.application_id
        items = refuse_unknown(application_id, serializer.items_or_errors())
        _count_further(request, len(items) - 1)
        checks = sum(isinstance(item, NewCheck) for item in items)
        accepted = accept(request, checks, partial(submit_batch, items=items))
        batch = batch_of(application_id, accepted.id)
        headers = {"Location": reverse("batch", args=[batch.pk]), **replayed(accepted.replayed)}
        return Response(batch_document(batch), status=202, headers=headers)


class BatchView(ApplicationView):
    @extend_schema(operation_id="get_batch", responses={200: outputs.BatchOutput})
    def get(self, request: Request, batch_id: UUID) -> Response:
        """Return a batch with the state of each item."""
        batch = or_404(batch_of, self.application_id, batch_id)
        return Response(batch_document(batch))


class AnalyzeView(ApplicationView):
    """The risk API's interface: one call, one assessment."""

    max_body_bytes = settings.MAX_BODY_BYTES

    @extend_schema(
        operation_id="analyze",
        request=AnalyzeInput,
        responses={200: outputs.AnalyzeOutput, 409: outputs.Problem},
    )
    def post(self, request: Request) -> Response:
        """Check an answer with the risk API's input and output.

        A claim's status is in its words: SUPPORTED, CONTRADICTED and UNVERIFIED are the Supported,
        Contradictory and Low Confidence of `/api/v1/checks`.
        """
        serializer = AnalyzeInput(data=request.data)
        serializer.is_valid(raise_exception=True)
        data = serializer.validated_data
        if not (data["llm_response"] or "").strip():
            return Response(analyze(data["prompt"], None, data["rag_results"]))
        new, warnings = serializer.new_check()
        check_id = accept(request, 1, partial(submit, new=new)).id
        wait_for_verdict(check_id, settings.MAX_WAIT_SECONDS)
        assessment = risk_api_assessment(check_id)
        if assessment is None:
            detail = "The answer was accepted and stored, but no worker has checked it yet."
            raise ProblemError(503, "not_ready", detail)
        return Response(assessment | ({"warnings": warnings} if warnings else {}))


def accept(request: Request, checks: int, submit_them: Callable[..., Accepted]) -> Accepted:
    """Accept so many checks within the application's quotas; a repeated request creates none.

    Raises ProblemError.
    """
    client, key = client_of(request), idempotency(request)
    quotas = Quotas(client.checks_per_day, client.checks_per_month, client.claims_per_month)
    try:
        if quotas != NO_QUOTAS and not (key and was_used(client.application_id, key)):
            require_quota(client.application_id, quotas, checks, timezone.now())
        accepted = submit_them(
            application_id=client.application_id,
            by=str(request.user),
            idempotency=key,
            is_probe=client.is_probe,
        )
    except QuotaExceeded as error:
        raise ProblemError(
            429,
            "quota_exceeded",
            str(error),
            wait=max(1, round((error.resets_at - timezone.now()).total_seconds())),
            quota=error.name,
            limit=error.limit,
            resets_at=error.resets_at.isoformat().replace("+00:00", "Z"),
        ) from error
    except IdempotencyConflict as error:
        raise IdempotencyKeyReused from error
    if not accepted.replayed:
        note_use(client.application_id, quotas, checks, timezone.now())
    return accepted


def wait_for_verdict(check_id: UUID, seconds: float) -> None:
    """Wait until the check is done or failed, for these seconds at most."""
    wait_for_end(check_id, seconds=seconds, has_ended=partial(has_ended, check_id))


def _document(request: Request, check_id: UUID) -> dict[str, Any]:
    return or_404(check_document, client_of(request).application_id, check_id)


def _count_further(request: Request, items: int) -> None:
    """Count a batch's further items; the throttle has counted one."""
    if items <= 0:
        return
    limit = client_of(request).rate_limit_per_minute
    if limit is not None and items >= limit:
        detail = (
            f"A batch of {items + 1} items exceeds this application's limit of {limit} checks per "
            "minute. Send smaller batches."
        )
        raise ProblemError(429, "batch_above_rate_limit", detail)
    allowed, quota = count(client_of(request), cost=items)
    request._request.rate_quota = quota  # type: ignore[attr-defined]
    if not allowed and quota:
        raise Throttled(wait=max(1, quota.reset))
