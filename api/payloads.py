"""The verifier API's nine payloads as schema components. Members that it lacks are optional.

Selectors build the documents; these classes only describe them.
"""

from rest_framework import serializers

from accounts.components import Schema, choices, component
from analysis.engine import types, verdict_types
from analysis.engine.safety import model
from analysis.engine.types import Action
from api.schema_fields import span
from api.signal_payloads import VerifierSignal


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


ClaimDecision = component(
    verdict_types.ClaimDecision,
    "The verdict for one claim.",
    required=verdict_types.ClaimDecision.__annotations__.keys() - {"reason"},
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
