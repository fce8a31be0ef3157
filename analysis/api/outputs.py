"""What clients get, as documented schema components. Documents are built by the selectors."""

from typing import Any

from rest_framework import serializers

from analysis.engine.types import Action, Band, ClaimStatus, LowConfidenceReason, RiskLevel
from analysis.engine.types import SignalStatus as Status
from analysis.models import CheckState

Schema = serializers.Serializer[Any]


def _choices(values: Any, **options: Any) -> serializers.ChoiceField:
    return serializers.ChoiceField(choices=[str(v) for v in values], **options)


class Query(Schema):
    """Seed 4's Query."""

    id = serializers.UUIDField()
    text = serializers.CharField()
    timestamp = serializers.DateTimeField()


class EvidenceChunk(Schema):
    """Seed 4's EvidenceChunk; offsets are code points into that source's text."""

    doc_id = serializers.CharField()
    sent_id = serializers.IntegerField()
    text = serializers.CharField()
    char_start = serializers.IntegerField()
    char_end = serializers.IntegerField()
    score_bm25 = serializers.FloatField(allow_null=True)
    score_dense = serializers.FloatField(allow_null=True)
    score_hybrid = serializers.FloatField(allow_null=True)
    rank = serializers.IntegerField()
    source = serializers.CharField()
    version = serializers.CharField()


class Confidence(Schema):
    """How sure the decision is; null where nothing was measured."""

    support_prob = serializers.FloatField(allow_null=True)
    contradict_prob = serializers.FloatField(allow_null=True)
    overall_confidence = serializers.FloatField(allow_null=True)
    band = _choices(Band)


class ClaimDecision(Schema):
    """One claim, its decision and the evidence it rests on."""

    claim_id = serializers.CharField()
    text = serializers.CharField()
    answer_char_span = serializers.ListField(
        child=serializers.IntegerField(), help_text="Start and end, in code points."
    )
    answer_utf16_span = serializers.ListField(
        child=serializers.IntegerField(), help_text="Start and end as browsers count."
    )
    status = _choices(ClaimStatus)
    reason = _choices(LowConfidenceReason, allow_null=True)
    rationale = serializers.CharField()
    confidence = Confidence()
    primary_evidence = EvidenceChunk(allow_null=True)
    evidence = EvidenceChunk(many=True)
    signal = serializers.DictField(help_text="Seed 4's VerifierSignal: the raw values.")


class ActionReason(Schema):
    """Why the action is what it is; `decided` marks the one that settled it."""

    code = serializers.CharField()
    action = _choices(Action)
    text = serializers.CharField()
    decided = serializers.BooleanField()


class NotChecked(Schema):
    """A signal that did not run to its end, and why."""

    signal = serializers.CharField()
    status = _choices(Status)
    reason = serializers.CharField(allow_blank=True)


class CheckSummary(Schema):
    """A check as one line of a list."""

    id = serializers.UUIDField()
    state = serializers.ChoiceField(choices=CheckState.choices)
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    source_model = serializers.CharField(allow_blank=True)
    action = _choices(Action, allow_null=True)
    risk_score = serializers.IntegerField(allow_null=True)
    risk_level = _choices(RiskLevel, allow_null=True)


class CheckPage(Schema):
    """One page of a list; `next` and `previous` are addresses or null."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = CheckSummary(many=True)


class CheckOutput(Schema):
    """A check: its input, its life and, once `state` is `done`, its verdict."""

    id = serializers.UUIDField()
    state = serializers.ChoiceField(choices=CheckState.choices)
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    query = Query()
    answer = serializers.CharField()
    collections = serializers.ListField(child=serializers.CharField())
    scope = serializers.DictField()
    source_model = serializers.CharField(allow_blank=True)
    metadata = serializers.DictField()
    input_sha256 = serializers.CharField()
    action = _choices(Action, allow_null=True)
    risk_score = serializers.IntegerField(allow_null=True, min_value=0, max_value=100)
    risk_level = _choices(RiskLevel, allow_null=True)
    explanation = serializers.CharField(allow_null=True)
    reasons = ActionReason(many=True)
    signals = serializers.DictField(
        child=serializers.BooleanField(allow_null=True), allow_null=True
    )
    signal_states = serializers.DictField(allow_null=True)
    not_checked = NotChecked(many=True)
    final_response = serializers.CharField(allow_null=True, help_text="Safe to show instead.")
    mitigation_actions = serializers.ListField(child=serializers.CharField())
    summary_stats = serializers.DictField(allow_null=True)
    claims = ClaimDecision(many=True)
    policy_version = serializers.IntegerField(allow_null=True)
    engine_version = serializers.CharField(allow_null=True)
    milliseconds = serializers.FloatField(allow_null=True)


class FieldError(Schema):
    """What is wrong with one field."""

    field = serializers.CharField()
    detail = serializers.CharField()
    code = serializers.CharField()


class Problem(Schema):
    """RFC 9457 problem document."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    errors = FieldError(many=True, required=False)


class BatchItem(Schema):
    """One item: its check, or why it was refused."""

    index = serializers.IntegerField()
    check = CheckSummary(required=False)
    errors = FieldError(many=True, required=False)


class BatchOutput(Schema):
    """A batch and each of its items."""

    id = serializers.UUIDField()
    created_at = serializers.DateTimeField()
    items_total = serializers.IntegerField()
    states = serializers.DictField(child=serializers.IntegerField())
    refused = serializers.IntegerField()
    items = BatchItem(many=True)


class AnalyzeClaim(Schema):
    """A claim in seed 1's words."""

    text = serializers.CharField()
    status = _choices(("SUPPORTED", "CONTRADICTED", "UNVERIFIED"))
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    evidence = serializers.CharField(allow_null=True)


class AnalyzeOutput(Schema):
    """Seed 1's assessment."""

    risk_score = serializers.IntegerField(min_value=0, max_value=100)
    signals = serializers.DictField(child=serializers.BooleanField(allow_null=True))
    explanation = serializers.CharField()
    claims = AnalyzeClaim(many=True)
    warnings = serializers.ListField(child=serializers.CharField(), required=False)
