"""The verifier API's nine payloads as schema components. Members that it lacks are optional.

Documents are built by the selectors; these classes only describe them.
"""

from rest_framework import serializers

from accounts.components import Schema, choices, component
from analysis.engine import payloads, types, verdict_types
from analysis.engine.safety import model
from analysis.engine.types import Action
from api.schema_fields import span
from api.signal_payloads import VerifierSignal


class Query(Schema):
    """What the answer was asked for."""

    id = serializers.CharField()
    text = serializers.CharField(allow_blank=True)
    timestamp = serializers.DateTimeField()


EvidenceChunk = component(
    types.EvidenceChunk,
    "A passage of a source; offsets are code points into that source's text.\n\n"
    "Of a source that is a record (JSON), they count in its text in words, and `path` is set.",
    sent_id="Its number within the source, from 0.",
    rank="Among the passages of its claim, from 1.",
    source="Title, address or id of the source.",
    version="How the source was cut into passages.",
    path="The key path in a source that is a record: `menu.0.price`.",
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
        help_text="What the claim is about where its own words do not say it.",
    )


class EvidenceSpan(Schema):
    """A passage that speaks for or against a claim, with its place among the candidates."""

    doc_id = serializers.CharField()
    sent_id = serializers.IntegerField()
    text = serializers.CharField()
    rank = serializers.IntegerField()


class ClaimEvidencePair(Schema):
    """A claim and the passages considered for it; a passage is named `doc_id#sent_id`."""

    claim_id = serializers.CharField()
    evidence_candidates = serializers.ListField(
        child=serializers.CharField(), help_text="Best first."
    )
    top_evidence = serializers.CharField(
        allow_null=True, help_text="The one with the strongest word, for or against."
    )
    evidence_spans = EvidenceSpan(many=True)


component(
    payloads.CitedPassage,
    "What a citation points to.",
    required=["text"],
    refs="The evidence merged into it, as `doc_id#sent_id`.",
)


component(
    payloads.RemovedCitation,
    "A citation of the answer that pointed to nothing.",
    answer_char_span=span("Where it stood in the answer, in code points."),
    reason=choices(("no_such_source", "unknown_source")),
)


component(
    payloads.CitationMismatch,
    "A claim that the sources it cites do not support.",
    citations="The numbers of those sources, from 1.",
)


component(
    payloads.CitationNotes,
    "How the citations came about.",
    required=["merged_redundant", "method"],
    numbering=choices(
        ("passages", "sources", "unknown"),
        required=False,
        help_text="`sources`: the answer had citations of its own, whose numbers stay; `unknown`: "
        "nobody knows what they number, and the passages' own numbers replace them here.",
    ),
)


CitationFormatterOutput = component(
    payloads.CitationFormatterOutput,
    "The answer with citations: `[i]` in `formatted_text` is `passages[i - 1]`.",
    required=["formatted_text", "citation_map", "passages"],
    citation_map="For each cited claim the numbers of its passages.",
)


class CiteEvalPassage(Schema):
    """A passage as CiteEval reads it."""

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
    "How sure the decision is; null where nothing was measured.",
    overall_confidence="How far the claim may be trusted, 0-1.",
)


ClaimDecision = component(
    verdict_types.ClaimDecision,
    "The verdict for one claim.",
    required=verdict_types.ClaimDecision.__annotations__.keys() - {"reason"},
    rationale="Begins with the name of the rule that decided.",
    primary_evidence="The passage it rests on, as `doc_id#sent_id`.",
)


SummaryStats = component(
    verdict_types.SummaryStats,
    "Counts over the claims; `insufficient` is every Low Confidence claim.",
)


class SafetyDiagnostic(Schema):
    """One safety check: `passed` is null where it does not apply."""

    passed = serializers.BooleanField(allow_null=True)
    value = serializers.FloatField(allow_null=True)
    threshold = serializers.FloatField(allow_null=True)
    details = serializers.CharField()


class SafetyDiagnostics(Schema):
    """The five checks, in their order."""

    retrieval_confidence = SafetyDiagnostic()
    context_sufficiency = SafetyDiagnostic()
    topic_relevance = SafetyDiagnostic()
    citations = SafetyDiagnostic()
    grounding = SafetyDiagnostic()


SafetyCheckResult = component(
    model.SafetyCheckResult,
    "Safety API: which of the five checks failed, and the primary reason.",
    whole=True,
    confidence_score="The weakest of what was measured.",
    passed_checks=serializers.ListField(child=choices(model.SafetyCheck)),
    failed_checks=serializers.ListField(child=choices(model.SafetyCheck)),
    diagnostic_info=SafetyDiagnostics(),
    reasons="All that hold, the most specific first.",
)


class AnnotatedAnswer(Schema):
    """The answer with the decision for each of its claims."""

    answer_id = serializers.CharField()
    query_id = serializers.CharField()
    raw_answer = serializers.CharField()
    claims = ClaimDecision(many=True)
    summary_stats = SummaryStats()
    mitigation_actions = serializers.ListField(child=serializers.CharField())
    version = serializers.CharField(help_text="Of the pipeline that decided.")
    final_response = serializers.CharField(
        required=False, allow_blank=True, help_text="Safe to show instead."
    )
    action = choices(Action, required=False)


PAYLOADS = (
    Query, EvidenceChunk, Claim, ClaimEvidencePair, CitationFormatterOutput,
    CiteEvalSystemExample, VerifierSignal, ClaimDecision, AnnotatedAnswer,
)  # fmt: skip


class CheckPayloads(Schema):
    """A decided check in the verifier API's nine payloads, tied together by their ids."""

    query = Query()
    evidence = EvidenceChunk(many=True)
    claims = Claim(many=True)
    claim_evidence_pairs = ClaimEvidencePair(many=True)
    signals = VerifierSignal(many=True)
    citations = CitationFormatterOutput()
    citeeval = CiteEvalSystemExample()
    annotated_answer = AnnotatedAnswer()
