"""`GET /api/v1/probes`: whether the guard works, by the last probes."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.components import Schema
from accounts.views import ApplicationView
from analysis.models import ProbeOutcome, ProbeResult, ProbeVerdict, ProbeWay
from analysis.selectors.probes import probe_state


class ProbeResultOutput(serializers.ModelSerializer[ProbeResult]):
    """The last probe of a name by a way."""

    verdict = serializers.ChoiceField(
        choices=ProbeVerdict.choices, help_text="The verdict that it must get."
    )
    way = serializers.ChoiceField(
        choices=ProbeWay.choices, help_text="How it was sent; `judge`: put to a judge alone."
    )
    judge = serializers.CharField(help_text="The judge; empty for all other ways.")
    outcome = serializers.ChoiceField(
        choices=ProbeOutcome.choices,
        help_text="`missed`: a bad answer got through; `false_alarm`: a good one was flagged; "
        "`unchecked`: there was no verdict.",
    )
    action = serializers.CharField(help_text="Empty where there was no verdict.")
    detail = serializers.CharField(help_text="Why there was no verdict; empty otherwise.")

    class Meta:
        model = ProbeResult
        fields = (
            "probe", "way", "judge", "verdict", "outcome", "action", "detail", "milliseconds", "at",
        )  # fmt: skip


class ProbesOutput(Schema):
    """Return whether the guard works."""

    last_at = serializers.DateTimeField(
        allow_null=True, help_text="When the last one was sent; null if never."
    )
    not_passed = serializers.IntegerField(help_text="Of `results`, those that did not pass.")
    results = ProbeResultOutput(many=True)


class ProbesView(ApplicationView):
    @extend_schema(operation_id="get_probes", responses={200: ProbesOutput})
    def get(self, request: Request) -> Response:
        """The last result of each probe by each way, and of those put to the judges.

        `results` is empty if none were sent lately, which proves nothing.
        """
        state = probe_state([self.application_id], timezone.now())
        document: dict[str, Any] = {
            "last_at": state.last_at,
            "not_passed": len(state.not_passed),
            "results": ProbeResultOutput(state.results, many=True).data,
        }
        return Response(document)
