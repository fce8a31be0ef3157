"""The output of the API, as documented schema components: first the verifier API's nine types.

Selectors build the documents of checks; these classes only describe them. Lists and batches are
written by their classes. Members that the verifier API lacks are optional.
"""

from typing import Any

from rest_framework import serializers

from accounts.components import Schema, UTCField, choices, component
from accounts.pagination import Page
from analysis.engine import signal_types as engine
from analysis.engine import types, verdict_types
from analysis.engine.response.partial_answer import LEFT_OUT
from analysis.engine.safety import model
from analysis.engine.types import Action, ClaimStatus, LowConfidenceReason, RiskLevel, SignalStatus
from analysis.engine.verdict.wording import LABELS
from analysis.models import CheckState, HoldState
from analysis.selectors.checks import EXCERPT_CHARACTERS
from analysis.selectors.refining import Suggestions
from api.inputs import ConversationMessage

# The settings name these components of the schema after them.
CLAIM_STATUSES = [str(status) for status in ClaimStatus]
REASONS = [str(reason) for reason in LowConfidenceReason]
REJECTION_REASONS = [str(reason) for reason in model.RejectionReason]
SAFETY_CHECKS = [str(check) for check in model.SafetyCheck]
SIGNAL_STATUSES = [str(status) for status in SignalStatus]


def span(text: str, **options: Any) -> serializers.ListField:
    """Return a field for a start and an end."""
    return serializers.ListField(
        child=serializers.IntegerField(), min_length=2, max_length=2, help_text=text, **options
    )


# Everything measured for one claim. These explain the engine's members.
_ABSENT = "of the claim that appear neither in a source nor in the question."

NliScores = component(
    engine.NliScores,
    "Three shares of 1.",
    entail="How far the evidence supports the claim.",
    contradict="How far it contradicts the claim.",
    neutral="How far it leaves the claim open.",
)
Judgement = component(
    engine.Judgement,
    "The judge's scores for a claim, which add up to 1; it reads all the evidence at once.",
    whole=True,
    entail="Probability that the evidence supports the claim.",
    neutral="Probability that the evidence neither supports nor contradicts it.",
    contradict="Probability that the evidence contradicts it.",
    doubt="Probability that a word of the claim is not supported, 0-1: the highest of all words.",
    evidence_read="Share of the evidence that the judge read, 0-1.",
    kind="Kind of the answer that the probability is calibrated for.",
    judge="Name of the model.",
    verbatim="Whether a passage contains the claim word for word.",
    answer_odds=(
        "Mean log-odds of the answer's claims not being entailed, from which the claims of a long "
        "answer are told."
    ),
    answering=(
        "Difference in log-odds (-4 to 4) by which the best passage with a bare answer answers the "
        "question better than the best one without, as a judge of answers reads them. Null for "
        "other claims, and where it is not known."
    ),
)
Coverage = component(
    engine.Coverage,
    "Shares (0-1) of the claim found in the passages; null if the claim has nothing of the kind.",
    entities="Share of the claim's names.",
    numbers="Share of the claim's figures and dates.",
    tokens_overlap="Share of the claim's words.",
    phrases="Share of the claim's pairs of adjacent words, in any source.",
    absent_figures=f"Number of figures {_ABSENT}",
    absent_names=f"Number of names {_ABSENT}",
    of_record="Whether the most supportive passage is from a record (JSON).",
    nearness=(
        "How near a bare answer is to the words of its question in the sources; 1 is the nearest "
        "place they have. Null for other claims."
    ),
    unknown_names=(
        "Addresses, paths, functions and codes of the claim that neither a source nor the question "
        "has."
    ),
)
Uncertainty = component(
    engine.Uncertainty,
    "Uncertainty of the model that answered, from the token log-probabilities.",
    required=["mean_entropy"],
    mean_entropy="Mean entropy over the most likely tokens at each position, in nats.",
    nll="Mean negative log-likelihood per token, in nats.",
    max_nll="Negative log-likelihood of the least likely token, in nats.",
    tokens="Number of tokens of the claim.",
)
Consistency = component(
    engine.Consistency,
    "Comparison with other answers to the same question.",
    required=["variance"],
    variance="Variance of their support for the claim.",
    contradiction="Mean of contradict / (entail + contradict), SelfCheckGPT's measure.",
    disagreement="Mean of 1 - entail: how little they support the claim.",
    distance="Mean of 1 - cosine similarity to the nearest sentence.",
    samples="Number of answers compared.",
)
Conflict = component(
    engine.Conflict,
    "One point in which a passage contradicts the claim.",
    required=["kind", "detail"],
    certain="Whether it decides on its own, whatever the model's scores are.",
)
Finding = component(
    engine.Finding, "One overconfident wording, or one contradiction within the answer."
)
CitedSource = component(
    engine.CitedSource,
    "A source that a claim cites.",
    number="Number among the sources, from 1.",
    share="Share of the claim's words that it contains, 0-1.",
    leads="Whether it contains the most supportive passage.",
)
JudgeUse = component(
    engine.JudgeUse,
    "What one judge decided, and what that cost.",
    whole=True,
    judge="Name of the model; of language models that vote, all names.",
    decided="Number of claims that it decided.",
    unavailable="Number of claims that it was to decide and, not being available, left to others.",
    calls="Number of calls to language models, retries not counted.",
    tokens="Their tokens as the endpoint reports them; estimated for a call without an answer.",
)
SignalState = component(
    engine.SignalState,
    "Whether a signal ran.",
    reason="Why not, or what is to be said of it; empty otherwise.",
    model="What measured it; empty if nothing did.",
    ms="Time that it took, in milliseconds.",
    judges="Of the signal `judge`: who decided how many claims, and what that cost.",
)
VerifierSignal = component(
    engine.VerifierSignal,
    "Everything measured for one claim; null if a signal did not run.",
    required=[
        "claim_id", "doc_id", "sent_id", "nli", "coverage", "uncertainty", "consistency",
        "citation_span_match", "numeric_check",
    ],
    citation_span_match="Share of the claim's words found in the sources it cites, 0-1.",
    numeric_check="Whether every figure was found; null if the claim has none.",
    cited="The sources that the claim cites, counted from 1.",
    cited_missing="Cited numbers of sources that do not exist.",
    cited_scores="Scores of the claim compared with the cited sources alone, by `lexical-1`.",
    lexical="Scores by the rules of `lexical-1`.",
    nli="The shares of the judge that read the claim; without one, those of `lexical`.",
    judgement="The judge's scores; null if no judge read the claim.",
    disputed="Whether one source supports the claim and another contradicts it.",
    unsupported="Words that the judge doubts: start, end (in the answer) and probability.",
)  # fmt: skip


