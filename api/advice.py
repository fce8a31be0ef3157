"""`GET /api/v1/policies/advice`: which threshold the reviewed answers support."""

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.authentication import client_of
from accounts.components import component
from accounts.inputs import validated
from accounts.models import Scope
from accounts.views import ApplicationView
from api.outputs import Problem
from policies.advice.report import (
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
from policies.advice.thresholds import Point, Threshold


class AdviceInput(serializers.Serializer[Any]):
    """How rare unsupported answers have to be among the accepted, and how surely."""

    threshold = serializers.ChoiceField(
        choices=[str(item) for item in Threshold],
        default=str(Threshold.WARN_AT),
        help_text="`warn_at`: accepted is what is allowed; `block_at`: what is not blocked.",
    )
    alpha = serializers.FloatField(
        min_value=SMALLEST_SHARE,
        max_value=LARGEST_SHARE,
        default=ALPHA,
        help_text="The highest share of unsupported answers among the accepted.",
    )
    delta = serializers.FloatField(
        min_value=SMALLEST_SHARE,
        max_value=LARGEST_SHARE,
        default=DELTA,
        help_text="The chance of being wrong; the confidence is 1 - delta.",
    )
    days = serializers.IntegerField(
        min_value=1,
        max_value=MAX_DAYS,
        default=DAYS,
        help_text="Checks submitted in so many days up to now.",
    )

    def validate_threshold(self, value: str) -> Threshold:
        """As a member of the enumeration."""
        return Threshold(value)


component(
    Point,
    "What happens to the labelled answers at one threshold.",
    name="AdvicePoint",
    unsafe_rate="Unsupported among the accepted; null where none is accepted.",
    rejected_rate="Rejected among the supported; null where none is supported.",
    holds="Whether the test at alpha and delta accepts it.",
)


AdviceOutput = component(
    Advice,
    "A proposal. Nothing is changed by it: a lead activates a policy with it, or does not.",
    name="AdviceOutput",
    policy_version="Of the policy in force; null where the default is.",
    current="The threshold in force.",
    unsafe="Labels that are unsupported.",
    labels_needed="Accepted labels without a single fault that would just be enough.",
    sample_counts="The quality sample by action.",
    decided="Those of it that a reviewer decided.",
    curve="The strictest threshold first.",
)


class AdviceView(ApplicationView):
    """Advice on the thresholds of the risk score."""

    read_scope = Scope.POLICIES_READ

    @extend_schema(
        operation_id="get_threshold_advice",
        parameters=[AdviceInput],
        responses={200: AdviceOutput, **dict.fromkeys((400, 401, 403, 429), Problem)},
    )
    def get(self, request: Request) -> Response:
        """The threshold that keeps unsupported answers rare, by Learn-then-Test. Advice only."""
        question = AdviceRequest(**validated(AdviceInput, request.query_params))
        return Response(asdict(advise(client_of(request).application_id, question)))
