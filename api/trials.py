"""Trials of a second policy version in shadow or on a share of the checks, and advice."""

from dataclasses import asdict
from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.components import Schema, component
from accounts.inputs import InputSerializer, validated
from accounts.models import Scope
from accounts.views import ApplicationView
from analysis.engine.replay import TrialMode
from analysis.services.trials import SPLIT_KEY, TrialRefused, end_trial, start_trial
from api.outputs import Problem
from api.policies import FitRate, ReplayTransition, policy_of
from desk.policies.advice.report import (
    ALPHA,
    DAYS,
    DELTA,
    LARGEST_SHARE,
    MAX_DAYS,
    SMALLEST_SHARE,
    Advice,
    AdviceRequest,
    advise,
)
from desk.policies.advice.thresholds import Point, Threshold
from desk.policies.selectors.trials import comparison, trials_of


class TrialInput(InputSerializer):
    """The parameters of a trial."""

    mode = serializers.ChoiceField(
        choices=[str(mode) for mode in TrialMode],
        help_text="`shadow`: its decisions are stored but not returned. `split`: it decides "
        "a share of the checks.",
    )
    share = serializers.FloatField(
        min_value=0,
        max_value=1,
        default=0.5,
        help_text="Share of the checks in a `split`, above 0. A check is assigned by its id, or by "
        f"`metadata.{SPLIT_KEY}` if set, so that related checks stay in one arm.",
    )
    other_judge = serializers.BooleanField(
        default=False,
        help_text="Whether the judge of `TRIAL_JUDGE` runs in shadow of the one in force; the "
        "version may then be the one in force.",
    )


class CompareInput(serializers.Serializer[Any]):
    """The trial to compare."""

    trial = serializers.IntegerField(
        required=False, min_value=1, help_text="Id of the trial. Default: the newest."
    )


class TrialRate(FitRate):
    """A count with its share (0-1) and 95% Wilson interval; null if `of` is 0."""

    name = serializers.CharField()


class TrialArm(Schema):
    """The results of one version."""

    arm = serializers.CharField(help_text="`control` or `trial`.")
    policy_id = serializers.IntegerField()
    checks = serializers.IntegerField()
    actions = TrialRate(many=True)
    flagged = TrialRate(help_text="WARN or BLOCK.")
    confirmed = TrialRate(
        help_text="Flagged checks that reviewers confirmed, of those they decided; only in a split."
    )


class TrialOutput(Schema):
    """A trial, and the comparison of its two versions."""

    trial_id = serializers.IntegerField()
    mode = serializers.CharField(help_text="`shadow` or `split`.")
    share = serializers.FloatField()
    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    control_version = serializers.IntegerField()
    trial_version = serializers.IntegerField()
    judge = serializers.CharField(
        allow_blank=True, help_text="The judge in shadow; empty if only the version is tried."
    )
    arms = TrialArm(many=True)
    transitions = ReplayTransition(
        many=True, help_text="Only in shadow: the actions of both versions."
    )
    cannot_be_replayed = serializers.IntegerField(
        help_text="Only in shadow: checks that the other version could not decide."
    )


class TrialView(ApplicationView):
    """A trial of a version beside the one in force."""

    write_scope = Scope.POLICIES_WRITE

    @extend_schema(
        operation_id="start_policy_trial", request=TrialInput, responses={201: TrialOutput}
    )
    def post(self, request: Request, policy_id: int) -> Response:
        """Try this version in shadow or on a share of the checks. This ends a running trial."""
        data = validated(TrialInput, request.data)
        try:
            trial = start_trial(
                policy=policy_of(request, policy_id),
                mode=TrialMode(data["mode"]),
                share=data["share"],
                other_judge=data["other_judge"],
                by=str(request.user),
            )
        except TrialRefused as error:
            raise serializers.ValidationError({"mode": [str(error)]}) from error
        return Response(comparison(trial), status=201)


