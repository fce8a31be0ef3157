"""The safety API's "I don't know": five checks of what was found and what was answered.

A pure function of measured facts and thresholds. All failed checks are reported; the primary
reason is the most specific one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class SafetyCheck(StrEnum):
    """The five checks, in the order of the safety API."""

    RETRIEVAL_CONFIDENCE = "retrieval_confidence"
    CONTEXT_SUFFICIENCY = "context_sufficiency"
    TOPIC_RELEVANCE = "topic_relevance"
    CITATIONS = "citations"
    GROUNDING = "grounding"


class RejectionReason(StrEnum):
    """The safety API's eight reasons."""

    LOW_CONFIDENCE = "low_confidence"
    INSUFFICIENT_CONTEXT = "insufficient_context"
    MISSING_CITATIONS = "missing_citations"
    INVALID_CITATIONS = "invalid_citations"
    OFF_TOPIC = "off_topic"
    LOW_GROUNDING = "low_grounding"
    HALLUCINATION_DETECTED = "hallucination_detected"
    MULTIPLE_ISSUES = "multiple_issues"


MOST_SPECIFIC_FIRST = (
    RejectionReason.INSUFFICIENT_CONTEXT,
    RejectionReason.OFF_TOPIC,
    RejectionReason.LOW_CONFIDENCE,
    RejectionReason.INVALID_CITATIONS,
    RejectionReason.MISSING_CITATIONS,
    RejectionReason.HALLUCINATION_DETECTED,
    RejectionReason.LOW_GROUNDING,
)


class Kind(StrEnum):
    """What failed: to find, to cite, or to rest on what was found."""

    RETRIEVAL = "retrieval"
    CITATION = "citation"
    GROUNDING = "grounding"


KINDS = {
    RejectionReason.INSUFFICIENT_CONTEXT: Kind.RETRIEVAL,
    RejectionReason.OFF_TOPIC: Kind.RETRIEVAL,
    RejectionReason.LOW_CONFIDENCE: Kind.RETRIEVAL,
    RejectionReason.INVALID_CITATIONS: Kind.CITATION,
    RejectionReason.MISSING_CITATIONS: Kind.CITATION,
    RejectionReason.HALLUCINATION_DETECTED: Kind.GROUNDING,
    RejectionReason.LOW_GROUNDING: Kind.GROUNDING,
}


@dataclass(frozen=True, slots=True)
class SafetyThresholds:
    """The safety API's thresholds; scores 0-1, lengths in characters.

    The mean confidence of the passages must reach `min_retrieval_confidence`, the best similarity
    `min_similarity_score`, and where a reranker ran its best score `min_rerank_score`. A best
    similarity below `max_topic_mismatch_score` is another topic.
    """

    min_retrieval_confidence: float = 0.6
    min_similarity_score: float = 0.5
    min_rerank_score: float = 0.5
    min_chunks_required: int = 1
    min_total_context_length: int = 100
    require_citations: bool = True
    min_citation_coverage: float = 0.8
    min_grounding_score: float = 0.7
    max_topic_mismatch_score: float = 0.3


@dataclass(frozen=True, slots=True)
class Passage:
    """A text that was found or given: scores 0-1 (None: not measured), length in characters.

    `confidence` that it speaks of the question; `similarity` to it; `rerank` of a cross-encoder.
    """

    confidence: float | None
    similarity: float | None
    rerank: float | None
    length: int


@dataclass(frozen=True, slots=True)
class Relevance:
    """The passages that the question found or was given, and where their scores come from.

    `searched` tells what a search found from what the client gave.
    """

    basis: str
    searched: bool
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class SearchedScope:
    """What was searched, in words ("" where nothing says), and what left it ("" nothing did).

    `unrelated`: there was something to search, and nothing of it is near to the question.
    """

    words: str = ""
    outside: str = ""
    unrelated: bool = False


@dataclass(frozen=True, slots=True)
class Referencing:
    """Sentences that claim something, those of them with a citation, citation marks in all."""

    sentences: int
    cited: int
    marks: int


@dataclass(frozen=True, slots=True)
class Answered:
    """What was measured of an answer.

    `sentences` that claim something, those of them with a citation, cited numbers that name
    nothing; claims that could be checked, those supported, contradicted, and made up (a name or a
    figure that no source has).
    """

    sentences: int
    cited: int
    invalid: tuple[int, ...]
    has_citations: bool
    claims: int
    supported: int
    contradicted: int
    fabricated: int


@dataclass(frozen=True, slots=True)
class SafetyFacts:
    """What the five checks go by.

    `passages` is None where no source was given or asked for; `basis` says where their scores
    come from; `out_of_scope` names the scope that the question left, "" where it did not;
    `answered` is None where there is no answer yet; `asked` is False where there is no question;
    `unrelated`: a search had something to search, and found nothing near to the question.
    """

    passages: tuple[Passage, ...] | None
    basis: str = ""
    out_of_scope: str = ""
    answered: Answered | None = None
    asked: bool = True
    unrelated: bool = False


