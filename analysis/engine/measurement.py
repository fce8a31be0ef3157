"""Everything measured of a submission, once. A signal that fails is stated, the others run."""

from dataclasses import dataclass

from analysis.engine.claims.extraction import Reading, Statement, read
from analysis.engine.safety.checks import Relevance
from analysis.engine.signals import (
    citation_coverage,
    citation_integrity,
    consistency,
    contradiction,
    entailment,
    grounding,
    overconfidence,
    relevance,
    uncertainty,
)
from analysis.engine.signals.citation_integrity import Cited
from analysis.engine.signals.consistency import Embedder
from analysis.engine.signals.entailment import Entailed, Model, Read
from analysis.engine.signals.evidence_bundle import Names, documents, evidence_of, sides
from analysis.engine.signals.grounding import Grounded, Grounding
from analysis.engine.signals.runner import States, report, run
from analysis.engine.types import (
    Consistency,
    Finding,
    Measurement,
    NliScores,
    Signal,
    SignalState,
    SignalStatus,
    Source,
    Submission,
    Uncertainty,
    VerifierSignal,
)

ENGINE_VERSION = "2.0.0"
RULES_MODEL = "rules-1"
NOTHING = "The answer makes no checkable claim"
NO_SOURCES = "No sources were given"
NO_MODEL = "No model of entailment is configured; the scores of lexical-1 stand"


def measure(
    submission: Submission, model: Model | None = None, embedder: Embedder | None = None
) -> Measurement:
    """Run every signal on the submission. Raises TypeError for an answer that is no string.

    `model` judges entailment; without one the scores by rules stand, and the result says so.
    `embedder` measures how far samples are from the claims; without one nothing does.
    """
    _check_types(submission)
    answer, states = submission.answer, States()
    reading = run(states, Signal.CLAIMS, RULES_MODEL, lambda: read(answer, submission.query))
    if reading is None:
        return _unread(answer, submission.sources, states)
    if reading.code_lines:
        ms = states[Signal.CLAIMS.value].ms
        states[Signal.CLAIMS.value] = _code_unread(reading.code_lines, ms)
    overconfident = run(
        states, Signal.OVERCONFIDENCE, RULES_MODEL, lambda: overconfidence.findings(reading)
    )
    against = run(
        states, Signal.INTERNAL_CONTRADICTION, RULES_MODEL, lambda: contradiction.findings(reading)
    )
    grounded = _ground(states, reading, submission)
    entailed = _entail(states, reading, submission.query, grounded, model)
    given = _given(states, reading, submission, grounded, model, embedder)
    relevant = _relevance(states, submission.query, grounded)
    _mark_idle(states, reading, overconfident or ())
    found = _Found(overconfident or (), against or (), grounded, entailed, given, relevant)
    return _assemble(submission, reading, states, found)


def _check_types(submission: Submission) -> None:
    if not isinstance(submission.answer, str) or not isinstance(submission.query, str):
        raise TypeError("answer and query must be strings")


def _ground(states: States, reading: Reading, submission: Submission) -> Grounded | None:
    sources = submission.sources
    if sources is None or not reading.statements:
        reason = NO_SOURCES if reading.statements else NOTHING
        states[Signal.GROUNDING.value] = SignalState(SignalStatus.NOT_APPLICABLE, reason, "", 0.0)
        return None
    query, model = submission.query, grounding.MODEL
    found = run(states, Signal.GROUNDING, model, lambda: grounding.ground(reading, query, sources))
    if found and found.cut:
        ms = states[Signal.GROUNDING.value].ms
        states[Signal.GROUNDING.value] = SignalState(SignalStatus.TRUNCATED, found.cut, model, ms)
    return found


