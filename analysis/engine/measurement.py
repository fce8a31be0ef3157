"""Measures everything about a submission, once. A failed signal is stated, others run."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from msgspec import Struct

from analysis.engine.claims.extraction import MOST_CLAIMS, read
from analysis.engine.claims.reading import Reading, Statement
from analysis.engine.signal_types import (
    Finding,
    FlaggedPassage,
    Measurement,
    NliScores,
    SignalName,
    SignalState,
    VerifierSignal,
)
from analysis.engine.signals import citation_integrity, grounding
from analysis.engine.signals.citation_integrity import ClaimCitations
from analysis.engine.signals.consistency import Embedder, SampleReader
from analysis.engine.signals.evidence_bundle import Names, documents, evidence_of, sides, unique
from analysis.engine.signals.grounding import Grounding
from analysis.engine.signals.judgement import ClaimReading
from analysis.engine.signals.registry import (
    RULES_MODEL,
    SIGNALS,
    Need,
    Place,
    Signal,
    SignalContext,
    SignalValues,
    missing_need,
)
from analysis.engine.signals.runner import Limit, SignalResult, run
from analysis.engine.types import SignalStatus, Submission
from inference.judge.types import Judge

ENGINE_VERSION = "3.18.0"
T = TypeVar("T")
States = dict[str, SignalState]


def measure(
    submission: Submission,
    embedder: Embedder | None = None,
    most_claims: int = MOST_CLAIMS,
    judge: Judge | None = None,
    limit: Limit | None = None,
    sample_judge: Judge | None = None,
) -> Measurement:
    """Run every signal on the submission. Raises TypeError for a non-string answer.

    `judge` reads all claims against all evidence; without it the rules' scores stand, and the
    result says so. `sample_judge` compares claims with samples; without one the rules do.
    `embedder` measures the distance between samples and claims, if given. Claims beyond
    `most_claims` are counted and not checked, as the claims' state says. Signals that `limit`
    leaves no time for are truncated; the others stand.
    """
    if not isinstance(submission.answer, str) or not isinstance(submission.query, str):
        raise TypeError("answer and query must be strings")
    reading, state = run(
        SignalName.CLAIMS, RULES_MODEL, lambda: _read(submission, most_claims), limit
    )
    states = {SignalName.CLAIMS.value: state}
    if reading is None:
        return _unreadable(submission, states)
    sample_reader = SampleReader(sample_judge)
    context = SignalContext(
        submission, reading, embedder, judge, sample_reader, limit, states=states
    )
    for signal in SIGNALS:
        _add(context, signal)
    _mark_idle(states, reading, context.values.overconfidence or ())
    return _assemble(submission, reading, states, context.values)


def _read(submission: Submission, most: int) -> SignalResult[Reading]:
    """Return the answer as claims; code and claims past the limit are only counted."""
    reading = read(submission.answer, submission.query, most)
    left_out, lines = list[str](), reading.code_lines
    if lines:
        count = "1 line of code was" if lines == 1 else f"{lines} lines of code were"
        left_out.append(f"{count} not checked")
    if reading.beyond:
        left_out.append(f"{reading.beyond} claims beyond the first {most} were not checked")
    status = SignalStatus.TRUNCATED if left_out else SignalStatus.OK
    return SignalResult(reading, status, "; ".join(left_out))


def _add(context: SignalContext, signal: Signal) -> None:
    """Add the value and state of one more signal to the context."""
    name, need = signal.name.value, missing_need(signal, context)
    if need is not None:
        context.states[name] = _state_without(need, context)
        return
    value, state = run(signal.name, signal.model, lambda: signal.measure(context), context.limit)
    setattr(context.values, name, value)
    context.states[name] = state


def _state_without(need: Need, context: SignalContext) -> SignalState:
    """Return the state of a signal that lacks something it needs."""
    if need is not Need.GROUNDING:
        return SignalState(SignalStatus.NOT_APPLICABLE, need.value, "", 0.0)
    cause = context.states[SignalName.GROUNDING.value]
    idle = cause.status is SignalStatus.NOT_APPLICABLE
    status = SignalStatus.NOT_APPLICABLE if idle else SignalStatus.UNAVAILABLE
    return SignalState(status, cause.reason, "", 0.0)


def _mark_idle(states: States, reading: Reading, overconfident: tuple[Finding, ...]) -> None:
    """Set signals without anything to check to not applicable, which differs from OK."""
    if reading.statements or overconfident:
        return
    for name, state in states.items():
        if state.status is SignalStatus.OK:
            reason = Need.CLAIMS.value
            states[name] = replace(state, status=SignalStatus.NOT_APPLICABLE, reason=reason)


def _unreadable(submission: Submission, states: States) -> Measurement:
    """Return the measurement of an answer whose claims could not be extracted."""
    reason = "The claims could not be extracted"
    for name in SignalName:
        states.setdefault(name.value, SignalState(SignalStatus.UNAVAILABLE, reason, "", 0.0))
    sources = submission.sources
    count = None if sources is None else len(sources)
    return Measurement(ENGINE_VERSION, (), (), (), states, (), (), len(submission.answer), count)


class _ClaimValues(Struct, frozen=True, gc=False):
    """The signals' measurements of one claim."""

    statement: Statement
    grounding: Grounding | None
    reading: ClaimReading | None
    cited: ClaimCitations | None
    by_signal: dict[str, Any]


