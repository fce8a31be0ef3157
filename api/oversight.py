"""Human oversight: reviewers' figures, the sampling plan, probes, and cases."""

from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from django.utils import timezone
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
from analysis.models import (
    Case,
    CaseUse,
    ProbeOutcome,
    ProbeResult,
    ProbeVerdict,
    ProbeWay,
    SamplingPlan,
)
from analysis.selectors.cases import case_outcomes
from analysis.selectors.probes import probe_state
from api.inputs import JSONObjectField
from api.outputs import Problem
from api.policies import policy_of
from desk.policies.services.cases import (
    MOST_CASES,
    CasesRefused,
    add_cases,
    case_of,
    delete_case,
)
from desk.reviews.selectors.oversight import (
    QUICK,
    OversightFigures,
    SeededFigures,
    decisions_on_seeded,
    oversight,
)
from desk.reviews.selectors.reviews import reviews_of_application
from desk.reviews.selectors.sampling import FORMULA, Stratum, share_needed, strata
from desk.reviews.services.sampling import FIELDS, save_plan

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
        """Return the period with both ends. Require them in order, and a year at most."""
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


# `/api/v1/reviews/sampling`: the sampling plan, and how far it is met.


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


# `GET /api/v1/probes`: whether the guard works, by the last probes.


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
    """The outcomes of the probes of an application."""

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


# `/api/v1/cases`: answers whose right decision is known, for reviewers and for policies.


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
    """Reviewers' decisions on seeded cases in a period."""

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
    """The results of the regression cases under a version of the policy."""

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
        policy = policy_of(request, policy_id)
        outcomes = case_outcomes(self.application_id, PolicyRules.from_json(policy.rules))
        passed = sum(outcome.passed for outcome in outcomes)
        document: dict[str, Any] = {
            "version": policy.version,
            "passed": passed,
            "failed": len(outcomes) - passed,
            "results": CaseOutcomeOutput(outcomes, many=True).data,
        }
        return Response(document)