class TrialEndView(ApplicationView):
    write_scope = Scope.POLICIES_WRITE

    @extend_schema(
        operation_id="end_policy_trial", request=None, responses={200: TrialOutput, 404: Problem}
    )
    def post(self, request: Request) -> Response:
        """End the trial; the version in force decides all checks again. 404 if none is running."""
        application_id = self.application_id
        ended = end_trial(application_id=application_id, by=str(request.user))
        if ended is None:
            raise Http404
        return Response(comparison(trials_of(application_id).get(pk=ended.pk)))


class CompareView(ApplicationView):
    """The comparison of a trial's two versions."""

    read_scope = Scope.POLICIES_READ

    @extend_schema(
        operation_id="compare_policies",
        parameters=[CompareInput],
        responses={200: TrialOutput, 404: Problem},
    )
    def get(self, request: Request) -> Response:
        """Return counts and intervals of both arms; 404 if there has been no trial."""
        filters = validated(CompareInput, request.query_params)
        trials = trials_of(self.application_id)
        if "trial" in filters:
            trials = trials.filter(pk=filters["trial"])
        trial = trials.first()
        if trial is None:
            raise Http404
        return Response(comparison(trial))


# `GET /api/v1/policies/advice`: the threshold that the reviewed answers support.


class AdviceInput(serializers.Serializer[Any]):
    """The highest acceptable share of unsupported answers, and with what confidence."""

    threshold = serializers.ChoiceField(
        choices=[str(item) for item in Threshold],
        default=str(Threshold.UNSUPPORTED_AT),
        help_text="Accepted answers are those allowed; with `block_at`, those not blocked.",
    )
    alpha = serializers.FloatField(
        min_value=SMALLEST_SHARE,
        max_value=LARGEST_SHARE,
        default=ALPHA,
        help_text="The highest acceptable share of unsupported answers among the accepted ones.",
    )
    delta = serializers.FloatField(
        min_value=SMALLEST_SHARE,
        max_value=LARGEST_SHARE,
        default=DELTA,
        help_text="Acceptable risk that the actual share is higher; the confidence is 1 - delta.",
    )
    days = serializers.IntegerField(
        min_value=1,
        max_value=MAX_DAYS,
        default=DAYS,
        help_text="How many days back to look, by the time of submission.",
    )

    def validate_threshold(self, value: str) -> Threshold:
        """Return the threshold as a member of the enumeration."""
        return Threshold(value)


component(
    Point,
    "What one threshold would do with the labelled answers.",
    name="AdvicePoint",
    unsafe_rate="Share of the accepted answers that are unsupported; null if none is accepted.",
    rejected_rate="Share of the supported answers that are rejected; null if none is supported.",
    at_most="Upper limit of `unsafe_rate` with confidence 1 - delta, for it alone; null "
    "if none is accepted.",
    holds="Whether the threshold passes the test with `alpha` and `delta`.",
)


AdviceOutput = component(
    Advice,
    "A proposed threshold. It changes nothing: a lead decides whether to use it in a policy.",
    name="AdviceOutput",
    policy_version="Version of the active policy; null if the default policy applies.",
    current="The threshold in force.",
    unsafe="How many of the labelled answers are unsupported.",
    labels_needed="How many accepted answers without a single fault would be enough.",
    sample_counts="Size of the quality sample, by action.",
    decided="How many of the sample were decided by a reviewer, by action.",
    curve="Every threshold, strictest first.",
    kinds="The labelled answers by kind (`bare`, `placed`, `short`, `long`, `record`, "
    "`long_record`, `not_judged`), at the proposed threshold or else at the current one.",
)


class AdviceView(ApplicationView):
    """Advice on the thresholds that decide."""

    read_scope = Scope.POLICIES_READ

    @extend_schema(
        operation_id="get_threshold_advice", parameters=[AdviceInput], responses={200: AdviceOutput}
    )
    def get(self, request: Request) -> Response:
        """Propose a threshold that keeps unsupported answers rare, by Learn-then-Test."""
        question = AdviceRequest(**validated(AdviceInput, request.query_params))
        return Response(asdict(advise(self.application_id, question)))
