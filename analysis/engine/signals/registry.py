"""Registers every signal with its model, its needs and its function."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

from analysis.engine.claims.reading import Reading
from analysis.engine.safety.model import Relevance
from analysis.engine.signal_types import Consistency, Finding, SignalName, SignalState, Uncertainty
from analysis.engine.signals import (
    citation_integrity,
    consistency,
    contradiction,
    grounding,
    judgement,
    overconfidence,
    relevance,
    uncertainty,
)
from analysis.engine.signals.citation_integrity import ClaimCitations
from analysis.engine.signals.consistency import Embedder, SampleReader
from analysis.engine.signals.evidence_bundle import sides
from analysis.engine.signals.grounding import Grounded
from analysis.engine.signals.judgement import AnswerReading
from analysis.engine.signals.runner import Limit, SignalResult
from analysis.engine.types import SignalStatus, Submission
from inference.judge.types import Judge

RULES_MODEL = "rules-1"
CONFIGURED = ""
"""In place of a model's name: that of the configured judge."""


@dataclass(slots=True)
class SignalValues:
    """The signals' values by name; per claim if a tuple may contain None.

    Filled in as the signals run.
    """

    overconfidence: tuple[Finding, ...] | None = None
    internal_contradiction: tuple[Finding, ...] | None = None
    grounding: Grounded | None = None
    judge: AnswerReading | None = None
    uncertainty: tuple[Uncertainty | None, ...] | None = None
    consistency: tuple[Consistency | None, ...] | None = None
    citations: tuple[ClaimCitations | None, ...] | None = None
    relevance: Relevance | None = None


@dataclass(frozen=True, slots=True)
class SignalContext:
    """The input of a signal; `values` and `states` are those of the signals before it.

    Both are filled in as the signals run: a copy for each signal took a tenth of the time of a
    short answer.
    """

    submission: Submission
    reading: Reading
    embedder: Embedder | None = None
    judge: Judge | None = None
    sample_reader: SampleReader = field(default_factory=SampleReader)
    limit: Limit | None = None
    values: SignalValues = field(default_factory=SignalValues)
    states: dict[str, SignalState] = field(default_factory=dict)


class Need(Enum):
    """A need of a signal; the value is the reason if it is not met."""

    CLAIMS = "The answer makes no claim that can be checked"
    SOURCES = "No sources were given"
    GROUNDING = "see the status of grounding"
    JUDGE = "No judge is configured; the rules decide"
    LOGPROBS = "No token log-probabilities were given"
    SAMPLES = "No other samples of the answer were given or requested"


class Place(Enum):
    """The place where a signal's value is stored: under its name, or in parts by `measurement`."""

    OF_CLAIM = auto()
    """A field of `VerifierSignal`; the value is a tuple, one for each claim."""
    OF_ANSWER = auto()
    """A field of `Measurement`."""
    IN_PARTS = auto()


@dataclass(frozen=True, slots=True)
class Signal:
    """One kind of measurement. `name` is a field of `SignalValues`, `model` its model.

    `measure` may raise: the runner states the failure. A value for each claim or for the answer is
    stored in the field with the signal's name.
    """

    name: SignalName
    model: str
    needs: tuple[Need, ...]
    measure: Callable[[SignalContext], SignalResult[Any]]
    place: Place = Place.IN_PARTS


_IS_MET: dict[Need, Callable[[SignalContext], bool]] = {
    Need.CLAIMS: lambda context: bool(context.reading.statements),
    Need.SOURCES: lambda context: context.submission.sources is not None,
    Need.GROUNDING: lambda context: context.values.grounding is not None,
    Need.JUDGE: lambda context: context.judge is not None,
    Need.LOGPROBS: lambda context: context.submission.token_logprobs is not None,
    Need.SAMPLES: lambda context: bool(context.submission.samples),
}


def missing_need(signal: Signal, context: SignalContext) -> Need | None:
    """Return the first need that is not met."""
    return next((need for need in signal.needs if not _IS_MET[need](context)), None)


def _overconfidence(context: SignalContext) -> SignalResult[tuple[Finding, ...]]:
    return SignalResult(overconfidence.findings(context.reading))