class Query(Schema):
    """The question that the answer responds to."""

    id = serializers.CharField()
    text = serializers.CharField(allow_blank=True)
    timestamp = serializers.DateTimeField()


EvidenceChunk = component(
    types.EvidenceChunk,
    "A passage of a source; offsets are code points of that source's text.\n\n"
    "If the source is a record (JSON), they refer to the sentences made of it, and `path` is set.",
    sent_id="Number of the passage in the source, from 0.",
    rank="Rank among the passages of the claim, from 1.",
    source="Title, URL or id of the source.",
    version="The method by which the source was split into passages.",
    path="The key path if the source is a record, such as `menu.0.price`.",
)


class Claim(Schema):
    """One atomic statement of the answer."""

    claim_id = serializers.CharField()
    answer_id = serializers.CharField()
    text = serializers.CharField()
    answer_char_span = span("Start and end in the answer, in code points.")
    extraction_method = serializers.CharField()
    subject = serializers.CharField(
        required=False,
        allow_blank=True,
        help_text="What the claim is about, if its own words do not say so.",
    )


class EvidenceSpan(Schema):
    """A passage that supports or contradicts a claim, with its rank among the candidates."""

    doc_id = serializers.CharField()
    sent_id = serializers.IntegerField()
    text = serializers.CharField()
    rank = serializers.IntegerField()


class ClaimEvidencePair(Schema):
    """A claim and the passages considered for it; a passage is referenced as `doc_id#sent_id`."""

    claim_id = serializers.CharField()
    evidence_candidates = serializers.ListField(
        child=serializers.CharField(), help_text="Passages, best first."
    )
    top_evidence = serializers.CharField(
        allow_null=True, help_text="The passage that supports or contradicts the claim most."
    )
    evidence_spans = EvidenceSpan(many=True)


component(
    types.CitedPassage,
    "A passage that a citation refers to.",
    required=["text"],
    refs="The evidence that was merged into it, as `doc_id#sent_id`.",
)


component(
    types.RemovedCitation,
    "A citation in the answer that referred to nothing.",
    answer_char_span=span("Start and end in the answer, in code points."),
    reason=choices(("no_such_source", "unknown_source")),
)


component(
    types.CitationMismatch,
    "A claim that the sources it cites do not support.",
    citations="The numbers of the cited sources, from 1.",
)


component(
    types.CitationNotes,
    "How the citations were made.",
    required=["merged_redundant", "method"],
    numbering=choices(
        ("passages", "sources", "unknown"),
        required=False,
        help_text="`sources`: the answer's own citations were kept with their numbers; `unknown`: "
        "it was not clear what they refer to, so the passages' numbers replace them.",
    ),
)


