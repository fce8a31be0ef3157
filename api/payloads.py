"""The verifier API's nine payloads as schema components. Members that it lacks are optional.

Documents are built by the selectors; these classes only describe them.
"""

from typing import Any

from rest_framework import serializers

from analysis.engine.safety.checks import RejectionReason, SafetyCheck
from analysis.engine.types import (
    Action,
    Band,
    ClaimStatus,
    ConflictKind,
    FindingKind,
    LowConfidenceReason,
    SignalStatus,
)

Schema = serializers.Serializer[Any]
# The settings name these components of the schema after them.
CLAIM_STATUSES = [str(status) for status in ClaimStatus]
REASONS = [str(reason) for reason in LowConfidenceReason]
REJECTION_REASONS = [str(reason) for reason in RejectionReason]
SAFETY_CHECKS = [str(check) for check in SafetyCheck]
SIGNAL_STATUSES = [str(status) for status in SignalStatus]


def choices(values: Any, **options: Any) -> serializers.ChoiceField:
    """A choice among the values of an enum."""
    return serializers.ChoiceField(choices=[str(v) for v in values], **options)


def _share(text: str = "", **options: Any) -> serializers.FloatField:
    return serializers.FloatField(help_text=text or None, **options)


def _span(text: str, **options: Any) -> serializers.ListField:
    return serializers.ListField(
        child=serializers.IntegerField(), min_length=2, max_length=2, help_text=text, **options
    )


class Query(Schema):
    """What the answer was asked for."""

    id = serializers.CharField()
    text = serializers.CharField(allow_blank=True)
    timestamp = serializers.DateTimeField()


class EvidenceChunk(Schema):
    """A passage of a source; offsets are code points into that source's text.

    Of a source that is a record (JSON), they count in its text in words, and `path` is set.
    """

    doc_id = serializers.CharField()
    sent_id = serializers.IntegerField(help_text="Its number within the source, from 0.")
    text = serializers.CharField()
    char_start = serializers.IntegerField()
    char_end = serializers.IntegerField()
    score_bm25 = serializers.FloatField(allow_null=True)
    score_dense = serializers.FloatField(allow_null=True)
    score_hybrid = serializers.FloatField(allow_null=True)
    rank = serializers.IntegerField(help_text="Among the passages of its claim, from 1.")
    source = serializers.CharField(help_text="Title, address or id of the source.")
    version = serializers.CharField(help_text="How the source was cut into passages.")
    path = serializers.CharField(
        required=False,
        allow_blank=True,
        help_text="The key path in a source that is a record: `menu.0.price`.",
    )


class Claim(Schema):
    """One atomic statement of the answer."""

    claim_id = serializers.CharField()
    answer_id = serializers.CharField()
    text = serializers.CharField()
    answer_char_span = _span("Start and end in the answer, in code points.")
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


class CitedPassage(Schema):
    """What a citation points to."""

    text = serializers.CharField()
    title = serializers.CharField(required=False, allow_blank=True)
    refs = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        help_text="The evidence merged into it, as `doc_id#sent_id`.",
    )


class RemovedCitation(Schema):
    """A citation of the answer that pointed to nothing."""

    text = serializers.CharField()
    answer_char_span = _span("Where it stood in the answer, in code points.")
    reason = choices(("no_such_source", "unknown_source"))


class CitationMismatch(Schema):
    """A claim that the sources it cites do not support."""

    claim_id = serializers.CharField()
    citations = serializers.ListField(
        child=serializers.IntegerField(), help_text="The numbers of those sources, from 1."
    )


class CitationNotes(Schema):
    """How the citations came about."""

    merged_redundant = serializers.BooleanField()
    method = serializers.CharField()
    numbering = choices(
        ("passages", "sources", "unknown"),
        required=False,
        help_text="`sources`: the answer had citations of its own, whose numbers stay; `unknown`: "
        "nobody knows what they number, and the passages' own numbers replace them here.",
    )
    removed = RemovedCitation(many=True, required=False)
    mismatches = CitationMismatch(many=True, required=False)


