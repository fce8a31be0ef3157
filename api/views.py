"""`/api/v1/checks`, `/api/v1/batches` and the risk API's `/api/analyze`.

Of one check also its feedback, a link to its page, and its decision record.
"""

import json
from collections.abc import Sequence
from functools import partial
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import Throttled
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import or_404
from accounts.addresses import public_address
from accounts.authentication import client_of
from accounts.idempotency import KEY, IdempotencyKeyReused, replayed
from accounts.inputs import InputSerializer, validated
from accounts.models import Scope
from accounts.pagination import PAGING, NewestFirst
from accounts.problems import ProblemError
from accounts.quotas import QuotaExceeded, Quotas, note_use, require_quota
from accounts.throttling import count
from accounts.views import ApplicationView
from analysis.engine import analyze
from analysis.models import ENDED, Check, CheckState
from analysis.models.check import MOST_COMMENT
from analysis.selectors.checks import batch_of, check_of, check_state, checks_of, has_ended
from analysis.selectors.erasures import erasure_of
from analysis.selectors.payloads import NotDecided, check_payloads
from analysis.selectors.results import batch_document, check_document, risk_api_assessment
from analysis.services.erasure import NotEnded, OnHold, erase_check
from analysis.services.feedback import give_feedback
from analysis.services.idempotency import Accepted, IdempotencyConflict, was_used
from analysis.services.records import MEDIA_TYPES, Format, RecordAltered, export_record, filename
from analysis.services.submission import NewCheck, submit
from api.headers import PREFER, idempotency, wait_headers, wait_seconds
from api.inputs import (
    METADATA,
    AnalyzeInput,
    BatchInput,
    CheckFilters,
    CheckInput,
    TextField,
    metadata_filters,
)
from api.outputs import (
    AnalyzeOutput,
    BatchOutput,
    CheckOutput,
    CheckPage,
    CheckPayloads,
    CheckSummary,
    Problem,
)
from api.stream import LAST_EVENT_ID, EventStreamRenderer, stream
from desk.reviews.selectors.reviews import reviews_of_application
from desk.verdict_page.links import make_link
from documents.selectors import named_collections
from lib.workqueue.broker import wait_for_end

_UNKNOWN = "unknown_collection"


def refuse_unknown(
    application_id: UUID, items: Sequence[NewCheck | dict[str, Any]]
) -> list[NewCheck | dict[str, Any]]:
    """Return the items; those naming an unknown collection, searched in vain, become errors."""
    names = {name for item in items if isinstance(item, NewCheck) for name in item.collections}
    missing = set(named_collections(application_id, sorted(names))[1] if names else ())
    return [
        {"errors": errors}
        if isinstance(item, NewCheck) and (errors := _unknown_in(item, missing))
        else item
        for item in items
    ]


def _unknown_in(new: NewCheck, missing: set[str]) -> list[dict[str, str]]:
    detail = "There is no collection {!r}. Create it with POST /api/v1/collections."
    return [
        {"field": f"collections[{at}]", "code": _UNKNOWN, "detail": detail.format(name)}
        for at, name in enumerate(new.collections)
        if name in missing
    ]


NO_QUOTAS = Quotas(None, None, None)
_ERASED_BY_REQUEST = "requested by the application"
MAX_REASON = 500


class ChecksView(ApplicationView):
    """Submit an answer; list checks."""

    max_body_bytes = settings.MAX_BODY_BYTES

    @extend_schema(
        operation_id="submit_check",
        parameters=[PREFER, KEY],
        request=CheckInput,
        responses={200: CheckOutput, 202: CheckOutput, 409: Problem, 422: Problem},
    )
    def post(self, request: Request) -> Response:
        """Check an answer: 200 with the verdict, or 202 with where to find it."""
        accepted = accept_answer(request, request.data)
        if not (accepted.replayed and has_ended(accepted.id)):
            wait_for_verdict(accepted.id, wait_seconds(request))
        document = _document(request, accepted.id)
        ended = document["state"] in ENDED
        headers = wait_headers(
            request, accepted, ended=ended, where=reverse("check", args=[accepted.id])
        )
        return Response(document, status=200 if ended else 202, headers=headers)

    @extend_schema(
        operation_id="list_checks",
        parameters=[CheckFilters, METADATA, *PAGING],
        responses={200: CheckPage},
    )
    def get(self, request: Request) -> Response:
        """List checks, newest first."""
        filters = validated(CheckFilters, request.query_params)
        metadata = metadata_filters(request.query_params)
        checks = checks_of(self.application_id, filters, metadata)
        return NewestFirst().respond(checks, self, CheckSummary().to_representation)