@dataclass(frozen=True, slots=True)
class SafetyCheckResult:
    """The safety API's result. `reasons` are all that hold, most specific first.

    `diagnostic_info` has for each check `passed` (None: does not apply), `value`, `threshold` and
    `details` in words. `confidence_score` (0-1) is the weakest of what was measured.
    """

    should_reject: bool
    rejection_reason: RejectionReason | None
    confidence_score: float
    passed_checks: tuple[str, ...]
    failed_checks: tuple[str, ...]
    explanation: str
    diagnostic_info: dict[str, Any]
    reasons: tuple[RejectionReason, ...] = ()


@dataclass(frozen=True, slots=True)
class _Outcome:
    """One check; `passed` is None where it does not apply."""

    check: SafetyCheck
    passed: bool | None
    value: float | None
    threshold: float | None
    details: str
    reasons: tuple[RejectionReason, ...] = field(default=())


def check(facts: SafetyFacts, limits: SafetyThresholds) -> SafetyCheckResult:
    """All five checks in order; none stops the others."""
    outcomes = (
        _retrieval_confidence(facts, limits),
        _context_sufficiency(facts, limits),
        _topic_relevance(facts, limits),
        _citations(facts, limits),
        _grounding(facts, limits),
    )
    held = {reason for outcome in outcomes for reason in outcome.reasons}
    reasons = tuple(reason for reason in MOST_SPECIFIC_FIRST if reason in held)
    failed = [outcome for outcome in outcomes if outcome.passed is False]
    return SafetyCheckResult(
        should_reject=bool(failed),
        rejection_reason=primary(reasons),
        confidence_score=_confidence(outcomes),
        passed_checks=tuple(o.check.value for o in outcomes if o.passed),
        failed_checks=tuple(o.check.value for o in failed),
        explanation=_explanation(outcomes, failed),
        diagnostic_info={o.check.value: _diagnostic(o) for o in outcomes},
        reasons=reasons,
    )


def primary(reasons: Sequence[RejectionReason]) -> RejectionReason | None:
    """The most specific reason; MULTIPLE_ISSUES where reasons of different kinds hold."""
    if not reasons:
        return None
    several = len({KINDS[reason] for reason in reasons}) > 1
    return RejectionReason.MULTIPLE_ISSUES if several else reasons[0]


def _retrieval_confidence(facts: SafetyFacts, limits: SafetyThresholds) -> _Outcome:
    name, least = SafetyCheck.RETRIEVAL_CONFIDENCE, limits.min_retrieval_confidence
    if idle := _not_searched(facts):
        return _idle(name, least, idle)
    passages = facts.passages or ()
    if not passages:
        return _failed(name, 0.0, least, "Nothing was found", RejectionReason.LOW_CONFIDENCE)
    known = [p.confidence for p in passages if p.confidence is not None]
    if not known:
        return _idle(name, least, "The relevance of the sources was not measured")
    mean = round(sum(known) / len(known), 4)
    lacking = _weak_best(passages, limits)
    told = f"Mean confidence {mean:.2f} of {_count(len(known), 'passage')}{_by(facts)}"
    if mean < least or lacking:
        told = f"{told}; {lacking}" if lacking else f"{told}, {least:.2f} needed"
        return _failed(name, mean, least, told, RejectionReason.LOW_CONFIDENCE)
    return _Outcome(name, True, mean, least, told)


def _weak_best(passages: Sequence[Passage], limits: SafetyThresholds) -> str:
    """What the best passage lacks, in words; "" where nothing."""
    similar = [p.similarity for p in passages if p.similarity is not None]
    if similar and max(similar) < limits.min_similarity_score:
        return f"best similarity {max(similar):.2f}, {limits.min_similarity_score:.2f} needed"
    ranked = [p.rerank for p in passages if p.rerank is not None]
    if ranked and max(ranked) < limits.min_rerank_score:
        return f"best rerank score {max(ranked):.2f}, {limits.min_rerank_score:.2f} needed"
    return ""


def _context_sufficiency(facts: SafetyFacts, limits: SafetyThresholds) -> _Outcome:
    name, least = SafetyCheck.CONTEXT_SUFFICIENCY, limits.min_chunks_required
    if idle := _not_searched(facts):
        return _idle(name, least, idle)
    if facts.unrelated:
        return _idle(name, least, UNRELATED)
    passages = facts.passages or ()
    count, length = len(passages), sum(p.length for p in passages)
    told = f"{_count(count, 'passage')}, {_count(length, 'character')}"
    if count < least or length < limits.min_total_context_length:
        needed = f"{least} and {limits.min_total_context_length} needed"
        reason = RejectionReason.INSUFFICIENT_CONTEXT
        return _failed(name, float(count), least, f"{told}; {needed}", reason)
    return _Outcome(name, True, float(count), least, told)


