"""`/api/v1/policies`: versions of the policy, activation, and replay on stored checks."""

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import or_404
from accounts.authentication import client_of
from accounts.components import Schema, UTCField, choices, component
from accounts.inputs import InputSerializer, validated
from accounts.models import Scope
from accounts.pagination import PAGING, NewestFirst, Page
from accounts.views import ApplicationView
from analysis.engine.policy import PRESETS, PolicyError, PolicyRules
from analysis.engine.replay import DecisionOutcome, Quality
from analysis.models import JobState, Policy
from analysis.selectors.jobs import job_document, replays_of
from analysis.services.jobs import TooManyJobs
from analysis.services.policies import (
    CasesFailed,
    NeedsSecondApprover,
    activate_policy,
    create_policy,
    merged,
)
from api.inputs import JSONObjectField, TextField, nested
from api.outputs import Problem
from desk.policies.selectors.policies import policies_of, replay_document
from desk.policies.selectors.replaying import MOST_CHECKS, MOST_IN_JOB, ReplaySelection
from desk.policies.selectors.trials import fit_rates
from desk.policies.services.replays import start_replay
from desk.scoring.calibration.labels import CalibrationError
from desk.scoring.calibration.policy_fit import Aims
from desk.scoring.calibration.reviews_fit import fit_to_reviews

# The output about policies, as documented schema components.


class RulesField(serializers.DictField):
    """All settings of a version, also those added since it was created."""

    def to_representation(self, value: dict[str, Any]) -> dict[str, Any]:
        return PolicyRules.from_json(value).to_json()


class PolicyOutput(Schema):
    """One version of the policy. Only `is_active` ever changes."""

    id = serializers.IntegerField()
    version = serializers.IntegerField(min_value=1)
    is_active = serializers.BooleanField(help_text="Whether it is the version in force.")
    note = serializers.CharField(allow_blank=True)
    created_by = serializers.CharField()
    created_at = UTCField()
    rules = RulesField(help_text="All settings (docs/concepts/policies.md).")


class PolicyPage(Page):
    """One page of versions; `next` and `previous` are URLs or null."""

    results = PolicyOutput(many=True)


class ReplayRate(Schema):
    """A count before and after the replay, with shares (0-1) of the replayed checks."""

    name = serializers.CharField()
    before = serializers.IntegerField()
    after = serializers.IntegerField()
    share_before = serializers.FloatField(allow_null=True)
    share_after = serializers.FloatField(allow_null=True)


class ReplayTransition(Schema):
    """The number of checks that changed from one action to another, or kept it."""

    before = serializers.CharField(help_text="ALLOW, WARN or BLOCK.")
    after = serializers.CharField(help_text="ALLOW, WARN or BLOCK.")
    count = serializers.IntegerField()


class ReplayReason(Schema):
    """A reason why checks cannot be replayed."""

    reason = serializers.CharField()
    count = serializers.IntegerField()


class ReplayCannot(Schema):
    """Checks that cannot be replayed; no other figure counts them."""

    count = serializers.IntegerField()
    reasons = ReplayReason(many=True)


ReplayQuality = component(
    Quality,
    "Agreement with reviewers. Positive means flagged; a false positive is a flagged good answer.",
    name="ReplayQuality",
)


class ReplayAgreement(Schema):
    """Agreement on the same reviewed checks, before and after."""

    before = ReplayQuality()
    after = ReplayQuality()


ReplayOutcome = component(
    DecisionOutcome,
    "The action of a check, and the reason that decided it.",
    name="ReplayOutcome",
    whole=True,
)


class ReplayChange(Schema):
    """A check whose action changes."""

    check_id = serializers.UUIDField()
    before = ReplayOutcome()
    after = ReplayOutcome()
    unsafe = serializers.BooleanField(
        allow_null=True, help_text="A reviewer's verdict on the answer; null if there is none."
    )


class ReplayOutput(Schema):
    """The effects that a version would have had."""

    policy_id = serializers.IntegerField()
    version = serializers.IntegerField()
    since = serializers.DateTimeField(allow_null=True)
    until = serializers.DateTimeField(allow_null=True)
    checks_in_period = serializers.IntegerField()
    checks_chosen = serializers.IntegerField()
    replayed = serializers.IntegerField()
    cannot_be_replayed = ReplayCannot()
    changed = serializers.IntegerField()
    actions = ReplayRate(many=True)
    transitions = ReplayTransition(many=True)
    flagged_by_reason = ReplayRate(many=True, help_text="The reason that decided each flag.")
    safety_rejections = ReplayRate(many=True)
    reviewed = ReplayAgreement(
        help_text="All reviewed checks; flagged ones are reviewed more often."
    )
    quality_sample = ReplayAgreement(help_text="Only checks chosen at random for review.")
    changes = ReplayChange(many=True, help_text="At most 1,000; `changed` counts all.")


