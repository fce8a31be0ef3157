"""`/api/v1/cases`: answers whose right decision is known, for reviewers and for policies."""

from dataclasses import asdict
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import or_404
from accounts.components import Schema, choices, component
from accounts.inputs import InputSerializer, validated
from accounts.models import Application, Scope
from accounts.pagination import PAGING, NewestFirst, Page
from accounts.views import ApplicationView
from analysis.engine.policy import PolicyRules
from analysis.models import Case, CaseUse
from analysis.selectors.cases import case_outcomes
from api.inputs import JSONObjectField
from api.outputs import Problem
from api.oversight import OversightInput
from desk.policies.selectors.policies import policies_of
from desk.policies.services.cases import (
    MOST_CASES,
    CasesRefused,
    add_cases,
    case_of,
    delete_case,
)
from desk.reviews.selectors.oversight import SeededFigures, decisions_on_seeded
from desk.reviews.selectors.reviews import reviews_of_application


class CaseOutput(serializers.ModelSerializer[Case]):
    """A case. Its `id` is that of its check."""

    id = serializers.UUIDField(source="pk")
    use = choices(CaseUse)
    is_bad = serializers.BooleanField(help_text="Whether the answer must not be shown.")
    state = serializers.CharField(source="check_record.state")
    action = serializers.CharField(
        source="check_record.action", allow_null=True, help_text="Null until it is checked."
    )

    class Meta:
        model = Case
        fields = ("id", "use", "name", "is_bad", "state", "action", "added_by", "created_at")


class CasePage(Page):
    """One page of cases; `next` and `previous` are URLs or null."""

    results = CaseOutput(many=True)


class CaseFilters(InputSerializer):
    """The use of the cases to list."""

    use = choices(CaseUse, required=False)


class CasesInput(InputSerializer):
    """Labelled answers in the schema of `manage.py evaluate`."""

    use = choices(CaseUse)
    items = serializers.ListField(
        child=JSONObjectField(),
        min_length=1,
        max_length=MOST_CASES,
        help_text="Each with `response`, `context` (texts), `query`, `label` (1: must not be "
        "shown) and perhaps an `id`; other members are passed over.",
    )


class CasesOutput(Schema):
    """The cases that were added, in their order."""

    results = CaseOutput(many=True)


SeededRow = component(
    SeededFigures,
    "The decisions of one reviewer on seeded cases.",
    name="SeededRow",
    decided="Cases confirmed or overturned.",
    right="Of these, those decided rightly.",
    share="`right` divided by `decided`; null if there are none.",
    low="Lower end of its 95 % Wilson interval.",
    high="The interval's upper end.",
    bad="Of `decided`, those that must not be shown.",
    passed="Of `bad`, those that the reviewer would have shown.",
    unsettled="Cases escalated.",
)


class SeededOutput(Schema):
    """How reviewers decided seeded cases in a period."""

    start = serializers.DateTimeField()
    end = serializers.DateTimeField()
    results = SeededRow(many=True)


class CaseOutcomeOutput(Schema):
    """A regression case under a policy version."""

    id = serializers.UUIDField(source="case.pk")
    name = serializers.CharField(source="case.name")
    is_bad = serializers.BooleanField(source="case.is_bad")
    action = serializers.CharField(help_text="Empty where it could not be decided.")
    cannot = serializers.CharField(help_text="Why it could not; else empty.")
    passed = serializers.BooleanField(help_text="False also where it could not be decided.")


class CaseOutcomesOutput(Schema):
    """What a version makes of the regression cases."""

    version = serializers.IntegerField()
    passed = serializers.IntegerField()
    failed = serializers.IntegerField(help_text="Those that could not be decided included.")
    results = CaseOutcomeOutput(many=True)


class _Newest(NewestFirst):
    ordering = "-check_record_id"


class CasesView(ApplicationView):
    """For keys of leads: reviewers must not learn which of their items are cases."""

    read_scope = write_scope = Scope.POLICIES_WRITE
    problems = {CasesRefused: (409, "cases_refused")}

    @extend_schema(
        operation_id="list_cases", parameters=[CaseFilters, *PAGING], responses={200: CasePage}
    )
    def get(self, request: Request) -> Response:
        """List the cases, newest first."""
        cases = Case.objects.filter(
            application=self.application_id, **validated(CaseFilters, request.query_params)
        )
        return _Newest().respond(
            cases.select_related("check_record"), self, lambda case: dict(CaseOutput(case).data)
        )

    @extend_schema(
        operation_id="add_cases",
        request=CasesInput,
        responses={201: CasesOutput, 409: Problem},
    )
    def post(self, request: Request) -> Response:
        """Add cases. Each is checked, and counted as no traffic.

        `seeded` ones come to reviewers like any other review; `regression` ones are decided again
        by each policy version that is put in force.
        """
        data = validated(CasesInput, request.data)
        try:
            cases = [case_of(number, item) for number, item in enumerate(data["items"], start=1)]
        except CasesRefused as error:
            raise serializers.ValidationError({"items": [str(error)]}) from error
        application = Application.objects.get(pk=self.application_id)
        added = add_cases(
            application=application, use=CaseUse(data["use"]), cases=cases, by=str(request.user)
        )
        rows = Case.objects.select_related("check_record").in_bulk([case.pk for case in added])
        results = [CaseOutput(rows[case.pk]).data for case in added]
        return Response({"results": results}, status=201)


class CaseView(ApplicationView):
    read_scope = write_scope = Scope.POLICIES_WRITE
    problems = {CasesRefused: (409, "cases_refused")}

    @extend_schema(operation_id="delete_case", request=None, responses={204: None, 409: Problem})
    def delete(self, request: Request, case_id: UUID) -> Response:
        """Delete a case. 409 if a reviewer has decided it."""
        case = or_404(Case.objects.get, pk=case_id, application=self.application_id)
        delete_case(case=case, by=str(request.user))
        return Response(status=204)


class SeededView(ApplicationView):
    read_scope = Scope.POLICIES_WRITE

    @extend_schema(
        operation_id="get_seeded", parameters=[OversightInput], responses={200: SeededOutput}
    )
    def get(self, request: Request) -> Response:
        """By reviewer: how many seeded cases were decided rightly. `weekly` is passed over."""
        data = validated(OversightInput, request.query_params)
        start, end = data["start"], data["end"]
        reviews = reviews_of_application(self.application_id)
        rows = decisions_on_seeded(reviews, start=start, end=end)
        return Response({"start": start, "end": end, "results": [asdict(row) for row in rows]})


class OutcomesView(ApplicationView):
    read_scope = Scope.POLICIES_READ

    @extend_schema(operation_id="get_policy_cases", responses={200: CaseOutcomesOutput})
    def get(self, request: Request, policy_id: int) -> Response:
        """Decide the regression cases under this version, from their stored signals."""
        policy = or_404(policies_of(self.application_id).get, pk=policy_id)
        outcomes = case_outcomes(self.application_id, PolicyRules.from_json(policy.rules))
        passed = sum(outcome.passed for outcome in outcomes)
        document: dict[str, Any] = {
            "version": policy.version,
            "passed": passed,
            "failed": len(outcomes) - passed,
            "results": CaseOutcomeOutput(outcomes, many=True).data,
        }
        return Response(document)