def _topic_relevance(facts: SafetyFacts, limits: SafetyThresholds) -> _Outcome:
    name, least = SafetyCheck.TOPIC_RELEVANCE, limits.max_topic_mismatch_score
    if facts.out_of_scope:
        told = f"The question is outside of {facts.out_of_scope}"
        return _failed(name, None, least, told, RejectionReason.OFF_TOPIC)
    if idle := _not_searched(facts):
        return _idle(name, least, idle)
    if facts.unrelated:
        return _failed(name, None, least, UNRELATED, RejectionReason.OFF_TOPIC)
    scores = [p.similarity for p in facts.passages or () if p.similarity is not None]
    if not scores:
        return _idle(name, least, "There is no passage whose similarity was measured")
    best = round(max(scores), 4)
    told = f"Best similarity {best:.2f}{_by(facts)}"
    if best < least:
        told = f"{told}, {least:.2f} needed"
        return _failed(name, best, least, told, RejectionReason.OFF_TOPIC)
    return _Outcome(name, True, best, least, told)


def _citations(facts: SafetyFacts, limits: SafetyThresholds) -> _Outcome:
    name, least = SafetyCheck.CITATIONS, limits.min_citation_coverage
    found = facts.answered
    idle = _no_answer(facts) or (
        "" if found and (limits.require_citations or found.has_citations)
        else "Citations are not required, and the answer has none"
    )  # fmt: skip
    if idle or not found:
        return _idle(name, least, idle)
    share = found.cited / found.sentences if found.sentences else 1.0
    told = f"{found.cited} of {_count(found.sentences, 'sentence')} cited"
    reasons = []
    if found.invalid:
        numbers = ", ".join(f"[{number}]" for number in found.invalid[:5])
        told = f"{told}; {numbers} {'names' if len(found.invalid) == 1 else 'name'} no source"
        reasons.append(RejectionReason.INVALID_CITATIONS)
    if limits.require_citations and share < least:
        told = f"{told}; a share of {least:.2f} needed"
        reasons.append(RejectionReason.MISSING_CITATIONS)
    return _Outcome(name, not reasons, round(share, 4), least, told, tuple(reasons))


def _grounding(facts: SafetyFacts, limits: SafetyThresholds) -> _Outcome:
    name, least = SafetyCheck.GROUNDING, limits.min_grounding_score
    found, idle = facts.answered, _no_answer(facts)
    if not idle and found and not found.claims:
        idle = "The answer makes no claim that could be checked"
    if idle or not found:
        return _idle(name, least, idle)
    share = round(found.supported / found.claims, 4)
    told = f"{found.supported} of {_count(found.claims, 'claim')} supported"
    reasons = []
    if found.contradicted or found.fabricated:
        told += f"; {found.contradicted} contradicted, {found.fabricated} made up"
        reasons.append(RejectionReason.HALLUCINATION_DETECTED)
    if share < least:
        told = f"{told}; a share of {least:.2f} needed"
        reasons.append(RejectionReason.LOW_GROUNDING)
    return _Outcome(name, not reasons, share, least, told, tuple(reasons))


UNRELATED = "Nothing that was searched has to do with the question"
_NO_SOURCES = "No sources were given or searched, or their relevance could not be measured"


def _not_searched(facts: SafetyFacts) -> str:
    """Why the checks of retrieval do not apply; "" where they do."""
    if facts.passages is None:
        return _NO_SOURCES
    return "" if facts.asked else "No question was given that passages could speak of"


def _no_answer(facts: SafetyFacts) -> str:
    if facts.answered is None:
        return "There is no answer to check"
    if facts.passages is None:
        return _NO_SOURCES
    return "" if facts.passages else "There is no context that an answer could rest on"


def _idle(name: SafetyCheck, threshold: float, details: str) -> _Outcome:
    return _Outcome(name, None, None, threshold, details)


def _failed(
    name: SafetyCheck, value: float | None, threshold: float, told: str, reason: RejectionReason
) -> _Outcome:
    return _Outcome(name, False, value, threshold, told, (reason,))


def _confidence(outcomes: Sequence[_Outcome]) -> float:
    """The weakest share that was measured; 0 where nothing was."""
    shares = [
        outcome.value
        for outcome in outcomes
        if outcome.value is not None and outcome.check is not SafetyCheck.CONTEXT_SUFFICIENCY
    ]
    return min(shares, default=0.0)


def _explanation(outcomes: Sequence[_Outcome], failed: Sequence[_Outcome]) -> str:
    if failed:
        told = ". ".join(outcome.details for outcome in failed)
        return f"{_count(len(failed), 'check')} failed: {told}."
    applied = [outcome for outcome in outcomes if outcome.passed]
    if not applied:
        return "No safety check applies: " + outcomes[0].details.lower() + "."
    return f"Accepted: {_count(len(applied), 'check')} passed."


def _diagnostic(outcome: _Outcome) -> dict[str, Any]:
    return {
        "passed": outcome.passed,
        "value": outcome.value,
        "threshold": outcome.threshold,
        "details": outcome.details,
    }


def _by(facts: SafetyFacts) -> str:
    return f" ({facts.basis})" if facts.basis else ""


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
