"""The output about policies, as documented schema components."""

from rest_framework import serializers

from accounts.components import Schema, choices, component
from accounts.pagination import Page
from analysis.engine.replay.rerun import DecisionOutcome, Quality
from analysis.models import JobState


class PolicyOutput(Schema):
    """One version of the policy. Only `is_active` ever changes."""

    id = serializers.IntegerField()
    version = serializers.IntegerField(min_value=1)
    is_active = serializers.BooleanField(help_text="Whether it is the version in force.")
    note = serializers.CharField(allow_blank=True)
    created_by = serializers.CharField()
    created_at = serializers.DateTimeField()
    rules = serializers.DictField(help_text="All settings (docs/concepts/policies.md).")


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
