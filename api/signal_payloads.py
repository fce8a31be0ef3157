"""Everything measured for one claim, as schema components that explain the engine's members."""

from accounts.components import component
from analysis.engine import signal_types as engine

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
