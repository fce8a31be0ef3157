"""`GET /api/v1/evidence`: the evidence pack of the application."""

from typing import cast

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.inputs import InputSerializer, validated
from accounts.models import Application, Scope
from accounts.views import ApplicationView
from api.views import BytesRenderer
from operations.evidence import MEDIA_TYPES, Format, Period, PeriodRefused, export_pack


class EvidenceFilters(InputSerializer):
    """The first and the last day of the pack (UTC)."""

    first = serializers.DateField()
    last = serializers.DateField()
    format = serializers.ChoiceField(choices=list(MEDIA_TYPES), required=False)


class JSONPackRenderer(BytesRenderer):
    media_type, format = "application/json", "json"


class PDFPackRenderer(BytesRenderer):
    media_type, format = "application/pdf", "pdf"


class CSVPackRenderer(BytesRenderer):
    media_type, format = "text/csv", "csv"


class EvidenceView(ApplicationView):
    """Figures of the application's guard in a period."""

    read_scope = Scope.REVIEWS_READ
    renderer_classes = (JSONPackRenderer, PDFPackRenderer, CSVPackRenderer)

    @extend_schema(
        operation_id="get_evidence",
        parameters=[
            OpenApiParameter("first", OpenApiTypes.DATE, required=True),
            OpenApiParameter("last", OpenApiTypes.DATE, required=True),
            OpenApiParameter("format", str, enum=list(MEDIA_TYPES)),
        ],
        responses={
            (200, "application/json"): OpenApiTypes.OBJECT,
            (200, "application/pdf"): OpenApiTypes.BINARY,
            (200, "text/csv"): OpenApiTypes.STR,
        },
    )
    def get(self, request: Request) -> Response:
        """The signed evidence pack as JSON or PDF, or its figures as CSV. Each is recorded."""
        data = validated(EvidenceFilters, request.query_params)
        application = Application.objects.get(pk=self.application_id)
        try:
            period = Period(application, data["first"], data["last"])
        except PeriodRefused as error:
            raise serializers.ValidationError({"first": [str(error)]}) from error
        as_ = cast(Format, request.accepted_renderer.format)
        pack = export_pack(period, [as_], by=str(request.user))[as_]
        headers = {
            "Content-Disposition": f'attachment; filename="{period.name}.{as_}"',
            "Cache-Control": "no-store",
        }
        return Response(pack, headers=headers, content_type=MEDIA_TYPES[as_])
