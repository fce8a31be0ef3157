"""The output of the API, as documented schema components. Selectors build the documents."""

from rest_framework import serializers

from accounts.components import Schema, choices, component
from accounts.pagination import Page
from analysis.engine import types, verdict_types
from analysis.engine.response.partial_answer import LEFT_OUT
from analysis.engine.types import Action, ClaimStatus, LowConfidenceReason, RiskLevel
from analysis.engine.types import SignalStatus as Status
from analysis.models import CheckState, HoldState
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
from api.signal_payloads import SignalState, VerifierSignal


class CheckedClaim(Schema):
    """One claim with its decision, its evidence and the raw signals."""

    claim_id = serializers.CharField()
    text = serializers.CharField()
    answer_char_span = serializers.ListField(
        child=serializers.IntegerField(), help_text="Start and end, in code points."
    )
    answer_utf16_span = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="Start and end in UTF-16 code units, as JavaScript counts.",
    )
    final_char_span = serializers.ListField(
        child=serializers.IntegerField(),
        allow_null=True,
        help_text="Start and end in `final_response`, in code points; null if it is not shown.",
    )
    status = choices(ClaimStatus)
    reason = choices(LowConfidenceReason, allow_null=True)
    wording = serializers.CharField(
        help_text='Status and reason in words for people: "no source supports it".'
    )
    rationale = serializers.CharField(help_text="Starts with the name of the rule that decided.")
    confidence = Confidence()
    primary_evidence = EvidenceChunk(allow_null=True)
    evidence = EvidenceChunk(many=True)
    signal = VerifierSignal(
        allow_null=True, help_text="Null if it was left out because of the size limit (`left_out`)."
    )


ActionReason = component(
    verdict_types.ActionReason,
    "A reason for the action; `decided` marks the one that determined it.",
)


NotChecked = component(verdict_types.NotChecked, "A signal that did not finish, and the reason.")


component(
    types.PartialSentence,
    "A supported sentence of a partial answer; `citations` are numbers of the result's passages.",
    final_char_span="Start and end in `final_response`, in code points.",
    confidence="Confidence in its least certain claim, from 0 to 1.",
)


component(
    types.LeftOut,
    "How many statements were left out for one reason.",
    reason=choices(LEFT_OUT),
    text="The reason in words.",
)


PartialAnswer = component(
    types.PartialAnswer,
    "The part of a blocked answer that may be shown.",
    note="What was left out and why: the end of `final_response`.",
)


class SuggestedQuestions(Schema):
    """Questions that the collections can answer; `reason` says why there are none."""

    status = choices(Status)
    reason = serializers.CharField(allow_blank=True)
    questions = serializers.ListField(child=serializers.CharField())


class FlaggedPassage(Schema):
    """A passage of a source that the injection scan flagged; offsets in code points."""

    doc_id = serializers.CharField()
    start = serializers.IntegerField(min_value=0)
    end = serializers.IntegerField(min_value=0)


class FeedbackCounts(Schema):
    """End users' opinions of the answer. They do not affect the verdict."""

    helpful = serializers.IntegerField()
    not_helpful = serializers.IntegerField()
    helpful_share = serializers.FloatField(
        allow_null=True, help_text="From 0 to 1; null if there is no feedback."
    )


class CheckSummary(Schema):
    """A check as a list item."""

    id = serializers.UUIDField()
    state = serializers.ChoiceField(choices=CheckState.choices)
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    question = serializers.CharField(
        allow_blank=True, help_text=f"The first {EXCERPT_CHARACTERS} characters of the question."
    )
    source_model = serializers.CharField(allow_blank=True)
    action = choices(Action, allow_null=True)
    risk_score = serializers.IntegerField(allow_null=True)
    risk_level = choices(RiskLevel, allow_null=True)


class CheckPage(Page):
    """One page of a list; `next` and `previous` are URLs or null."""

    results = CheckSummary(many=True)


class ClaimsLeftOut(Schema):
    """Number of items left out because of the size limit."""

    signals = serializers.IntegerField(min_value=0)
    claims = serializers.IntegerField(min_value=0)


class HoldOutput(Schema):
    """What has become of a held answer; `final_response` is what is shown now."""

    state = serializers.ChoiceField(choices=HoldState.choices)
    due_at = serializers.DateTimeField(
        allow_null=True, help_text="When the policy decides what nobody has decided by then."
    )
    settled_at = serializers.DateTimeField(allow_null=True)


class CheckOutput(Schema):
    """A check: its input, its state and, once that is `done`, its verdict."""

    id = serializers.UUIDField()
    state = serializers.ChoiceField(choices=CheckState.choices)
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    feedback = FeedbackCounts()
    query = Query()
    answer = serializers.CharField()
    messages = ConversationMessage(
        many=True, allow_null=True, help_text="The conversation as sent; null if none was sent."
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
        help_text="The probability that the answer is not fully supported; null if nothing was "
        "measured.",
    )
    explanation = serializers.CharField(allow_null=True)
    reasons = ActionReason(many=True)
    signals = serializers.DictField(
        child=serializers.BooleanField(allow_null=True), allow_null=True
    )
    signal_states = serializers.DictField(child=SignalState(), allow_null=True)
    not_checked = NotChecked(many=True)
    injection = FlaggedPassage(
        many=True,
        help_text="Passages of the sources that read like instructions to a model. They are not "
        "evidence, unless the policy trusts them.",
    )
    final_response = serializers.CharField(
        allow_null=True, help_text="The text to show instead of the answer."
    )
    mitigation_actions = serializers.ListField(child=serializers.CharField())
    citations = CitationFormatterOutput(
        allow_null=True, help_text="The answer with citations, and the passages that they refer to."
    )
    summary_stats = SummaryStats(allow_null=True)
    safety = SafetyCheckResult(
        allow_null=True, help_text="Null if the answer could not be analysed."
    )
    partial_answer = PartialAnswer(
        allow_null=True,
        help_text="Set if the policy allows partial answers and `final_response` is one.",
    )
    suggested_questions = SuggestedQuestions(
        allow_null=True,
        help_text="If the collections could not answer the question: up to three similar questions "
        "that they can answer. Each passes the safety checks on retrieval.",
    )
    hold = HoldOutput(
        allow_null=True, help_text="Set if a person has to approve the answer before it is shown."
    )
    claims = CheckedClaim(many=True)
    left_out = ClaimsLeftOut(
        help_text="How much was left out to keep the document below 2 MB: first signals, then "
        "claims, starting from the last. The decision record is complete."
    )
    policy_version = serializers.IntegerField(allow_null=True)
    policy_override = serializers.CharField(
        allow_null=True,
        help_text="Name of the override for collections that applied; null if none did.",
    )
    engine_version = serializers.CharField(allow_null=True)
    milliseconds = serializers.FloatField(allow_null=True)


class FieldError(Schema):
    """The error of one field."""

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
    """One item: its check, or the errors because of which it was refused."""

    index = serializers.IntegerField()
    check = CheckSummary(required=False)
    errors = FieldError(many=True, required=False)


class BatchOutput(Schema):
    """A batch with all of its items."""

    id = serializers.UUIDField()
    created_at = serializers.DateTimeField()
    items_total = serializers.IntegerField()
    states = serializers.DictField(child=serializers.IntegerField())
    refused = serializers.IntegerField()
    items = BatchItem(many=True)


class AnalyzeClaim(Schema):
    """A claim as the risk API describes it."""

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