def _entail(
    states: States,
    reading: Reading,
    query: str,
    grounded: Grounded | None,
    model: Model | None,
) -> Read | None:
    if grounded is None:
        cause = states[Signal.GROUNDING.value]
        idle = cause.status is SignalStatus.NOT_APPLICABLE
        status = SignalStatus.NOT_APPLICABLE if idle else SignalStatus.UNAVAILABLE
        states[Signal.NLI.value] = SignalState(status, cause.reason, "", 0.0)
        return None
    if model is None:
        states[Signal.NLI.value] = SignalState(
            SignalStatus.NOT_APPLICABLE, NO_MODEL, grounding.MODEL, 0.0
        )
        return None
    name = run(states, Signal.NLI, "", lambda: model.model_id) or ""
    if not name:
        return None
    corpus = grounded.corpus
    copied = entailment.copied(reading, grounded)
    found = run(
        states,
        Signal.NLI,
        name,
        lambda: entailment.entail(reading, query, corpus, model, copied=copied),
    )
    if found and (found.cut or found.told):
        status = SignalStatus.TRUNCATED if found.cut else SignalStatus.OK
        reason = "; ".join(filter(None, (found.cut, found.told)))
        states[Signal.NLI.value] = SignalState(status, reason, name, states[Signal.NLI.value].ms)
    return found


def _relevance(states: States, query: str, grounded: Grounded | None) -> Relevance | None:
    name = Signal.RELEVANCE
    if grounded is None or not query.strip():
        cause = states[Signal.GROUNDING.value].reason if grounded is None else relevance.NO_QUERY
        states[name.value] = SignalState(SignalStatus.NOT_APPLICABLE, cause, "", 0.0)
    if grounded is None:
        return None
    if not query.strip():
        return relevance.measure("", grounded.corpus)
    return run(states, name, relevance.MODEL, lambda: relevance.measure(query, grounded.corpus))


@dataclass(frozen=True, slots=True)
class _Given:
    """What was measured of one claim by what the client gave beside its sources."""

    uncertainty: Uncertainty | None
    consistency: Consistency | None
    cited: Cited | None


def _given(
    states: States,
    reading: Reading,
    submission: Submission,
    grounded: Grounded | None,
    model: Model | None,
    embedder: Embedder | None,
) -> tuple[_Given, ...]:
    claims = [statement.claim for statement in reading.statements]
    corpus = grounded.corpus if grounded else None
    parts = (
        report(
            states,
            Signal.UNCERTAINTY,
            len(claims),
            lambda: uncertainty.measure(reading.text, claims, submission.token_logprobs),
        ),
        report(
            states,
            Signal.CONSISTENCY,
            len(claims),
            lambda: consistency.measure(
                reading, submission.query, submission.samples, model, embedder
            ),
        ),
        report(
            states,
            Signal.CITATIONS,
            len(claims),
            lambda: citation_integrity.measure(reading, corpus),
        ),
    )
    return tuple(_Given(*part) for part in zip(*parts, strict=True))


def _mark_idle(states: States, reading: Reading, overconfident: tuple[Finding, ...]) -> None:
    """Where there is nothing to check, the signals did not apply; that is not the same as OK."""
    if reading.statements or overconfident:
        return
    for name, state in states.items():
        if state.status is SignalStatus.OK:
            states[name] = SignalState(SignalStatus.NOT_APPLICABLE, NOTHING, state.model, state.ms)


def _code_unread(lines: int, ms: float) -> SignalState:
    told = "1 line of code was" if lines == 1 else f"{lines} lines of code were"
    return SignalState(SignalStatus.TRUNCATED, f"{told} not checked", RULES_MODEL, ms)


def _unread(answer: str, sources: tuple[Source, ...] | None, states: States) -> Measurement:
    """The outcome where the answer could not even be taken apart: nothing is known."""
    reason = "The claims could not be extracted"
    for signal in Signal:
        states.setdefault(signal.value, SignalState(SignalStatus.UNAVAILABLE, reason, "", 0.0))
    count = None if sources is None else len(sources)
    return Measurement(ENGINE_VERSION, (), (), (), states, (), (), len(answer), count)


@dataclass(frozen=True, slots=True)
class _Found:
    """What the signals found, before it is told by claim."""

    overconfident: tuple[Finding, ...]
    against: tuple[Finding, ...]
    grounded: Grounded | None
    entailed: Read | None
    given: tuple[_Given, ...]
    relevant: Relevance | None