def _internal_contradiction(context: SignalContext) -> SignalResult[tuple[Finding, ...]]:
    return SignalResult(contradiction.findings(context.reading))


def _grounding(context: SignalContext) -> SignalResult[Grounded]:
    sources = context.submission.sources or ()
    grounded = grounding.ground(context.reading, context.submission.query, sources)
    status = SignalStatus.TRUNCATED if grounded.cut else SignalStatus.OK
    return SignalResult(grounded, status, grounded.cut)


def _judgement(context: SignalContext) -> SignalResult[AnswerReading]:
    grounded, judge = context.values.grounding, context.judge
    if grounded is None or judge is None:
        raise ValueError("the judge needs grounding and a model")
    query, seconds = context.submission.query, judgement.MOST_SECONDS
    if context.limit is not None:
        seconds = min(seconds, context.limit.seconds_for_models())
    result = judgement.judge_claims(context.reading, query, grounded, judge, seconds)
    status = SignalStatus.TRUNCATED if result.cut else SignalStatus.OK
    reason = "; ".join(filter(None, (result.cut, result.note)))
    return SignalResult(result, status, reason, judge.model_id, result.judges)


def _uncertainty(context: SignalContext) -> SignalResult[tuple[Uncertainty | None, ...]]:
    claims = [statement.claim for statement in context.reading.statements]
    return uncertainty.measure(context.reading.text, claims, context.submission.token_logprobs)


def _consistency(context: SignalContext) -> SignalResult[tuple[Consistency | None, ...]]:
    query, samples = context.submission.query, context.submission.samples
    reader, embedder = context.sample_reader, context.embedder
    return consistency.measure(context.reading, query, samples, reader, embedder)


def _citations(context: SignalContext) -> SignalResult[tuple[ClaimCitations | None, ...]]:
    grounded, judgements = context.values.grounding, context.values.judge
    reading, query = context.reading, context.submission.query
    empty = [None] * len(reading.statements)
    if grounded is None:
        return citation_integrity.measure(reading, query, None, empty)
    rows = zip(grounded.claims, judgements.claims if judgements else empty, strict=True)
    supporting = (sides(*row)[0] for row in rows)
    passages = grounded.corpus.passages
    leading = [None if at is None else passages[at].source for at in supporting]
    return citation_integrity.measure(reading, query, grounded.corpus, leading)


def _relevance(context: SignalContext) -> SignalResult[Relevance]:
    grounded = context.values.grounding
    if grounded is None:
        raise ValueError("relevance needs grounding")
    query, corpus = context.submission.query, grounded.corpus
    if not query.strip():
        # The safety checks still need to know whether a search ran, and how long its passages are.
        by_length = relevance.measure("", corpus)
        return SignalResult(by_length, SignalStatus.NOT_APPLICABLE, relevance.NO_QUERY)
    return SignalResult(relevance.measure(query, corpus, context.submission.answer))


SIGNALS: tuple[Signal, ...] = (
    Signal(SignalName.OVERCONFIDENCE, RULES_MODEL, (), _overconfidence),
    Signal(SignalName.INTERNAL_CONTRADICTION, RULES_MODEL, (), _internal_contradiction),
    Signal(SignalName.GROUNDING, grounding.MODEL, (Need.CLAIMS, Need.SOURCES), _grounding),
    Signal(SignalName.JUDGE, CONFIGURED, (Need.GROUNDING, Need.JUDGE), _judgement),
    Signal(
        SignalName.UNCERTAINTY, uncertainty.MODEL, (Need.LOGPROBS,), _uncertainty, Place.OF_CLAIM
    ),
    Signal(SignalName.CONSISTENCY, CONFIGURED, (Need.SAMPLES,), _consistency, Place.OF_CLAIM),
    Signal(SignalName.CITATIONS, citation_integrity.MODEL, (), _citations),
    Signal(SignalName.RELEVANCE, relevance.MODEL, (Need.GROUNDING,), _relevance, Place.OF_ANSWER),
)
"""In the order in which they run: a signal sees the values of those before it."""
