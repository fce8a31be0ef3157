"""`POST /api/v1/checks/{id}/feedback`: an end user's opinion of an answer."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import or_404
from accounts.inputs import InputSerializer, validated
from accounts.views import ApplicationView
from analysis.models import CheckState
from analysis.models.feedback import MOST_COMMENT
from analysis.selectors.checks import check_of
from analysis.services.feedback import give_feedback
from api.inputs import TextField, no_verdict
from api.outputs import Problem


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
            raise no_verdict(check.state)
        vote, is_first = give_feedback(check=check, by=str(request.user), **values)
        return Response(FeedbackOutput(vote).data, status=201 if is_first else 200)
