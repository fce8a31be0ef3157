"""The measurements of a submission: the signals of each claim and of the whole answer."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from analysis.engine.codec import decode, encode
from analysis.engine.safety.model import Referencing, Relevance, SearchedScope
from analysis.engine.types import (
    AnswerKind,
    Claim,
    ConflictKind,
    Document,
    EvidenceChunk,
    FindingKind,
    SignalStatus,
)
from lib.stats.odds import logit


class SignalName(StrEnum):
    """The names under which signal states are stored."""

    CLAIMS = "claims"
    OVERCONFIDENCE = "overconfidence"
    INTERNAL_CONTRADICTION = "internal_contradiction"
    GROUNDING = "grounding"
    JUDGE = "judge"
    RETRIEVAL = "retrieval"
    CONSISTENCY = "consistency"
    UNCERTAINTY = "uncertainty"
    CITATIONS = "citations"
    RELEVANCE = "relevance"


OPTIONAL_SIGNALS = frozenset(
    {
        SignalName.CONSISTENCY,
        SignalName.UNCERTAINTY,
        SignalName.CITATIONS,
        SignalName.RELEVANCE,
    }
)
"""Signals whose absence warns only if a policy requires them; that of any other always does."""
_EDGE = 0.005
"""A judge's probability is clipped to this distance from 0 and 1."""


@dataclass(frozen=True, slots=True)
class NliScores:
    """Three shares that add up to 1: the judge's, or by rules (lexical-1)."""

    entail: float
    contradict: float
    neutral: float


@dataclass(frozen=True, slots=True)
class Judgement:
    """The judge's shares for a claim, which add up to 1, after reading all evidence at once.

    `doubt` is the highest probability that nothing supports a word of the claim; `evidence_read`
    the share (0-1) of the evidence that was read; `kind` the kind of answer that contains the
    claim; `judge` the name of the model. `verbatim`: the claim occurs verbatim in a passage, which
    needs no model. `answer_odds`: the mean of the `odds` of all claims of the answer. `answering`:
    of a bare answer, the difference in log-odds (-4 to 4) by which the best passage with it answers
    the question better than the best one without; None if unknown, and for other claims.
    """

    entail: float
    neutral: float
    contradict: float
    doubt: float
    evidence_read: float
    kind: AnswerKind
    judge: str
    verbatim: bool = False
    answer_odds: float = 0.0
    answering: float | None = None

    @property
    def odds(self) -> float:
        """The log-odds that the claim is not entailed, between -5.3 and 5.3."""
        return logit(1 - self.entail, _EDGE)


@dataclass(frozen=True, slots=True)
class Coverage:
    """Shares (0-1) of the claim's names, figures and words found; None if it has none.

    `phrases` are pairs of adjacent content words, found in any source (after the extractive
    fragments of Grusky et al. 2018). `absent_figures` and `absent_names` count those in no source
    and not in the question. `of_record`: the most supporting passage is in a record (JSON).
    `nearness` is how near a bare answer is to the words of its question, 1 at the best place in the
    sources; None for other claims. `unknown_names` are its addresses, paths, functions and codes
    that neither a source nor the question has.
    """

    entities: float | None
    numbers: float | None
    tokens_overlap: float
    phrases: float | None = None
    absent_figures: int = 0
    absent_names: int = 0
    of_record: bool = False
    nearness: float | None = None
    unknown_names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Uncertainty:
    """The generator's uncertainty about a claim's `tokens`, in nats (natural logarithms).

    `mean_entropy` over the likeliest tokens at each position (None if those were not given), `nll`
    the mean negative log-likelihood, `max_nll` that of the least likely token.
    """

    mean_entropy: float | None = None
    nll: float | None = None
    max_nll: float | None = None
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Consistency:
    """The agreement of `samples` further answers with a claim, each number 0-1.

    `variance` of their support; `contradiction`, the mean of contradict / (entail + contradict)
    (SelfCheckGPT's measure); `disagreement`, the mean of 1 - entail; `distance`, the mean of 1 -
    cosine to the nearest sentence, None if it was not measured.
    """

    variance: float | None = None
    contradiction: float | None = None
    disagreement: float | None = None
    distance: float | None = None
    samples: int = 0


