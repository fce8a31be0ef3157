"""What clients get of policies, as documented schema components."""

from rest_framework import serializers

from accounts.components import Schema, choices, component
from accounts.pagination import Page
from analysis.engine.replay.rerun import DecisionOutcome, Quality
from analysis.models import JobState


class PolicyOutput(Schema):
    """One version of the policy; it never changes but for `is_active`."""

    id = serializers.IntegerField()
    version = serializers.IntegerField(min_value=1)
    is_active = serializers.BooleanField(help_text="The one in force.")
    note = serializers.CharField(allow_blank=True)
    created_by = serializers.CharField()
    created_at = serializers.DateTimeField()
    rules = serializers.DictField(help_text="Every setting (docs/concepts/policies.md).")


class PolicyPage(Page):
    """One page of versions; `next` and `previous` are addresses or null."""

    results = PolicyOutput(many=True)


class ReplayRate(Schema):
    """How often something held, before and after; shares (0-1) are of the replayed checks."""

    name = serializers.CharField()
    before = serializers.IntegerField()
    after = serializers.IntegerField()
    share_before = serializers.FloatField(allow_null=True)
    share_after = serializers.FloatField(allow_null=True)


class ReplayTransition(Schema):
    """How many checks went from one action to another (or kept theirs)."""

    before = serializers.CharField(help_text="ALLOW, WARN or BLOCK.")
    after = serializers.CharField(help_text="ALLOW, WARN or BLOCK.")
    count = serializers.IntegerField()


class ReplayReason(Schema):
    """Why checks cannot be replayed."""

    reason = serializers.CharField()
    count = serializers.IntegerField()


class ReplayCannot(Schema):
    """Checks that cannot be replayed; they are in no other count."""

    count = serializers.IntegerField()
    reasons = ReplayReason(many=True)


ReplayQuality = component(
    Quality,
    "Agreement with reviewers. Positive means flagged; a false positive is a good answer.",
    name="ReplayQuality",
)


class ReplayAgreement(Schema):
    """Of the same reviewed checks, before and after."""

    before = ReplayQuality()
    after = ReplayQuality()


ReplayOutcome = component(
    DecisionOutcome,
    "What a check came to: the action and the reason that decided.",
    name="ReplayOutcome",
    whole=True,
)


class ReplayChange(Schema):
    """A check whose action is another one."""

    check_id = serializers.UUIDField()
    before = ReplayOutcome()
    after = ReplayOutcome()
    unsafe = serializers.BooleanField(allow_null=True, help_text="What a reviewer said; or null.")


class ReplayOutput(Schema):
    """What a version would have changed."""

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
    reviewed = ReplayAgreement(help_text="All reviewed checks; flagged ones are reviewed more.")
    quality_sample = ReplayAgreement(help_text="Only what chance drew for review.")
    changes = ReplayChange(many=True, help_text="At most 1,000; `changed` counts all.")


class ReplayJobOutput(Schema):
    """A replay of many checks, done by a worker."""

    id = serializers.IntegerField()
    state = choices(JobState)
    done = serializers.IntegerField(help_text="Checks decided again so far.")
    total = serializers.IntegerField(allow_null=True, help_text="Null until they are counted.")
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    error = serializers.CharField(allow_null=True, help_text="Why it was given up; or null.")
    result = ReplayOutput(allow_null=True, help_text="Null until it is done.")
