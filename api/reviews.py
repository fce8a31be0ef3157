"""`/api/v1/reviews`: the review desk for programs that act for named reviewers."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib.auth.models import User
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import or_404
from accounts.authentication import client_of
from accounts.components import Schema, UTCField, choices
from accounts.inputs import InputSerializer, ListField, validated
from accounts.models import Scope
from accounts.pagination import PAGING, NewestFirst, Page
from accounts.problems import ProblemError
from accounts.views import ApplicationView
from analysis.engine.types import Action, ClaimStatus
from analysis.models import Review, ReviewDecision, ReviewReason, ReviewStage
from api.inputs import TextField
from api.outputs import Problem
from desk.reviews.selectors import reviews as selector
from desk.reviews.selectors.desk import REVIEWERS_DECISIONS
from desk.reviews.services import queue
from desk.reviews.services.conflicts import NotYours, ReviewConflict
from desk.reviews.services.reviews import (
    AGREE,
    MAX_CORRECTED,
    MAX_NOTE,
    TooLate,
    UnfitDecision,
    Words,
    decide_review,
    undo_decision,
)

STATES = [(Review.OPEN, "open"), (Review.DECIDED, "decided")]
DECISIONS = [(d.value, d.label) for d in REVIEWERS_DECISIONS]
_ETAG = re.compile(r'"(\d{1,9})"')
_IF_MATCH = OpenApiParameter(
    "If-Match",
    str,
    OpenApiParameter.HEADER,
    description="The `ETag` of the review when you read it.",
)
_CONFLICTS = {409: Problem, 412: Problem}


class ReviewFilters(serializers.Serializer[Any]):
    """The filters of the list of reviews."""

    state = serializers.ChoiceField(choices=STATES, default=Review.OPEN)
    reason = serializers.ChoiceField(choices=ReviewReason.choices, required=False)
    stage = serializers.ChoiceField(choices=ReviewStage.choices, required=False)
    overdue = serializers.BooleanField(
        required=False, help_text="Only open reviews that are overdue."
    )
    assigned_to = serializers.CharField(
        required=False, max_length=150, help_text="Username of the assignee."
    )
    assigned_team = serializers.CharField(
        required=False, max_length=80, help_text="Name of the team."
    )


class ReviewerInput(InputSerializer):
    """The reviewer for whom the program acts."""

    reviewer = serializers.CharField(
        max_length=150, help_text="Username of a reviewer or lead of the application."
    )


class NextInput(ReviewerInput):
    """The reviewer, and the queue to take the next review from."""

    reason = serializers.ChoiceField(choices=ReviewReason.choices, required=False)


class DecisionInput(ReviewerInput):
    """A decision: `approved` or `refused` for a held answer, else `confirmed` or `overturned`.

    Or `escalated`. Overturning, refusing and escalating require a reason code or a note.
    """

    decision = serializers.ChoiceField(choices=DECISIONS)
    note = TextField(default="", allow_blank=True, max_length=MAX_NOTE)
    reason_codes = ListField(
        child=serializers.SlugField(max_length=40), default=list, max_length=20
    )
    corrected_text = TextField(default="", allow_blank=True, max_length=MAX_CORRECTED)
    claims = serializers.DictField(
        child=serializers.ChoiceField(choices=[AGREE, *(str(status) for status in ClaimStatus)]),
        default=dict,
        help_text=f"For each judged claim, by id: `{AGREE}`, or the correct status.",
    )


class JudgedClaim(Schema):
    """The reviewer's judgement of one claim."""

    claim_id = serializers.CharField(source="claim.claim_id")
    status = choices(ClaimStatus)
    agrees = serializers.BooleanField()


