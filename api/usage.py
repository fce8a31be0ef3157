"""`GET /api/v1/usage`: the application's usage by day, as JSON or CSV."""

import csv
from dataclasses import asdict
from datetime import timedelta
from io import StringIO
from typing import Any

from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.components import Schema, component
from accounts.inputs import InputSerializer, validated
from accounts.views import ApplicationView
from analysis.selectors.usage import COLUMNS, MOST_DAYS, DailyUse, usage_of

_DAYS = 30


class UsageFilters(InputSerializer):
    """The first and last day (UTC). Default: the last 30 days."""

    first = serializers.DateField(required=False)
    last = serializers.DateField(required=False)
    format = serializers.ChoiceField(choices=("json", "csv"), required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Require the days in order, and not too many."""
        attrs = attrs.copy()
        last = attrs.setdefault("last", timezone.now().date())
        first = attrs.setdefault("first", last - timedelta(days=_DAYS - 1))
        if not timedelta(0) <= last - first < timedelta(days=MOST_DAYS):
            raise serializers.ValidationError(
                {"first": [f"Must not be after `last`; at most {MOST_DAYS} days."]}
            )
        return attrs


UsageOutput = component(DailyUse, "One day on which checks were submitted.", name="UsageOutput")


class UsageList(Schema):
    """The days on which checks were submitted, oldest first."""

    results = UsageOutput(many=True)


class CSVRenderer(BaseRenderer):
    """Renders rows with a header line; a problem document unchanged."""

    media_type, format = "text/csv", "csv"

    def render(self, data: Any, *_: Any, **__: Any) -> bytes:
        if "results" not in data:
            return JSONRenderer().render(data)
        out = StringIO()
        writer = csv.DictWriter(out, COLUMNS)
        writer.writeheader()
        writer.writerows(data["results"])
        return out.getvalue().encode()


class UsageView(ApplicationView):
    renderer_classes = (JSONRenderer, CSVRenderer)

    @extend_schema(
        operation_id="get_usage",
        parameters=[
            OpenApiParameter("first", OpenApiTypes.DATE),
            OpenApiParameter("last", OpenApiTypes.DATE),
            OpenApiParameter("format", str, enum=["json", "csv"]),
        ],
        responses={(200, "application/json"): UsageList, (200, "text/csv"): OpenApiTypes.STR},
    )
    def get(self, request: Request) -> Response:
        """Return checks and claims by day (UTC); empty days are left out."""
        data = validated(UsageFilters, request.query_params)
        days = usage_of(self.application_id, data["first"], data["last"])
        return Response({"results": [asdict(item) for item in days]})
