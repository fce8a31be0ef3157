"""What clients get, as documented schema components. Documents are built by the selectors."""

from rest_framework import serializers

from accounts.components import Schema, choices, component
from accounts.pagination import Page
from analysis.engine import payloads, verdict_types
from analysis.engine.response.partial_answer import LEFT_OUT
from analysis.engine.types import Action, ClaimStatus, LowConfidenceReason, RiskLevel
from analysis.engine.types import SignalStatus as Status
from analysis.models import CheckState
from analysis.selectors.checks import EXCERPT_CHARACTERS
from api.conversation import ConversationMessage
from api.payloads import (
    CitationFormatterOutput,
    Confidence,
    EvidenceChunk,
    Query,
    SafetyCheckResult,
    SummaryStats,
)
from api.signal_payloads import VerifierSignal


class CheckedClaim(Schema):
    """One claim with its decision, the evidence it rests on and the raw signals."""

    claim_id = serializers.CharField()
    text = serializers.CharField()
    answer_char_span = serializers.ListField(
        child=serializers.IntegerField(), help_text="Start and end, in code points."
    )
    answer_utf16_span = serializers.ListField(
        child=serializers.IntegerField(), help_text="Start and end as browsers count."
    )
    final_char_span = serializers.ListField(
        child=serializers.IntegerField(),
        allow_null=True,
        help_text="Where `final_response` shows it, in code points; null where it does not.",
    )
    status = choices(ClaimStatus)
    reason = choices(LowConfidenceReason, allow_null=True)
    wording = serializers.CharField(
        help_text='Status and reason in words for people: "no source supports it".'
    )
    rationale = serializers.CharField(help_text="Begins with the name of the rule that decided.")
    confidence = Confidence()
    primary_evidence = EvidenceChunk(allow_null=True)
    evidence = EvidenceChunk(many=True)
    signal = VerifierSignal(
        allow_null=True, help_text="Null where the document would be too large (`left_out`)."
    )


ActionReason = component(
    verdict_types.ActionReason,
    "Why the action is what it is; `decided` marks the one that settled it.",
)


NotChecked = component(verdict_types.NotChecked, "A signal that did not run to its end, and why.")


component(
    payloads.PartialSentence,
    "A supported sentence of a partial answer; `citations` number the result's passages.",
    final_char_span="Where `final_response` shows it, in code points.",
    confidence="Of its least sure claim, from 0 to 1.",
)


component(
    payloads.LeftOut,
    "How many statements were left out for one reason.",
    reason=choices(LEFT_OUT),
    text="The reason in words.",
)


PartialAnswer = component(
    payloads.PartialAnswer,
    "What of a blocked answer may be shown.",
    note="What was left out and why, as `final_response` ends.",
)


class SuggestedQuestions(Schema):
    """Questions that the collections can answer; `reason` says in words why there are none."""

    status = choices(Status)
    reason = serializers.CharField(allow_blank=True)
    questions = serializers.ListField(child=serializers.CharField())


class FlaggedPassage(Schema):
    """A passage of a source that the injection scan flags, in code points."""

    doc_id = serializers.CharField()
    start = serializers.IntegerField(min_value=0)
    end = serializers.IntegerField(min_value=0)


class FeedbackCounts(Schema):
    """What end users said of the answer: a measure of trust beside the verdict."""

    helpful = serializers.IntegerField()
    not_helpful = serializers.IntegerField()
    helpful_share = serializers.FloatField(
        allow_null=True, help_text="From 0 to 1; null where nobody said anything."
    )


class CheckSummary(Schema):
    """A check as one line of a list."""

    id = serializers.UUIDField()
    state = serializers.ChoiceField(choices=CheckState.choices)
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    question = serializers.CharField(
        allow_blank=True, help_text=f"Its first {EXCERPT_CHARACTERS} characters."
    )
    source_model = serializers.CharField(allow_blank=True)
    action = choices(Action, allow_null=True)
    risk_score = serializers.IntegerField(allow_null=True)
    risk_level = choices(RiskLevel, allow_null=True)


class CheckPage(Page):
    """One page of a list; `next` and `previous` are addresses or null."""

    results = CheckSummary(many=True)


class ClaimsLeftOut(Schema):
    """How much a document leaves out to stay small."""

    signals = serializers.IntegerField(min_value=0)
    claims = serializers.IntegerField(min_value=0)


class CheckOutput(Schema):
    """A check: its input, its life and, once `state` is `done`, its verdict."""

    id = serializers.UUIDField()
    state = serializers.ChoiceField(choices=CheckState.choices)
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    feedback = FeedbackCounts()
    query = Query()
    answer = serializers.CharField()
    messages = ConversationMessage(
        many=True, allow_null=True, help_text="The conversation as sent; null where none was."
    )
    collections = serializers.ListField(child=serializers.CharField())
    scope = serializers.DictField()
    source_model = serializers.CharField(allow_blank=True)
    metadata = serializers.DictField()
    input_sha256 = serializers.CharField()
    action = choices(Action, allow_null=True)
    risk_score = serializers.IntegerField(allow_null=True, min_value=0, max_value=100)
    risk_level = choices(RiskLevel, allow_null=True)
    hallucination_score = serializers.FloatField(
        allow_null=True,
        min_value=0,
        max_value=1,
        help_text="The chance that the answer is not fully supported; null where nothing was "
        "measured.",
    )
    explanation = serializers.CharField(allow_null=True)
    reasons = ActionReason(many=True)
    signals = serializers.DictField(
        child=serializers.BooleanField(allow_null=True), allow_null=True
    )
    signal_states = serializers.DictField(allow_null=True)
    not_checked = NotChecked(many=True)
    injection = FlaggedPassage(
        many=True,
        help_text="Passages of the sources that read like instructions to a model. They support "
        "nothing, unless the policy trusts them.",
    )
    final_response = serializers.CharField(allow_null=True, help_text="Safe to show instead.")
    mitigation_actions = serializers.ListField(child=serializers.CharField())
    citations = CitationFormatterOutput(
        allow_null=True, help_text="The answer with citations and the passages they point to."
    )
    summary_stats = SummaryStats(allow_null=True)
    safety = SafetyCheckResult(
        allow_null=True, help_text="Null where the answer could not be read."
    )
    partial_answer = PartialAnswer(
        allow_null=True,
        help_text="Where the policy allows partial answers and `final_response` is one.",
    )
    suggested_questions = SuggestedQuestions(
        allow_null=True,
        help_text="Where a question was refused for what the collections hold: up to three made "
        "from their passages near it, each of which passes the safety checks of retrieval.",
    )
    claims = CheckedClaim(many=True)
    left_out = ClaimsLeftOut(
        help_text="What does not stand here because the document would be larger than 2 MB: the "
        "signals, then the claims, from the last claim on. The decision record has all."
    )
    policy_version = serializers.IntegerField(allow_null=True)
    policy_override = serializers.CharField(
        allow_null=True, help_text="The override for collections that decided; null: none did."
    )
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
    """A claim in the risk API's words."""

    text = serializers.CharField()
    status = choices(("SUPPORTED", "CONTRADICTED", "UNVERIFIED"))
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    evidence = serializers.CharField(allow_null=True)


class AnalyzeOutput(Schema):
    """The risk API's assessment."""

    risk_score = serializers.IntegerField(min_value=0, max_value=100)
    signals = serializers.DictField(child=serializers.BooleanField(allow_null=True))
    explanation = serializers.CharField()
    claims = AnalyzeClaim(many=True)
    warnings = serializers.ListField(child=serializers.CharField(), required=False)
