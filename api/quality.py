"""`GET /api/v1/trends/quality`: how often reviewers disagree, with intervals."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.authentication import client_of
from accounts.inputs import validated
from accounts.views import ApplicationView
from desk.dashboard.selectors.quality import MOST_DAYS, quality
from desk.reviews.quality import QUALITY

_DAYS = 30


class QualityInput(serializers.Serializer[Any]):
    """The period of a quality report."""

    decided_after = serializers.DateTimeField(
        required=False,
        default_timezone=UTC,
        help_text=f"The start. Default: {_DAYS} days before the end.",
    )
    decided_before = serializers.DateTimeField(
        required=False,
        default_timezone=UTC,
        help_text=f"The end (exclusive). Default: now. The period may have up to {MOST_DAYS} days.",
    )


class QualityRate(serializers.Serializer[Any]):
    """One rate among the decided reviews, with its 95 % Wilson interval."""

    name = serializers.ChoiceField(
        choices=[metric.name for metric in QUALITY], source="metric.name"
    )
    meaning = serializers.CharField(source="metric.meaning")
    overturned = serializers.IntegerField()
    of = serializers.IntegerField(help_text="Number of decided reviews.")
    rate = serializers.FloatField(allow_null=True, help_text="Null if none is decided.")
    low = serializers.FloatField(
        allow_null=True, help_text="Lower end of the 95 % Wilson interval."
    )
    high = serializers.FloatField(allow_null=True, help_text="The interval's upper end.")


class QualityOutput(serializers.Serializer[Any]):
    """The rates of a period."""

    start = serializers.DateTimeField()
    end = serializers.DateTimeField()
    rates = QualityRate(many=True)


class QualityView(ApplicationView):
    """Reviewers' verdicts on the decisions."""

    @extend_schema(
        operation_id="get_quality", parameters=[QualityInput], responses={200: QualityOutput}
    )
    def get(self, request: Request) -> Response:
        """Return overturn, false-positive and false-negative rate of a period's decided reviews."""
        data = validated(QualityInput, request.query_params)
        end: datetime = data.get("decided_before") or timezone.now()
        start: datetime = data.get("decided_after") or end - timedelta(days=_DAYS)
        try:
            rates = quality([client_of(request).application_id], start=start, end=end)
        except ValueError as error:
            raise serializers.ValidationError({"decided_after": [str(error)]}) from error
        return Response({"start": start, "end": end, "rates": QualityRate(rates, many=True).data})
