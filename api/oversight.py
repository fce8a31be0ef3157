"""`GET /api/v1/reviews/oversight`: how long reviewers look, and how often they agree."""

from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.components import Schema, component
from accounts.inputs import InputSerializer, validated
from accounts.models import Scope
from accounts.views import ApplicationView
from desk.reviews.selectors.oversight import QUICK, OversightFigures, oversight
from desk.reviews.selectors.reviews import reviews_of_application

_DAYS, _MOST_DAYS = 90, 366


class OversightInput(InputSerializer):
    """The period, by the time of the decision."""

    decided_after = serializers.DateTimeField(
        required=False,
        default_timezone=UTC,
        help_text=f"The start. Default: {_DAYS} days before the end.",
    )
    decided_before = serializers.DateTimeField(
        required=False, default_timezone=UTC, help_text="The end (exclusive). Default: now."
    )
    weekly = serializers.BooleanField(default=False, help_text="By week (UTC, from Monday) too.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """With both ends, in their order, at most a year."""
        end: datetime = attrs.get("decided_before") or timezone.now()
        start: datetime = attrs.get("decided_after") or end - timedelta(days=_DAYS)
        if not timedelta(0) < end - start <= timedelta(days=_MOST_DAYS):
            message = f"Must be before `decided_before`; at most {_MOST_DAYS} days."
            raise serializers.ValidationError({"decided_after": [message]})
        return attrs | {"start": start, "end": end}


OversightRow = component(
    OversightFigures,
    "The decisions of one reviewer.",
    name="OversightRow",
    week="The Monday of the week; null without `weekly`.",
    decided="Reviews decided.",
    judgements="Of these, those that confirmed or overturned the machine's decision.",
    agreed="Of `judgements`, those that confirmed it.",
    share="`agreed` divided by `judgements`; null if there are none.",
    low="Lower end of its 95% Wilson interval.",
    high="The interval's upper end.",
    timed="Decisions of items that the reviewer had taken before deciding.",
    median_seconds="Median time from taking an item to deciding it; null if none is timed.",
    median_evidence_seconds="Median time with the pointer, the focus or the sources' window on the "
    "evidence, as the review screen counts it.",
    opinions="Of `judgements`, those with a first opinion, given before the verdict was shown.",
    moved="Of `opinions`, those given up for the machine's verdict.",
    quick=f"Of `timed`, those decided in less than {QUICK.seconds} seconds.",
)


class OversightOutput(Schema):
    """Figures of how reviewers oversee the machine in a period."""

    start = serializers.DateTimeField()
    end = serializers.DateTimeField()
    results = OversightRow(many=True)


class OversightView(ApplicationView):
    read_scope = Scope.REVIEWS_READ

    @extend_schema(
        operation_id="get_oversight", parameters=[OversightInput], responses={200: OversightOutput}
    )
    def get(self, request: Request) -> Response:
        """By reviewer: agreement with the machine, and time on an item."""
        data = validated(OversightInput, request.query_params)
        start, end = data["start"], data["end"]
        reviews = reviews_of_application(self.application_id)
        rows = oversight(reviews, start=start, end=end, weekly=data["weekly"])
        return Response({"start": start, "end": end, "results": [asdict(row) for row in rows]})