def _assemble(
    submission: Submission, reading: Reading, states: States, found: _Found
) -> Measurement:
    statements, grounded = reading.statements, found.grounded
    none = (None,) * len(statements)
    results = grounded.claims if grounded else none
    entailed = found.entailed.claims if found.entailed else none
    spared = _spared(found.entailed, len(statements))
    names = Names(grounded.corpus) if grounded else None
    parts = list(zip(statements, results, entailed, spared, found.given, strict=True))
    of_claim = _by_claim(found.overconfident), _by_claim(found.against)
    return Measurement(
        engine_version=ENGINE_VERSION,
        claims=tuple(statement.claim for statement in statements),
        evidence=evidence_of(results, entailed, names) if names else (),
        signals=tuple(_signal(*part, names, *of_claim) for part in parts),
        states=states,
        overconfidence=found.overconfident,
        contradictions=found.against,
        answer_length=len(submission.answer),
        source_count=None if submission.sources is None else len(submission.sources),
        documents=documents(submission),
        relevance=found.relevant,
        referencing=citation_coverage.measure(reading),
        unread=reading.unread,
    )


def _spared(read: Read | None, count: int) -> list[str]:
    """By claim, the model that did not need to read it, "" where there is none."""
    return [read.by if read and at in read.spared else "" for at in range(count)]


def _by_claim(findings: tuple[Finding, ...]) -> dict[str, tuple[Finding, ...]]:
    found: dict[str, tuple[Finding, ...]] = {}
    for finding in findings:
        for claim_id in finding.claim_ids:
            found[claim_id] = (*found.get(claim_id, ()), finding)
    return found


def _signal(
    item: Statement,
    result: Grounding | None,
    entailed: Entailed | None,
    spared_by: str,
    given: _Given,
    names: Names | None,
    overconfident: dict[str, tuple[Finding, ...]],
    against: dict[str, tuple[Finding, ...]],
) -> VerifierSignal:
    claim_id = item.claim.claim_id
    support, contradict = sides(result, entailed)
    lexical = _nli(result) if result else None
    nli = _scores(entailed) if entailed else lexical
    leading = contradict if nli and nli.contradict > nli.entail else support
    passage = names.corpus.passages[leading] if names and leading is not None else None
    return VerifierSignal(
        signal_id=f"sig_{claim_id}" + (f"_{passage.sent_id}" if passage else ""),
        claim_id=claim_id,
        doc_id=names.docs[passage.source] if names and passage else None,
        sent_id=passage.sent_id if passage else None,
        nli=nli,
        coverage=result.coverage if result else None,
        uncertainty=given.uncertainty,
        consistency=given.consistency,
        citation_span_match=given.cited.match if given.cited else None,
        numeric_check=result.figures_agree if result else None,
        supported_by=names.ref(support) if names else None,
        contradicted_by=names.ref(contradict) if names else None,
        conflicts=result.conflicts if result else (),
        overconfidence=overconfident.get(claim_id, ()),
        contradictions=against.get(claim_id, ()),
        checkable=result.checkable if result else True,
        checked=result is not None,
        lexical=lexical,
        doubt=entailed.doubt if entailed else None,
        unsupported=entailed.words if entailed else (),
        candidates=_candidates(result, names),
        cited=given.cited.numbers if given.cited else (),
        cited_missing=given.cited.missing if given.cited else (),
        judged_by=entailed.by if entailed else "",
        spared_by=spared_by,
    )


def _candidates(result: Grounding | None, names: Names | None) -> tuple[str, ...]:
    found = [names.ref(index) for index, _ in result.ranked] if result and names else []
    return tuple(ref for ref in found if ref is not None)


def _scores(entailed: Entailed) -> NliScores:
    return NliScores(entailed.entail, entailed.contradict, entailed.neutral)


def _nli(result: Grounding) -> NliScores:
    entail, contradict = round(result.support, 4), round(result.contradict, 4)
    total = entail + contradict
    return NliScores(entail, contradict, round(max(0.0, 1 - total), 4))