class CitationFormatterOutput(Schema):
    """The answer with citations: `[i]` in `formatted_text` is `passages[i - 1]`."""

    formatted_text = serializers.CharField(allow_blank=True)
    citation_map = serializers.DictField(
        child=serializers.ListField(child=serializers.IntegerField()),
        help_text="For each cited claim the numbers of its passages.",
    )
    passages = CitedPassage(many=True)
    notes = CitationNotes(required=False)


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


class NliScores(Schema):
    """Three shares of a claim against its passages, each 0-1."""

    entail = serializers.FloatField()
    contradict = serializers.FloatField()
    neutral = serializers.FloatField()


def _absent(what: str) -> serializers.IntegerField:
    said = f"{what} of the claim that stand in no source and not in the question."
    return serializers.IntegerField(required=False, min_value=0, help_text=said)


class Judgement(Schema):
    """What the judge says of a claim: three shares of 1, having read all the evidence at once."""

    entail = _share("The evidence supports the claim, 0-1.")
    neutral = _share("The evidence leaves it open, 0-1.")
    contradict = _share("The evidence contradicts it, 0-1.")
    doubt = _share("How surely nothing supports a word of the claim, 0-1.")
    evidence_read = _share("Share of the evidence that was read, 0-1.")
    sentences = serializers.IntegerField(help_text="Sentences of the answer that were judged.")
    judge = serializers.CharField(help_text="The name of the model.")
    verbatim = serializers.BooleanField(
        help_text="Whether the claim stands word for word in a passage."
    )


class Coverage(Schema):
    """Shares (0-1) found in the passages; null where the claim has none to find."""

    entities = _share("Of its names.", allow_null=True)
    numbers = _share("Of its figures and dates.", allow_null=True)
    tokens_overlap = _share("Of its words.")
    phrases = _share(
        "Of its pairs of neighbouring words, in any source.",
        required=False,
        allow_null=True,
    )
    absent_figures = _absent("Figures")
    absent_names = _absent("Names")
    of_record = serializers.BooleanField(
        required=False,
        help_text="Whether the passage that supports most stands in a record (JSON).",
    )


class Uncertainty(Schema):
    """From the token log-probabilities that came with the answer."""

    mean_entropy = serializers.FloatField(
        allow_null=True, help_text="In nats, over the likeliest tokens in each place."
    )
    nll = serializers.FloatField(
        required=False, allow_null=True, help_text="Mean negative log-likelihood a token, in nats."
    )
    max_nll = serializers.FloatField(
        required=False, allow_null=True, help_text="Of the least likely token, in nats."
    )
    tokens = serializers.IntegerField(required=False, help_text="Tokens the claim was written in.")


class Consistency(Schema):
    """From further answers to the same question."""

    variance = _share("Of their support for the claim.", allow_null=True)
    contradiction = _share(
        "Mean of contradict / (entail + contradict), SelfCheckGPT's measure.",
        required=False,
        allow_null=True,
    )
    disagreement = _share(
        "How far they fail to support the claim: mean of 1 - entail.",
        required=False,
        allow_null=True,
    )
    distance = _share(
        "Mean of 1 - cosine to the nearest sentence.", required=False, allow_null=True
    )
    samples = serializers.IntegerField(required=False, help_text="How many were compared.")


class Conflict(Schema):
    """One thing in a passage that speaks against the claim."""

    kind = choices(ConflictKind)
    detail = serializers.CharField()


class Finding(Schema):
    """One wording that is too sure, or one contradiction within the answer."""

    kind = choices(FindingKind)
    detail = serializers.CharField()
    spans = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))
    claim_ids = serializers.ListField(child=serializers.CharField())


class CitedSource(Schema):
    """A source that a claim cites."""

    number = serializers.IntegerField(help_text="Among the sources, from 1.")
    share = _share("Of the claim's words in it, 0-1.")
    leads = serializers.BooleanField(
        help_text="Whether it holds the passage that supports the claim most."
    )