class ReplayJobOutput(Schema):
    """A replay of many checks, done by a worker."""

    id = serializers.IntegerField()
    state = choices(JobState)
    done = serializers.IntegerField(help_text="Number of checks replayed so far.")
    total = serializers.IntegerField(
        allow_null=True, help_text="Null until the checks are counted."
    )
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    error = serializers.CharField(allow_null=True, help_text="Why it failed, or null.")
    result = ReplayOutput(allow_null=True, help_text="Null until it is done.")


MOST_NOTE = 500


class PolicyInput(InputSerializer):
    """A new version: its rules, and what they are based on."""

    rules = JSONObjectField(
        help_text="Settings, in the format of a version's `rules`. Omitted settings keep their "
        "value of `based_on`, or their default."
    )
    based_on = TextField(
        required=False,
        default="",
        allow_blank=True,
        max_length=20,
        help_text=f"`active`, or a preset: {', '.join(sorted(PRESETS))}. If empty, the defaults.",
    )
    note = TextField(required=False, default="", allow_blank=True, max_length=MOST_NOTE)
    activate = serializers.BooleanField(
        default=False, help_text="Whether to put it in force immediately."
    )

    def validate_based_on(self, value: str) -> str:
        """Accept `active`, a preset or nothing."""
        if value and value != "active" and value not in PRESETS:
            raise serializers.ValidationError(
                f"Must be `active` or one of {', '.join(sorted(PRESETS))}."
            )
        return value


class FitInput(InputSerializer):
    """The limits on flagged and blocked right answers, and whether to create a version."""

    flagged = serializers.FloatField(
        min_value=0, max_value=1, default=Aims().flagged, help_text="Share flagged, at most."
    )
    blocked = serializers.FloatField(
        min_value=0, max_value=1, default=Aims().blocked, help_text="Share blocked, at most."
    )
    make_version = serializers.BooleanField(
        default=False, help_text="Whether to make a version, which is not put in force."
    )


class FitRate(Schema):
    """A count of the held-back answers with its share (0-1) and 95 % Wilson interval."""

    name = serializers.CharField(
        help_text="`right_flagged`, `wrong_flagged`, `right_blocked` or `wrong_blocked`."
    )
    count = serializers.IntegerField()
    of = serializers.IntegerField()
    share = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)


class FitOfKind(Schema):
    """The held-back answers of one kind, by the version and as fitted."""

    kind = serializers.CharField(help_text="`bare`, `short`, …, or `not_judged`.")
    before = FitRate(many=True)
    after = FitRate(many=True)


class FitOutput(Schema):
    """Limits fitted to the reviewed quality sample, compared on reviews that were held back."""

    fitting = serializers.IntegerField(help_text="Reviews fitted on.")
    held_back = serializers.IntegerField(help_text="Reviews compared on.")
    left_out = serializers.IntegerField(help_text="Reviews that could not be decided again.")
    before = FitRate(many=True)
    after = FitRate(many=True)
    kinds = FitOfKind(many=True, help_text="The same by kind of answer.")
    rules = serializers.DictField()
    policy = PolicyOutput(allow_null=True, help_text="The new version, if one was asked for.")