class CheckView(ApplicationView):
    delete_scope = Scope.CHECKS_ERASE
    problems = {OnHold: (409, "legal_hold"), NotEnded: (409, "check_not_ended")}
    renderer_classes = (JSONRenderer, EventStreamRenderer)

    @extend_schema(
        operation_id="get_check",
        parameters=[LAST_EVENT_ID],
        responses={
            (200, "application/json"): CheckOutput,
            (200, "text/event-stream"): OpenApiTypes.STR,
            204: None,
            (410, "application/json"): Problem,
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
        if or_404(state_of) in ENDED:
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
        responses={204: None, 409: Problem},
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
        responses={200: CheckPayloads, 409: Problem, 410: Problem},
    )
    def get(self, request: Request, check_id: UUID) -> Response:
        """Return query, evidence, claims, pairs, signals, decisions, citations.

        409 if undecided.
        """
        try:
            payloads = or_404(check_payloads, self.application_id, check_id)
        except NotDecided as error:
            raise _no_verdict(error.state) from error
        return Response(payloads)


class BatchesView(ApplicationView):
    """Submit many answers at once."""

    max_body_bytes = settings.MAX_BATCH_BODY_BYTES

    @extend_schema(
        operation_id="submit_batch",
        parameters=[KEY],
        request=BatchInput,
        responses={202: BatchOutput, 409: Problem},
    )
    def post(self, request: Request) -> Response:
        """Submit up to 1,000 answers; each item has its own result or error."""
        serializer = BatchInput(data=request.data)
        serializer.is_valid(raise_exception=True)
        application_id = self.application_id
        items = refuse_unknown(application_id, serializer.items_or_errors())
        _count_further(request, len(items) - 1)
        accepted = accept(request, items)
        batch = batch_of(application_id, accepted.id)
        headers = {"Location": reverse("batch", args=[batch.pk]), **replayed(accepted.replayed)}
        return Response(BatchOutput(batch_document(batch)).data, status=202, headers=headers)


class BatchView(ApplicationView):
    @extend_schema(operation_id="get_batch", responses={200: BatchOutput})
    def get(self, request: Request, batch_id: UUID) -> Response:
        """Return a batch with the state of each item."""
        batch = or_404(batch_of, self.application_id, batch_id)
        return Response(BatchOutput(batch_document(batch)).data)


class AnalyzeView(ApplicationView):
    """The risk API's interface: one call, one assessment."""

    max_body_bytes = settings.MAX_BODY_BYTES

    @extend_schema(
        operation_id="analyze",
        request=AnalyzeInput,
        responses={200: AnalyzeOutput, 409: Problem},
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
        check_id = accept(request, new).id
        wait_for_verdict(check_id, settings.MAX_WAIT_SECONDS)
        assessment = risk_api_assessment(check_id)
        if assessment is None:
            detail = "The answer was accepted and stored, but no worker has checked it yet."
            raise ProblemError(503, "not_ready", detail)
        return Response(assessment | ({"warnings": warnings} if warnings else {}))


def accept_answer(request: Request, data: Any) -> Accepted:
    """Accept one answer, as `CheckInput` has it. Raises ValidationError, ProblemError."""
    serializer = CheckInput(data=data)
    serializer.is_valid(raise_exception=True)
    (item,) = refuse_unknown(client_of(request).application_id, [serializer.new_check()])
    if isinstance(item, dict):
        raise ProblemError(422, _UNKNOWN, item["errors"][0]["detail"])
    return accept(request, item)


def accept(request: Request, new: NewCheck | Sequence[NewCheck | dict[str, Any]]) -> Accepted:
    """Accept a check or a batch within the application's quotas; a repeated request creates none.

    Raises ProblemError.
    """
    client, key = client_of(request), idempotency(request)
    items = [new] if isinstance(new, NewCheck) else new
    checks = sum(isinstance(item, NewCheck) for item in items)
    quotas = Quotas(client.checks_per_day, client.checks_per_month, client.claims_per_month)
    try:
        if quotas != NO_QUOTAS and not (key and was_used(client.application_id, key)):
            require_quota(client.application_id, quotas, checks, timezone.now())
        accepted = submit(
            application_id=client.application_id,
            new=new,
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


def _no_verdict(state: str) -> ProblemError:
    return ProblemError(409, "no_verdict", f"This check has no verdict: its state is {state}.")


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


# `POST /api/v1/checks/{id}/feedback`: an end user's opinion of an answer.


class FeedbackInput(InputSerializer):
    """One end user's opinion of the answer."""

    helpful = serializers.BooleanField()
    comment = TextField(
        required=False, allow_blank=True, default="", max_length=MOST_COMMENT,
        help_text="The user's comment.",
    )  # fmt: skip
    end_user = TextField(
        required=False, allow_blank=True, default="", max_length=200,
        help_text="Your identifier of the user or session. Each has one vote per check; a later "
        "vote replaces an earlier one. Only a digest of it is stored. Without it, each API key has "
        "one vote.",
    )  # fmt: skip


class FeedbackOutput(serializers.Serializer[Any]):
    """The vote as stored."""

    helpful = serializers.BooleanField()
    comment = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
    changed_at = serializers.DateTimeField()


class FeedbackView(ApplicationView):
    @extend_schema(
        operation_id="give_feedback",
        request=FeedbackInput,
        responses={200: FeedbackOutput, 201: FeedbackOutput, 409: Problem, 410: Problem},
    )
    def post(self, request: Request, check_id: UUID) -> Response:
        """Record whether the answer helped: 201 for a new vote, 200 for a repeated one."""
        values = validated(FeedbackInput, request.data)
        check = or_404(check_of, self.application_id, check_id)
        if check.state != CheckState.DONE:
            raise _no_verdict(check.state)
        vote, is_first = give_feedback(check=check, by=str(request.user), **values)
        return Response(FeedbackOutput(vote).data, status=201 if is_first else 200)


# `POST /api/v1/checks/{id}/link`: creates a page that an application can show its own users.


class LinkInput(InputSerializer):
    """The lifetime of a link."""

    expires_in = serializers.IntegerField(
        min_value=1,
        max_value=settings.VIEW_LINK_MAX_SECONDS,
        default=settings.VIEW_LINK_SECONDS,
        help_text="For how many seconds the link is valid.",
    )


class LinkOutput(serializers.Serializer[Any]):
    """A link to the verdict page. Anyone who has it can read this check, and nothing else."""

    url = serializers.URLField()
    expires_at = serializers.DateTimeField()


class LinkView(ApplicationView):
    """Links to the verdict page of one check."""

    write_scope = Scope.CHECKS_READ  # the link lets others read; it changes nothing

    @extend_schema(
        operation_id="link_check", request=LinkInput, responses={201: LinkOutput, 410: Problem}
    )
    def post(self, request: Request, check_id: UUID) -> Response:
        """Create a signed link that expires and needs no log-in. The audit trail records it."""
        seconds = validated(LinkInput, request.data)["expires_in"]
        check = or_404(check_of, self.application_id, check_id)
        if check.result_erased_at is not None:
            raise erasure_of(check.pk)
        token, expires_at = make_link(check=check, seconds=seconds, by=str(request.user))
        url = public_address(request, reverse("confidence_view", args=[token]))
        headers = {"Cache-Control": "no-store"}
        return Response({"url": url, "expires_at": expires_at}, status=201, headers=headers)


# `GET /api/v1/checks/{id}/record`: the decision record of a check.


class BytesRenderer(BaseRenderer):
    """Returns bytes unchanged, and a problem document as JSON."""

    charset = None

    def render(self, data: Any, *_: Any, **__: Any) -> bytes:
        return data if isinstance(data, bytes) else json.dumps(data).encode()


class JSONRecordRenderer(BytesRenderer):
    """Selected by `Accept: application/json` or `?format=json`, and by default."""

    media_type, format = MEDIA_TYPES["json"], "json"


class PDFRecordRenderer(BytesRenderer):
    """Selected by `Accept: application/pdf` or `?format=pdf`."""

    media_type, format = MEDIA_TYPES["pdf"], "pdf"


class RecordView(ApplicationView):
    """The decision record of one check."""

    renderer_classes = (JSONRecordRenderer, PDFRecordRenderer)

    @extend_schema(
        operation_id="get_check_record",
        parameters=[OpenApiParameter("format", str, enum=list(MEDIA_TYPES))],
        responses={
            (200, "application/json"): OpenApiTypes.OBJECT,
            (200, "application/pdf"): OpenApiTypes.BINARY,
        },
    )
    def get(self, request: Request, check_id: UUID) -> Response:
        """Return the signed record as JSON or PDF (docs/concepts/trail.md).

        Each download is recorded.
        """
        application = self.application_id
        checks = Check.objects.filter(application=application).select_related("application")
        check = or_404(checks.get, pk=check_id)
        as_: Format = "pdf" if isinstance(request.accepted_renderer, PDFRecordRenderer) else "json"
        reviews = reviews_of_application(application)
        try:
            data = export_record(check=check, as_=as_, by=str(request.user), reviews=reviews)
        except RecordAltered as error:
            raise ProblemError(409, "record_altered", f"No record is signed: {error}.") from error
        headers = {
            "Content-Disposition": f'attachment; filename="{filename(check, as_)}"',
            "Cache-Control": "no-store",
        }
        return Response(data, headers=headers, content_type=MEDIA_TYPES[as_])
