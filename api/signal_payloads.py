"""Everything measured for one claim, as schema components: the engine's members, explained."""

from accounts.components import component
from analysis.engine import signal_types as engine

_ABSENT = "of the claim that stand in no source and not in the question."

NliScores = component(engine.NliScores, "Three shares of a claim against its passages, each 0-1.")
Judgement = component(
    engine.Judgement,
    "What the judge says of a claim: three shares of 1, having read all the evidence at once.",
    whole=True,
    entail="The evidence supports the claim, 0-1.",
    neutral="The evidence leaves it open, 0-1.",
    contradict="The evidence contradicts it, 0-1.",
    doubt="How surely nothing supports a word of the claim, 0-1.",
    evidence_read="Share of the evidence that was read, 0-1.",
    sentences="Sentences of the answer that were judged.",
    judge="The name of the model.",
    verbatim="Whether the claim stands word for word in a passage.",
    words="Words of the sentence that was judged.",
)
Coverage = component(
    engine.Coverage,
    "Shares (0-1) found in the passages; null where the claim has none to find.",
    entities="Of its names.",
    numbers="Of its figures and dates.",
    tokens_overlap="Of its words.",
    phrases="Of its pairs of neighbouring words, in any source.",
    absent_figures=f"Figures {_ABSENT}",
    absent_names=f"Names {_ABSENT}",
    of_record="Whether the passage that supports most stands in a record (JSON).",
)
Uncertainty = component(
    engine.Uncertainty,
    "From the token log-probabilities that came with the answer.",
    required=["mean_entropy"],
    mean_entropy="In nats, over the likeliest tokens in each place.",
    nll="Mean negative log-likelihood a token, in nats.",
    max_nll="Of the least likely token, in nats.",
    tokens="Tokens the claim was written in.",
)
Consistency = component(
    engine.Consistency,
    "From further answers to the same question.",
    required=["variance"],
    variance="Of their support for the claim.",
    contradiction="Mean of contradict / (entail + contradict), SelfCheckGPT's measure.",
    disagreement="How far they fail to support the claim: mean of 1 - entail.",
    distance="Mean of 1 - cosine to the nearest sentence.",
    samples="How many were compared.",
)
Conflict = component(
    engine.Conflict,
    "One thing in a passage that speaks against the claim.",
    required=["kind", "detail"],
    certain="Whether it decides by itself, whatever a model makes of the words.",
)
Finding = component(
    engine.Finding, "One wording that is too sure, or one contradiction within the answer."
)
CitedSource = component(
    engine.CitedSource,
    "A source that a claim cites.",
    number="Among the sources, from 1.",
    share="Of the claim's words in it, 0-1.",
    leads="Whether it holds the passage that supports the claim most.",
)
VerifierSignal = component(
    engine.VerifierSignal,
    "Everything measured for one claim; null where a signal did not run.",
    required=[
        "claim_id", "doc_id", "sent_id", "nli", "coverage", "uncertainty", "consistency",
        "citation_span_match", "numeric_check",
    ],
    citation_span_match="Of the claim in the sources it cites, 0-1.",
    numeric_check="Whether every figure was found; null where it has none.",
    cited="The sources that the claim cites, counted from 1.",
    cited_missing="Those of them that do not exist.",
    cited_scores="What the cited sources say of the claim by themselves, model `lexical-1`.",
    lexical="The scores by rules, model `lexical-1`.",
    judged_by="The model of entailment that read the claim, if one did.",
    judgement="What the judge says, having read all the evidence; null where none did.",
    disputed="Whether one source supports the claim and another contradicts it.",
    unsupported="Words that the judge doubts: start and end in the answer, and how surely.",
)  # fmt: skip