@dataclass(frozen=True, slots=True)
class Conflict:
    """One point in a passage that contradicts the claim, in words.

    `certain`: it decides whatever a model makes of the words.
    """

    kind: ConflictKind
    detail: str
    certain: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """One overconfident wording or internal contradiction, with its spans."""

    kind: FindingKind
    detail: str
    spans: tuple[tuple[int, int], ...]
    claim_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CitedSource:
    """A source that a claim cites: its number from 1, the share (0-1) of the claim's words in it.

    `leads`: it contains the passage that supports the claim most.
    """

    number: int
    share: float
    leads: bool


@dataclass(frozen=True, slots=True)
class VerifierSignal:
    """Everything measured for one claim (verifier API); None if a signal did not run.

    `nli` are the judge's shares, or if none read the claim, the scores of lexical-1; `lexical` are
    always the latter. `unsupported` are the words that the judge doubts as (start, end,
    probability) in the answer.

    `cited` are the sources that the claim cites (1-based), `cited_missing` those of them that do
    not exist, `citation_span_match` the share of the claim's words in the cited ones.
    `cited_sources` are those that exist, `cited_scores` their scores for the claim without the
    other sources, by lexical-1; None if it cites none or the comparison was cut off.

    `doc_id` and `sent_id` name the passage with the strongest score, for or against. `supported_by`
    and `contradicted_by` name the strongest passage of either side, `candidates` those that were
    considered, best first.
    """

    signal_id: str
    claim_id: str
    doc_id: str | None
    sent_id: int | None
    nli: NliScores | None
    coverage: Coverage | None
    uncertainty: Uncertainty | None
    consistency: Consistency | None
    citation_span_match: float | None
    numeric_check: bool | None
    supported_by: str | None
    contradicted_by: str | None
    conflicts: tuple[Conflict, ...]
    overconfidence: tuple[Finding, ...]
    contradictions: tuple[Finding, ...]
    checkable: bool
    checked: bool
    lexical: NliScores | None = None
    unsupported: tuple[tuple[int, int, float], ...] = ()
    candidates: tuple[str, ...] = ()
    cited: tuple[int, ...] = ()
    cited_missing: tuple[int, ...] = ()
    disputed: bool = False
    judgement: Judgement | None = None
    cited_sources: tuple[CitedSource, ...] = ()
    cited_scores: NliScores | None = None


@dataclass(frozen=True, slots=True)
class JudgeUse:
    """The number of claims that one judge decided, and the cost.

    `unavailable` are the claims that it should have decided and left to others. `calls` and
    `tokens` are those of language models; tokens as the endpoint reports, or estimated.
    """

    judge: str
    decided: int
    unavailable: int = 0
    calls: int = 0
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class SignalState:
    """The state of a signal: status, reason, model, and duration in milliseconds.

    `judges`: for the judge's signal, who decided how many claims at what cost.
    """

    status: SignalStatus
    reason: str
    model: str
    ms: float
    judges: tuple[JudgeUse, ...] = ()


@dataclass(frozen=True, slots=True)
class FlaggedPassage:
    """A passage of a source, code points [start, end), that reads like an order to a model."""

    doc_id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Measurement:
    """All that was measured of one submission: the only input of `decide` beside the policy.

    `documents` are the client's sources in order, where the answer has citations to number them;
    `samples_drawn` the further answers that the generator was asked for, not those of the client.
    `relevance` (None without sources or claims) and `referencing` are what the safety checks go
    by; `referencing` is None where the answer could not be read, and there is no safety result.
    `unread` says that the answer has text which is neither a claim nor small talk: a title, code,
    a word or two. `other_languages` are those besides English that the texts are surely in.
    `cautions` are those of the submission. `asides` are short sentences behind a claim of which no
    source says anything, and which may take it back. `unknown_names` are names in the answer's tool
    calls that nobody wrote.
    """

    engine_version: str
    claims: tuple[Claim, ...]
    evidence: tuple[EvidenceChunk, ...]
    signals: tuple[VerifierSignal, ...]
    states: dict[str, SignalState]
    overconfidence: tuple[Finding, ...]
    contradictions: tuple[Finding, ...]
    answer_length: int
    source_count: int | None
    documents: tuple[Document, ...] = ()
    samples_drawn: tuple[str, ...] = ()
    relevance: Relevance | None = None
    referencing: Referencing | None = None
    scope: SearchedScope | None = None
    unread: bool = False
    injection: tuple[FlaggedPassage, ...] = ()
    other_languages: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()
    asides: tuple[str, ...] = ()
    unknown_names: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        data: dict[str, Any] = encode(self)
        return data

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Measurement":
        """Parse the measurement that `to_json` wrote. Raises CodecError naming the path."""
        return decode(cls, data)