class ReviewSummary(Schema):
    """A review as a list item."""

    id = serializers.IntegerField()
    check_id = serializers.UUIDField(source="check_record_id")
    state = serializers.ChoiceField(choices=STATES)
    reason = serializers.ChoiceField(choices=ReviewReason.choices)
    stage = serializers.ChoiceField(choices=ReviewStage.choices)
    action = choices(Action, source="check_record.action", allow_null=True)
    quality_sample = serializers.BooleanField(source="check_record.is_sampled")
    risk = serializers.IntegerField(min_value=0, max_value=100)
    version = serializers.IntegerField(help_text="The same number as in the `ETag`.")
    created_at = UTCField()
    due_at = UTCField(allow_null=True)
    overdue = serializers.BooleanField(source="is_overdue")
    claimed_by = serializers.CharField(source="claimed_by.username", allow_null=True)
    lease_until = UTCField(allow_null=True)
    assigned_to = serializers.CharField(source="assigned_to.username", allow_null=True)
    assigned_team = serializers.CharField(source="assigned_team.name", allow_null=True)
    snoozed_until = UTCField(allow_null=True)
    decision = serializers.ChoiceField(choices=ReviewDecision.choices, allow_null=True)
    decided_by = serializers.CharField(source="decided_by.username", allow_null=True)
    decided_at = UTCField(allow_null=True)
    note = serializers.CharField(allow_blank=True)
    reason_codes = serializers.ListField(child=serializers.CharField())
    corrected_text = serializers.CharField(allow_blank=True)


class ReviewPage(Page):
    """One page of a list; `next` and `previous` are URLs or null."""

    results = ReviewSummary(many=True)


class ReviewOutput(ReviewSummary):
    """One review with the judged claims."""

    claims = JudgedClaim(many=True)


class MostUrgentFirst(NewestFirst):
    """Pages in the order in which the desk offers reviews."""

    ordering = ("rank_at", "id")


class DeskView(ApplicationView):
    """A view that needs the reviews scopes."""

    read_scope = Scope.REVIEWS_READ
    write_scope = Scope.REVIEWS_WRITE
    problems = {NotYours: (403, "not_yours"), TooLate: (409, "too_late")}


class ReviewsView(DeskView):
    @extend_schema(
        operation_id="list_reviews",
        parameters=[ReviewFilters, *PAGING],
        responses={200: ReviewPage},
    )
    def get(self, request: Request) -> Response:
        """List open reviews, the most urgent first, or decided ones, the newest first."""
        options = validated(ReviewFilters, request.query_params)
        pages = MostUrgentFirst() if options["state"] == Review.OPEN else NewestFirst()
        reviews = selector.filtered(selector.reviews_of_application(self.application_id), options)
        return pages.respond(reviews, self, ReviewSummary().to_representation)


class ReviewView(DeskView):
    @extend_schema(operation_id="get_review", responses={200: ReviewOutput})
    def get(self, request: Request, review_id: int) -> Response:
        """Return a review. Its `ETag` is its version."""
        return _answer(_review(request, review_id))


class NextReviewView(DeskView):
    @extend_schema(
        operation_id="claim_next_review",
        request=NextInput,
        responses={200: ReviewOutput, 204: None},
    )
    def post(self, request: Request) -> Response:
        """Claim the most urgent item for a reviewer; 204 if nothing is waiting."""
        options, by = _validated_input(request, NextInput)
        review = queue.claim_next(
            by=by, application_id=self.application_id, reason=options.get("reason", "")
        )
        return _answer(_review(request, review.pk)) if review else Response(status=204)


class ClaimReviewView(DeskView):
    @extend_schema(
        operation_id="claim_review",
        parameters=[_IF_MATCH],
        request=ReviewerInput,
        responses={200: ReviewOutput, **_CONFLICTS},
    )
    def post(self, request: Request, review_id: int) -> Response:
        """Claim this review, or renew the reviewer's lease on it."""
        _, by = _validated_input(request, ReviewerInput)
        return _change_review(request, review_id, partial(queue.claim_review, by=by))


class ReleaseReviewView(DeskView):
    @extend_schema(
        operation_id="release_review",
        parameters=[_IF_MATCH],
        request=ReviewerInput,
        responses={200: ReviewOutput, **_CONFLICTS},
    )
    def post(self, request: Request, review_id: int) -> Response:
        """Return a review to the queue."""
        _, by = _validated_input(request, ReviewerInput)
        return _change_review(request, review_id, partial(queue.release, by=by))


