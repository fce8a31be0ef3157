"""`GET /api/v1/policies/advice`: the threshold that the reviewed answers support."""

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.components import component
from accounts.inputs import validated
from accounts.models import Scope
from accounts.views import ApplicationView
from desk.policies.advice.report import (
    ALPHA,
    DAYS,
    DELTA,
    LARGEST_SHARE,
    MAX_DAYS,
    SMALLEST_SHARE,
    Advice,
    AdviceRequest,
    advise,
)
from desk.policies.advice.thresholds import Point, Threshold


class AdviceInput(serializers.Serializer[Any]):
    """The highest acceptable share of unsupported answers, and with what confidence."""

    threshold = serializers.ChoiceField(
        choices=[str(item) for item in Threshold],
        default=str(Threshold.UNSUPPORTED_AT),
        help_text="Accepted answers are those allowed; with `block_at`, those not blocked.",
    )
    alpha = serializers.FloatField(
        min_value=SMALLEST_SHARE,
        max_value=LARGEST_SHARE,
        default=ALPHA,
        help_text="The highest acceptable share of unsupported answers among the accepted ones.",
    )
    delta = serializers.FloatField(
        min_value=SMALLEST_SHARE,
        max_value=LARGEST_SHARE,
        default=DELTA,
        help_text="Acceptable risk that the actual share is higher; the confidence is 1 - delta.",
    )
    days = serializers.IntegerField(
        min_value=1,
        max_value=MAX_DAYS,
        default=DAYS,
        help_text="How many days back to look, by the time of submission.",
    )

    def validate_threshold(self, value: str) -> Threshold:
        """Return the threshold as a member of the enumeration."""
        return Threshold(value)


component(
    Point,
    "What one threshold would do with the labelled answers.",
    name="AdvicePoint",
    unsafe_rate="Share of the accepted answers that are unsupported; null if none is accepted.",
    rejected_rate="Share of the supported answers that are rejected; null if none is supported.",
    at_most="Upper limit of `unsafe_rate` with confidence 1 - delta, for it alone; null "
    "if none is accepted.",
    holds="Whether the threshold passes the test with `alpha` and `delta`.",
)


AdviceOutput = component(
    Advice,
    "A proposed threshold. It changes nothing: a lead decides whether to use it in a policy.",
    name="AdviceOutput",
    policy_version="Version of the active policy; null if the default policy applies.",
    current="The threshold in force.",
    unsafe="How many of the labelled answers are unsupported.",
    labels_needed="How many accepted answers without a single fault would be enough.",
    sample_counts="Size of the quality sample, by action.",
    decided="How many of the sample were decided by a reviewer, by action.",
    curve="Every threshold, strictest first.",
    kinds="The labelled answers by kind (`bare`, `placed`, `short`, `long`, `record`, "
    "`long_record`, `not_judged`), at the proposed threshold or else at the current one.",
)


class AdviceView(ApplicationView):
    """Advice on the thresholds that decide."""

    read_scope = Scope.POLICIES_READ

    @extend_schema(
        operation_id="get_threshold_advice", parameters=[AdviceInput], responses={200: AdviceOutput}
    )
    def get(self, request: Request) -> Response:
        """Propose a threshold that keeps unsupported answers rare, by Learn-then-Test."""
        question = AdviceRequest(**validated(AdviceInput, request.query_params))
        return Response(asdict(advise(self.application_id, question)))
