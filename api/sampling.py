"""`/api/v1/reviews/sampling`: the sampling plan, and how far it is met."""

from dataclasses import asdict
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.components import Schema, component
from accounts.inputs import validated
from accounts.models import Application, Scope
from accounts.views import ApplicationView
from analysis.models import SamplingPlan
from desk.reviews.selectors.sampling import FORMULA, Stratum, share_needed, strata
from desk.reviews.services.sampling import FIELDS, save_plan


class PlanInput(serializers.ModelSerializer[SamplingPlan]):
    """At most `most_error` of the decisions of each stratum are wrong, with this confidence."""

    class Meta:
        model = SamplingPlan
        fields = FIELDS


StratumOutput = component(
    Stratum,
    "One stratum of the period. Members that the plan does not divide by are empty.",
    name="Stratum",
    sample_size="Of `checks`, those in the quality sample.",
    decided="Of `sample_size`, those whose review is settled.",
    wrong="Of `decided`, those whose review overturned the decision.",
    sample_needed="Settled reviews that would do, given how many were wrong.",
    high="Upper bound of the share of wrong decisions, at the plan's confidence.",
    is_met="Whether `high` is at or below `most_error`.",
)


class SamplingOutput(Schema):
    """A plan and its progress; `plan` and `share_needed` are null without a plan."""

    plan = PlanInput(allow_null=True)
    share = serializers.FloatField(help_text="The share of all checks that is drawn.")
    share_needed = serializers.FloatField(
        allow_null=True, help_text="The share to draw so that such a period meets the plan."
    )
    formula = serializers.CharField()
    strata = StratumOutput(many=True)


def _document(plan: SamplingPlan | None, application_id: UUID) -> dict[str, Any]:
    now = timezone.now()
    parts = strata(plan, start=now - timedelta(days=plan.days), end=now) if plan else []
    return {
        "plan": PlanInput(plan).data if plan else None,
        "share": Application.objects.get(pk=application_id).quality_sample_rate,
        "share_needed": share_needed(plan, parts) if plan else None,
        "formula": FORMULA,
        "strata": [asdict(part) for part in parts],
    }


class SamplingView(ApplicationView):
    read_scope = Scope.REVIEWS_READ
    write_scope = Scope.POLICIES_WRITE

    @extend_schema(operation_id="get_sampling_plan", responses={200: SamplingOutput})
    def get(self, request: Request) -> Response:
        """Return the plan, and how much of the quality sample is reviewed of what it needs."""
        plan = SamplingPlan.objects.filter(pk=self.application_id).first()
        return Response(_document(plan, self.application_id))

    @extend_schema(
        operation_id="put_sampling_plan", request=PlanInput, responses={200: SamplingOutput}
    )
    def put(self, request: Request) -> Response:
        """Make or replace the plan; members left out have their defaults."""
        plan = SamplingPlan(
            application_id=self.application_id, **validated(PlanInput, request.data)
        )
        save_plan(plan=plan, by=str(request.user))
        return Response(_document(plan, self.application_id))