class DecideReviewView(DeskView):
    @extend_schema(
        operation_id="decide_review",
        parameters=[_IF_MATCH],
        request=DecisionInput,
        responses={200: ReviewOutput, **_CONFLICTS, 428: Problem},
    )
    def post(self, request: Request, review_id: int) -> Response:
        """Decide a review. `If-Match` is required; a 412 says what has changed since."""
        options, by = _validated_input(request, DecisionInput)
        if "If-Match" not in request.headers:
            detail = "Send the header `If-Match` with the `ETag` of the review."
            raise ProblemError(428, "precondition_required", detail)
        decision = ReviewDecision(options["decision"])
        words = Words(
            options["note"], options["reason_codes"], options["corrected_text"], options["claims"]
        )
        decide = partial(
            decide_review, decision=decision, by=by, words=words, via=str(request.user)
        )
        return _change_review(request, review_id, decide)


class UndoReviewView(DeskView):
    @extend_schema(
        operation_id="undo_review",
        parameters=[_IF_MATCH],
        request=ReviewerInput,
        responses={200: ReviewOutput, **_CONFLICTS},
    )
    def post(self, request: Request, review_id: int) -> Response:
        """Undo the reviewer's own decision within a minute, as on the review screen.

        The review is reserved for them again, with their decision as a draft. 409: the minute is
        over, or a further review has been claimed or decided.
        """
        _, by = _validated_input(request, ReviewerInput)
        review, version = _review(request, review_id, hidden=True), _version(request)
        if review.decided_by_id != by.pk:
            _review(request, review_id)  # 404 where it is another's behind a blind second review
            raise ProblemError(403, "not_yours", "The decision is not this reviewer’s own.")
        if version not in (None, review.version):
            raise ProblemError(412, "review_changed", "The review has changed since you read it.")
        undo_decision(review=review, by=by, via=str(request.user))
        return _answer(_review(request, review_id, hidden=True))


def _validated_input(
    request: Request, serializer: type[ReviewerInput]
) -> tuple[dict[str, Any], User]:
    """Return the validated body and its reviewer.

    Raises ValidationError if there is no such one.
    """
    options = validated(serializer, request.data)
    user = selector.reviewer(client_of(request).application_id, options["reviewer"])
    if user is None:
        raise ValidationError({"reviewer": ["Not a reviewer or lead of this application."]})
    return options, user


def _change_review(request: Request, review_id: int, change: Callable[..., object]) -> Response:
    """Change a review and return its new state; raise the client's error otherwise."""
    review, version = _review(request, review_id), _version(request)
    try:
        change(review=review, version=version)
    except ReviewConflict as error:
        is_outdated = version is not None and error.review.version != version
        raise ProblemError(412 if is_outdated else 409, "review_changed", error.what) from error
    except UnfitDecision as error:
        raise ValidationError({error.field: [error.why]}) from error
    return _answer(_review(request, review_id, hidden=True))


def _review(request: Request, review_id: int, *, hidden: bool = False) -> Review:
    """Return one of the application's reviews; 404 for another's.

    `hidden`: also one that a blind second review hides; who decided it may see it.
    """
    application_id = client_of(request).application_id
    reviews = selector.reviews_of_application(application_id, hidden=hidden)
    return or_404(reviews.get, pk=review_id)


def _version(request: Request) -> int | None:
    """Return the version in `If-Match`; None without the header and for `*`."""
    header = request.headers.get("If-Match", "*").strip()
    if header == "*":
        return None
    if match := _ETAG.fullmatch(header.removeprefix("W/")):
        return int(match[1])
    raise ValidationError({"If-Match": ['Expected one ETag, such as "3", or *.']})


def _answer(review: Review) -> Response:
    claims = JudgedClaim(selector.judged_claims(review), many=True).data
    document = {**ReviewSummary(review).data, "claims": claims}
    return Response(document, headers={"ETag": f'"{review.version}"', "Cache-Control": "no-store"})
