"""`GET /api/v1/checks/{id}/record`: the decision record of a check."""

import json
from typing import Any
from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import or_404
from accounts.problems import ProblemError
from accounts.views import ApplicationView
from analysis.models import Check
from analysis.services.records import MEDIA_TYPES, Format, RecordAltered, export_record, filename
from desk.reviews.selectors.reviews import reviews_of_application


class _RecordRenderer(BaseRenderer):
    """Returns bytes unchanged, and a problem document as JSON."""

    charset = None

    def render(self, data: Any, *_: Any, **__: Any) -> bytes:
        return data if isinstance(data, bytes) else json.dumps(data).encode()


class JSONRecordRenderer(_RecordRenderer):
    """Selected by `Accept: application/json` or `?format=json`, and by default."""

    media_type, format = MEDIA_TYPES["json"], "json"


class PDFRecordRenderer(_RecordRenderer):
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