class VerifierSignal(Schema):
    """Everything measured for one claim; null where a signal did not run."""

    claim_id = serializers.CharField()
    doc_id = serializers.CharField(allow_null=True)
    sent_id = serializers.IntegerField(allow_null=True)
    nli = NliScores(allow_null=True)
    coverage = Coverage(allow_null=True)
    uncertainty = Uncertainty(allow_null=True)
    consistency = Consistency(allow_null=True)
    citation_span_match = _share("Of the claim in the sources it cites, 0-1.", allow_null=True)
    numeric_check = serializers.BooleanField(
        allow_null=True, help_text="Whether every figure was found; null where it has none."
    )
    cited = serializers.ListField(
        child=serializers.IntegerField(),
        required=False,
        help_text="The sources that the claim cites, counted from 1.",
    )
    cited_missing = serializers.ListField(
        child=serializers.IntegerField(),
        required=False,
        help_text="Those of them that do not exist.",
    )
    cited_sources = CitedSource(many=True, required=False)
    cited_scores = NliScores(
        required=False,
        allow_null=True,
        help_text="What the cited sources say of the claim by themselves, model `lexical-1`.",
    )
    signal_id = serializers.CharField(required=False)
    lexical = NliScores(
        required=False, allow_null=True, help_text="The scores by rules, model `lexical-1`."
    )
    judged_by = serializers.CharField(
        required=False, help_text="The model of entailment that read the claim, if one did."
    )
    spared_by = serializers.CharField(
        required=False,
        help_text="The one that did not need to: the claim's words stand together in a passage.",
    )
    judgement = Judgement(
        required=False,
        allow_null=True,
        help_text="What the judge says, having read all the evidence; null where none did.",
    )
    disputed = serializers.BooleanField(
        required=False,
        help_text="Whether one source supports the claim and another contradicts it.",
    )
    doubt = _share(
        "How surely a word of the claim is not supported, 0-1.", required=False, allow_null=True
    )
    unsupported = serializers.ListField(
        child=serializers.ListField(child=serializers.FloatField()),
        required=False,
        help_text="Doubted words: start and end in the answer, and how surely.",
    )
    supported_by = serializers.CharField(required=False, allow_null=True)
    contradicted_by = serializers.CharField(required=False, allow_null=True)
    candidates = serializers.ListField(child=serializers.CharField(), required=False)
    conflicts = Conflict(many=True, required=False)
    overconfidence = Finding(many=True, required=False)
    contradictions = Finding(many=True, required=False)
    checkable = serializers.BooleanField(required=False)
    checked = serializers.BooleanField(required=False)


class Confidence(Schema):
    """How sure the decision is; null where nothing was measured."""

    support_prob = serializers.FloatField(allow_null=True)
    contradict_prob = serializers.FloatField(allow_null=True)
    overall_confidence = serializers.FloatField(
        allow_null=True, help_text="How far the claim may be trusted, 0-1."
    )
    band = choices(Band)


class ClaimDecision(Schema):
    """The verdict for one claim."""

    claim_id = serializers.CharField()
    status = choices(ClaimStatus)
    rationale = serializers.CharField(help_text="Begins with the name of the rule that decided.")
    primary_evidence = serializers.CharField(
        allow_null=True, help_text="The passage it rests on, as `doc_id#sent_id`."
    )
    signals_ref = serializers.ListField(child=serializers.CharField())
    confidence = Confidence()
    reason = choices(LowConfidenceReason, required=False, allow_null=True)


class SummaryStats(Schema):
    """Counts over the claims; `insufficient` is every Low Confidence claim."""

    claims_total = serializers.IntegerField()
    supported_high = serializers.IntegerField()
    supported_low = serializers.IntegerField()
    contradicted = serializers.IntegerField()
    insufficient = serializers.IntegerField()
    mean_overall_confidence = serializers.FloatField(allow_null=True)


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


class SafetyCheckResult(Schema):
    """Safety API: which of the five checks failed, and the primary reason."""

    should_reject = serializers.BooleanField()
    rejection_reason = choices(RejectionReason, allow_null=True)
    confidence_score = _share("The weakest of what was measured.")
    passed_checks = serializers.ListField(child=choices(SafetyCheck))
    failed_checks = serializers.ListField(child=choices(SafetyCheck))
    explanation = serializers.CharField()
    diagnostic_info = SafetyDiagnostics()
    reasons = serializers.ListField(
        child=choices(RejectionReason), help_text="All that hold, the most specific first."
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