CitationFormatterOutput = component(
    types.CitationFormatterOutput,
    "The answer with citations: `[i]` in `formatted_text` is `passages[i - 1]`.",
    required=["formatted_text", "citation_map", "passages"],
    citation_map="For each cited claim, the numbers of its passages.",
)


class CiteEvalPassage(Schema):
    """A passage in CiteEval's format."""

    text = serializers.CharField()
    title = serializers.CharField(required=False, allow_blank=True)


class CiteEvalSystemExample(Schema):
    """An example for CiteEval's system evaluation; `[i]` in `pred` is `passages[i - 1]`."""

    id = serializers.CharField()
    query = serializers.CharField(allow_blank=True)
    passages = CiteEvalPassage(many=True)
    pred = serializers.CharField(allow_blank=True)


Confidence = component(
    verdict_types.Confidence,
    "The confidence of the decision; null if nothing was measured.",
    overall_confidence="How far the claim can be trusted, 0-1.",
)


_STATUS = "People read Contradictory as Contradicted, and Low Confidence as Not confirmed."
ClaimDecision = component(
    verdict_types.ClaimDecision,
    "The verdict for one claim.",
    required=verdict_types.ClaimDecision.__annotations__.keys() - {"reason"},
    status=_STATUS,
    rationale="Starts with the name of the rule that decided.",
    primary_evidence="The passage that decided the verdict, as `doc_id#sent_id`.",
)


SummaryStats = component(
    verdict_types.SummaryStats,
    "Numbers of claims by verdict; `insufficient` counts all Low Confidence claims.",
)


class SafetyDiagnostic(Schema):
    """One safety check; `passed` is null if the check does not apply."""

    passed = serializers.BooleanField(allow_null=True)
    value = serializers.FloatField(allow_null=True)
    threshold = serializers.FloatField(allow_null=True)
    details = serializers.CharField()


class SafetyDiagnostics(Schema):
    """The five checks, in order."""

    retrieval_confidence = SafetyDiagnostic()
    context_sufficiency = SafetyDiagnostic()
    topic_relevance = SafetyDiagnostic()
    citations = SafetyDiagnostic()
    grounding = SafetyDiagnostic()


SafetyCheckResult = component(
    model.SafetyCheckResult,
    "Which of the five safety checks failed, and the primary reason.",
    whole=True,
    confidence_score="The lowest of the measured scores.",
    passed_checks=serializers.ListField(child=choices(model.SafetyCheck)),
    failed_checks=serializers.ListField(child=choices(model.SafetyCheck)),
    diagnostic_info=SafetyDiagnostics(),
    reasons="All reasons that apply, the most specific first.",
)


class AnnotatedAnswer(Schema):
    """The answer with the decision for each of its claims."""

    answer_id = serializers.CharField()
    query_id = serializers.CharField()
    raw_answer = serializers.CharField()
    claims = ClaimDecision(many=True)
    summary_stats = SummaryStats()
    mitigation_actions = serializers.ListField(child=serializers.CharField())
    version = serializers.CharField(help_text="Version of the pipeline that decided.")
    final_response = serializers.CharField(
        required=False, allow_blank=True, help_text="The text to show instead of the answer."
    )
    action = choices(Action, required=False)


PAYLOADS = (
    Query, EvidenceChunk, Claim, ClaimEvidencePair, CitationFormatterOutput,
    CiteEvalSystemExample, VerifierSignal, ClaimDecision, AnnotatedAnswer,
)  # fmt: skip


class CheckPayloads(Schema):
    """A decided check as the verifier API's nine payloads, linked by their ids."""

    query = Query()
    evidence = EvidenceChunk(many=True)
    claims = Claim(many=True)
    claim_evidence_pairs = ClaimEvidencePair(many=True)
    signals = VerifierSignal(many=True)
    citations = CitationFormatterOutput()
    citeeval = CiteEvalSystemExample()
    annotated_answer = AnnotatedAnswer()


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
    status = choices(ClaimStatus, help_text="As it is stored and sealed.")
    label = choices(LABELS.values(), help_text="The status as pages and records name it.")
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


SuggestedQuestions = component(
    Suggestions,
    "Questions that the collections can answer; `reason` says why there are none.",
    name="SuggestedQuestions",
    whole=True,
)


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
    created_at = UTCField()
    finished_at = UTCField(allow_null=True)
    question = serializers.CharField(
        source="excerpt",
        allow_blank=True,
        help_text=f"The first {EXCERPT_CHARACTERS} characters of the question.",
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
    """The state of a held answer; `final_response` is the text to show now."""

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
    created_at = UTCField()
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
