"""`POST /api/v1/checks/{id}/link`: creates a page that an application can show its own users."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import or_404
from accounts.addresses import public_address
from accounts.inputs import InputSerializer, validated
from accounts.models import Scope
from accounts.views import ApplicationView
from analysis.selectors.checks import check_of
from analysis.selectors.erasures import erasure_of
from api.outputs import Problem
from desk.verdict_page.links import make_link


class LinkInput(InputSerializer):
    """How long the link is valid."""

    expires_in = serializers.IntegerField(
        min_value=1,
        max_value=settings.VIEW_LINK_MAX_SECONDS,
        default=settings.VIEW_LINK_SECONDS,
        help_text="For how many seconds the link is valid.",
    )


class LinkOutput(serializers.Serializer[Any]):
    """A link to the confidence view. Anyone who has it can read this check, and nothing else."""

    url = serializers.URLField()
    expires_at = serializers.DateTimeField()


class LinkView(ApplicationView):
    """Links to the confidence view of one check."""

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