class ReplayInput(InputSerializer):
    """The stored checks to replay."""

    since = serializers.DateTimeField(
        required=False,
        allow_null=True,
        default=None,
        help_text="Only checks decided at this time or later.",
    )
    until = serializers.DateTimeField(
        required=False,
        allow_null=True,
        default=None,
        help_text="Only checks decided before this time.",
    )
    sample = serializers.IntegerField(
        min_value=1,
        max_value=MOST_IN_JOB,
        default=1_000,
        help_text="At most this many checks. If more match, a uniform sample is replayed, the same "
        f"one each time. Above {MOST_CHECKS:,}, a worker replays them: the response is 202, and "
        "`Location` is the URL of the progress.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Require that a period begins before it ends."""
        if attrs["since"] and attrs["until"] and attrs["since"] >= attrs["until"]:
            raise serializers.ValidationError({"until": ["Must be after `since`."]})
        return attrs


_NOT_ACTIVATED = {
    NeedsSecondApprover: (409, "second_approver_needed"),
    CasesFailed: (409, "cases_failed"),
}


class PoliciesView(ApplicationView):
    read_scope = Scope.POLICIES_READ
    write_scope = Scope.POLICIES_WRITE
    problems = _NOT_ACTIVATED

    @extend_schema(operation_id="list_policies", parameters=PAGING, responses={200: PolicyPage})
    def get(self, request: Request) -> Response:
        """List the versions, newest first."""
        versions = policies_of(self.application_id)
        return NewestFirst().respond(versions, self, PolicyOutput().to_representation)

    @extend_schema(
        operation_id="create_policy",
        request=PolicyInput,
        responses={201: PolicyOutput, 409: Problem},
    )
    def post(self, request: Request) -> Response:
        """Create a version. Stored checks do not change, and versions are never edited."""
        data = validated(PolicyInput, request.data)
        application_id = self.application_id
        try:
            policy = create_policy(
                application_id=application_id,
                rules=merged(application_id, data["based_on"], data["rules"]),
                note=data["note"],
                activate=data["activate"],
                by=str(request.user),
            )
        except PolicyError as error:
            details = nested(f"rules.{error.field}", error.reason)
            raise serializers.ValidationError(details) from error
        return Response(PolicyOutput(policy).data, status=201)


class PolicyView(ApplicationView):
    read_scope = Scope.POLICIES_READ
    write_scope = Scope.POLICIES_WRITE

    @extend_schema(operation_id="get_policy", responses={200: PolicyOutput})
    def get(self, request: Request, policy_id: int) -> Response:
        """Return a version with its rules."""
        return Response(PolicyOutput(policy_of(request, policy_id)).data)


class ActivateView(ApplicationView):
    write_scope = Scope.POLICIES_WRITE
    problems = _NOT_ACTIVATED

    @extend_schema(
        operation_id="activate_policy", request=None, responses={200: PolicyOutput, 409: Problem}
    )
    def post(self, request: Request, policy_id: int) -> Response:
        """Put this version in force for all new decisions.

        409 if the application wants a second approver and the version is the caller's own, or if
        regression cases do not pass under it; only superusers and operators override these.
        """
        policy = policy_of(request, policy_id)
        activate_policy(policy=policy, by=str(request.user))
        return Response(PolicyOutput(policy).data)


class FitView(ApplicationView):
    write_scope = Scope.POLICIES_WRITE
    problems = {CalibrationError: (409, "too_few_reviews")}

    @extend_schema(
        operation_id="fit_policy", request=FitInput, responses={200: FitOutput, 409: Problem}
    )
    def post(self, request: Request, policy_id: int) -> Response:
        """Fit this version's limits to the reviewed quality sample, from stored signals.

        409 if it has too few reviews.
        """
        data, policy = validated(FitInput, request.data), policy_of(request, policy_id)
        aims = Aims(data["flagged"], data["blocked"])
        rules = PolicyRules.from_json(policy.rules)
        fit = fit_to_reviews(policy.application_id, rules, aims)
        version = None
        if data["make_version"]:
            version = create_policy(
                application_id=policy.application_id,
                rules=fit.policy.to_json(),
                note=f"Fitted to {fit.fitting} reviews.",
                by=str(request.user),
            )
        compared = [
            {"kind": kind, "before": [b for b, _ in rates], "after": [a for _, a in rates]}
            for kind in fit.compared
            for rates in [fit_rates(fit, kind)]
        ]
        document = {
            "fitting": fit.fitting,
            "held_back": fit.held_back,
            "left_out": fit.left_out,
            "before": compared[0]["before"],
            "after": compared[0]["after"],
            "kinds": compared[1:],
            "rules": fit.policy.to_json(),
            "policy": PolicyOutput(version).data if version else None,
        }
        return Response(document)


class ReplayView(ApplicationView):
    write_scope = Scope.POLICIES_READ  # it reads what is stored and changes nothing
    problems = {TooManyJobs: (409, "too_many_replays")}

    @extend_schema(
        operation_id="replay_policy",
        request=ReplayInput,
        responses={200: ReplayOutput, 202: ReplayJobOutput, 409: Problem},
    )
    def post(self, request: Request, policy_id: int) -> Response:
        """Decide stored checks again under this version, from their stored signals.

        More than 10,000 take minutes and run as a job (202); its `result` is the same document.
        """
        selection = ReplaySelection(**validated(ReplayInput, request.data))
        policy = policy_of(request, policy_id)
        if selection.sample <= MOST_CHECKS:
            return Response(replay_document(policy, selection))
        job = start_replay(policy, selection, by=str(request.user))
        where = reverse("replay_job", args=[job.pk])
        return Response(job_document(job), status=202, headers={"Location": where})


class ReplayJobView(ApplicationView):
    """A replay of many checks, done by a worker."""

    read_scope = Scope.POLICIES_READ

    @extend_schema(operation_id="get_replay", responses={200: ReplayJobOutput})
    def get(self, request: Request, job_id: int) -> Response:
        """Return the progress of a replay, and its result once it is done."""
        replays = replays_of(self.application_id)
        return Response(job_document(or_404(replays.get, pk=job_id)))


def policy_of(request: Request, policy_id: int) -> Policy:
    """Return a version of the caller's policy. Raises Http404, also for another application's."""
    return or_404(policies_of(client_of(request).application_id).get, pk=policy_id)