def _assemble(
    submission: Submission, reading: Reading, states: States, values: SignalValues
) -> Measurement:
    statements, grounded = reading.statements, values.grounding
    results = _per_claim(grounded.claims if grounded else None, statements)
    readings = _per_claim(values.judge.claims if values.judge else None, statements)
    names = Names(grounded.corpus) if grounded else None
    rows = map(
        _ClaimValues,
        statements,
        results,
        readings,
        _per_claim(values.citations, statements),
        _by_signal_of_claims(values, statements),
    )
    overconfident, against = values.overconfidence or (), values.internal_contradiction or ()
    sources = submission.sources or ()
    named_sources = zip(unique([source.source_id for source in sources]), sources, strict=True)
    flagged = (
        FlaggedPassage(name, *span) for name, source in named_sources for span in source.flagged
    )
    findings = _by_claim(overconfident), _by_claim(against)
    return Measurement(
        engine_version=ENGINE_VERSION,
        claims=tuple(statement.claim for statement in statements),
        evidence=evidence_of(results, readings, names) if names else (),
        signals=tuple(_signal(row, names, *findings) for row in rows),
        states=states,
        overconfidence=overconfident,
        contradictions=against,
        answer_length=len(submission.answer),
        source_count=None if submission.sources is None else len(submission.sources),
        documents=documents(submission),
        referencing=citation_integrity.referencing_of(reading),
        unread=reading.unread,
        injection=tuple(flagged),
        cautions=submission.cautions,
        asides=grounded.asides if grounded else (),
        **{name: getattr(values, name) for name in _signals_in(Place.OF_ANSWER)},
    )


def _signals_in(place: Place) -> list[str]:
    return [signal.name.value for signal in SIGNALS if signal.place is place]


def _by_signal_of_claims(
    values: SignalValues, statements: Sequence[Statement]
) -> Iterator[dict[str, Any]]:
    """Yield for each claim the values that are stored by their signals' names."""
    names = _signals_in(Place.OF_CLAIM)
    columns = [_per_claim(getattr(values, name), statements) for name in names]
    for index in range(len(statements)):
        yield {name: column[index] for name, column in zip(names, columns, strict=True)}


def _per_claim(
    values: Sequence[T | None] | None, statements: Sequence[Statement]
) -> Sequence[T | None]:
    """Return one value for each claim, None if the signal has none."""
    return values or [None] * len(statements)


def _by_claim(findings: tuple[Finding, ...]) -> dict[str, tuple[Finding, ...]]:
    by_claim: dict[str, tuple[Finding, ...]] = {}
    for finding in findings:
        for claim_id in finding.claim_ids:
            by_claim[claim_id] = (*by_claim.get(claim_id, ()), finding)
    return by_claim


def _signal(
    of: _ClaimValues,
    names: Names | None,
    overconfident: dict[str, tuple[Finding, ...]],
    against: dict[str, tuple[Finding, ...]],
) -> VerifierSignal:
    claim_id = of.statement.claim.claim_id
    result, reading, cited_sources = of.grounding, of.reading, of.cited
    ranked = [index for index, _ in result.ranked] if result else []
    support, contradict = sides(result, reading)
    nli = lexical = grounding.scores_of(result) if result else None
    if reading:
        judge = reading.judgement
        nli = NliScores(judge.entail, judge.contradict, judge.neutral)
    leading = contradict if nli and nli.contradict > nli.entail else support
    passage = names.corpus.passages[leading] if names and leading is not None else None
    return VerifierSignal(
        signal_id=f"sig_{claim_id}" + (f"_{passage.sent_id}" if passage else ""),
        claim_id=claim_id,
        doc_id=names.docs[passage.source] if names and passage else None,
        sent_id=passage.sent_id if passage else None,
        nli=nli,
        coverage=result.coverage if result else None,
        citation_span_match=cited_sources.match if cited_sources else None,
        numeric_check=result.figures_agree if result else None,
        supported_by=names.ref(support) if names else None,
        contradicted_by=names.ref(contradict) if names else None,
        conflicts=result.conflicts if result else (),
        overconfidence=overconfident.get(claim_id, ()),
        contradictions=against.get(claim_id, ()),
        checkable=result.checkable if result else True,
        checked=result is not None,
        lexical=lexical,
        unsupported=reading.words if reading else (),
        candidates=tuple(filter(None, map(names.ref, ranked))) if names else (),
        cited=cited_sources.numbers if cited_sources else (),
        cited_missing=cited_sources.missing if cited_sources else (),
        disputed=result.disputed if result else False,
        judgement=reading.judgement if reading else None,
        cited_sources=cited_sources.sources if cited_sources else (),
        cited_scores=cited_sources.scores if cited_sources else None,
        **of.by_signal,
    )
