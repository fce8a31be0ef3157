"""Everything measured for one claim, as schema components."""

from rest_framework import serializers

from analysis.engine.types import ConflictKind, FindingKind
from api.schema_fields import Schema, choices, share


class NliScores(Schema):
    """Three shares of a claim against its passages, each 0-1."""

    entail = serializers.FloatField()
    contradict = serializers.FloatField()
    neutral = serializers.FloatField()


def _absent(what: str) -> serializers.IntegerField:
    help_text = f"{what} of the claim that stand in no source and not in the question."
    return serializers.IntegerField(required=False, min_value=0, help_text=help_text)


class Judgement(Schema):
    """What the judge says of a claim: three shares of 1, having read all the evidence at once."""

    entail = share("The evidence supports the claim, 0-1.")
    neutral = share("The evidence leaves it open, 0-1.")
    contradict = share("The evidence contradicts it, 0-1.")
    doubt = share("How surely nothing supports a word of the claim, 0-1.")
    evidence_read = share("Share of the evidence that was read, 0-1.")
    sentences = serializers.IntegerField(help_text="Sentences of the answer that were judged.")
    judge = serializers.CharField(help_text="The name of the model.")
    verbatim = serializers.BooleanField(
        help_text="Whether the claim stands word for word in a passage."
    )


class Coverage(Schema):
    """Shares (0-1) found in the passages; null where the claim has none to find."""

    entities = share("Of its names.", allow_null=True)
    numbers = share("Of its figures and dates.", allow_null=True)
    tokens_overlap = share("Of its words.")
    phrases = share(
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

    variance = share("Of their support for the claim.", allow_null=True)
    contradiction = share(
        "Mean of contradict / (entail + contradict), SelfCheckGPT's measure.",
        required=False,
        allow_null=True,
    )
    disagreement = share(
        "How far they fail to support the claim: mean of 1 - entail.",
        required=False,
        allow_null=True,
    )
    distance = share("Mean of 1 - cosine to the nearest sentence.", required=False, allow_null=True)
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
    share = share("Of the claim's words in it, 0-1.")
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
    citation_span_match = share("Of the claim in the sources it cites, 0-1.", allow_null=True)
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
    doubt = share(
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
