"""The safety API's "I don't know": five checks of retrieval and answer.

A pure function of measured facts and thresholds. All failed checks are reported; the primary reason
is the most specific one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from analysis.engine.safety.model import (
    KINDS,
    MOST_SPECIFIC_FIRST,
    RejectionReason,
    SafetyCheck,
    SafetyCheckResult,
    SafetyFacts,
    SafetyThresholds,
    ScoredPassage,
)


@dataclass(frozen=True, slots=True)
class _Outcome:
    """One check; `passed` is None if it does not apply."""

    check: SafetyCheck
    passed: bool | None
    value: float | None
    threshold: float | None
    details: str
    reasons: tuple[RejectionReason, ...] = field(default=())


def check(facts: SafetyFacts, limits: SafetyThresholds) -> SafetyCheckResult:
    """Return all five checks in order; none stops the others."""
    outcomes = (
        _retrieval_confidence(facts, limits),
        _context_sufficiency(facts, limits),
        _topic_relevance(facts, limits),
        _citations(facts, limits),
        _grounding(facts, limits),
    )
    reasons_found = {reason for outcome in outcomes for reason in outcome.reasons}
    reasons = tuple(reason for reason in MOST_SPECIFIC_FIRST if reason in reasons_found)
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
    """Return the most specific reason; MULTIPLE_ISSUES if reasons of different kinds apply."""
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
        return _failure(name, 0.0, least, "Nothing was found", RejectionReason.LOW_CONFIDENCE)
    confidences = [p.confidence for p in passages if p.confidence is not None]
    if not confidences:
        return _idle(name, least, "The relevance of the sources was not measured")
    best, basis = _best(confidences, facts, least, limits)
    details = f"Best confidence {best:.2f} of {_count(len(confidences), 'passage')}{_by(basis)}"
    if basis == BY_SUPPORT:
        return _Outcome(name, True, best, least, details)
    lacking = _weak_best(passages, limits)
    if best < least or lacking:
        details += f"; {lacking}" if lacking else f", at least {least:.2f} required"
        return _failure(name, best, least, details, RejectionReason.LOW_CONFIDENCE)
    return _Outcome(name, True, best, least, details)


def _best(
    scores: Sequence[float], facts: SafetyFacts, least: float, limits: SafetyThresholds
) -> tuple[float, str]:
    """Return the best score and its origin.

    If none reaches the threshold, a supported claim shows just as well that the results are
    relevant, however little they share with the question, unless the best of them and the answer
    are both about another topic. Its own probability need not reach the threshold.
    """
    best, answered = max(scores, default=0.0), facts.answered
    nearest = max(best, answered.answering if answered else 0.0)
    on_topic = nearest >= limits.max_topic_mismatch_score
    if answered and answered.support and on_topic and best < least:
        return round(answered.support, 4), BY_SUPPORT
    return round(best, 4), facts.basis


def _weak_best(passages: Sequence[ScoredPassage], limits: SafetyThresholds) -> str:
    """Return what the best passage lacks, in words, or ""."""
    similar = [p.similarity for p in passages if p.similarity is not None]
    if similar and max(similar) < limits.min_similarity_score:
        least = limits.min_similarity_score
        return f"best similarity {max(similar):.2f}, at least {least:.2f} required"
    scores = [p.rerank for p in passages if p.rerank is not None]
    if scores and max(scores) < limits.min_rerank_score:
        return (
            f"best rerank score {max(scores):.2f}, at least {limits.min_rerank_score:.2f} required"
        )
    return ""


def _context_sufficiency(facts: SafetyFacts, limits: SafetyThresholds) -> _Outcome:
    name, least = SafetyCheck.CONTEXT_SUFFICIENCY, limits.min_chunks_required
    if idle := _not_searched(facts):
        return _idle(name, least, idle)
    supports = facts.answered is not None and facts.answered.supported > 0
    if facts.unrelated and not supports:
        return _idle(name, least, UNRELATED)
    passages = facts.passages or ()
    count, length = len(passages), sum(p.length for p in passages)
    details = f"{_count(count, 'passage')}, {_count(length, 'character')}"
    least_length = 0 if supports else limits.min_total_context_length
    if count < least or length < least_length:
        requirement = f"at least {least} and {least_length} required"
        reason = RejectionReason.INSUFFICIENT_CONTEXT
        return _failure(name, float(count), least, f"{details}; {requirement}", reason)
    return _Outcome(name, True, float(count), least, details)


def _topic_relevance(facts: SafetyFacts, limits: SafetyThresholds) -> _Outcome:
    name, least = SafetyCheck.TOPIC_RELEVANCE, limits.max_topic_mismatch_score
    if facts.out_of_scope:
        details = f"The question is outside {facts.out_of_scope}"
        return _failure(name, None, least, details, RejectionReason.OFF_TOPIC)
    if idle := _not_searched(facts):
        return _idle(name, least, idle)
    scores = [p.similarity for p in facts.passages or () if p.similarity is not None]
    best, basis = _best([] if facts.unrelated else scores, facts, least, limits)
    if facts.unrelated and basis != BY_SUPPORT:
        return _failure(name, None, least, UNRELATED, RejectionReason.OFF_TOPIC)
    if not scores and basis != BY_SUPPORT:
        return _idle(name, least, "The similarity of the passages was not measured")
    details = f"Best similarity {best:.2f}{_by(basis)}"
    if best < least and basis != BY_SUPPORT:
        details = f"{details}, at least {least:.2f} required"
        return _failure(name, best, least, details, RejectionReason.OFF_TOPIC)
    return _Outcome(name, True, best, least, details)


def _citations(facts: SafetyFacts, limits: SafetyThresholds) -> _Outcome:
    name, least = SafetyCheck.CITATIONS, limits.min_citation_coverage
    answered, idle = facts.answered, _no_answer(facts)
    if not idle and answered and not (limits.require_citations or answered.has_citations):
        idle = "Citations are not required, and the answer has none"
    if idle or not answered:
        return _idle(name, least, idle)
    share = answered.cited / answered.sentences if answered.sentences else 1.0
    details = f"{answered.cited} of {_count(answered.sentences, 'sentence')} cited"
    reasons = []
    if answered.invalid:
        numbers = ", ".join(f"[{number}]" for number in answered.invalid[:5])
        details = (
            f"{details}; {numbers} {'names' if len(answered.invalid) == 1 else 'name'} no source"
        )
        reasons.append(RejectionReason.INVALID_CITATIONS)
    if limits.require_citations and share < least:
        details = f"{details}; at least {least:.0%} required"
        reasons.append(RejectionReason.MISSING_CITATIONS)
    return _Outcome(name, not reasons, round(share, 4), least, details, tuple(reasons))


def _grounding(facts: SafetyFacts, limits: SafetyThresholds) -> _Outcome:
    name, least = SafetyCheck.GROUNDING, limits.min_grounding_score
    answered, idle = facts.answered, _no_answer(facts)
    if not idle and answered and not answered.claims:
        idle = "The answer makes no claim that can be checked"
    if idle or not answered:
        return _idle(name, least, idle)
    share = round(answered.supported / answered.claims, 4)
    details = f"{answered.supported} of {_count(answered.claims, 'claim')} supported"
    reasons = []
    if answered.contradicted or answered.fabricated:
        details += f"; {answered.contradicted} contradicted"
        if answered.fabricated:
            details += f", {answered.fabricated} with details found in no source"
        reasons.append(RejectionReason.HALLUCINATION_DETECTED)
    if share < least:
        details = f"{details}; at least {least:.0%} required"
        reasons.append(RejectionReason.LOW_GROUNDING)
    return _Outcome(name, not reasons, share, least, details, tuple(reasons))


BY_SUPPORT = "by the claims that they support"
UNRELATED = "Nothing in the searched collections is related to the question"
_NO_SOURCES = "No sources were given or searched, or their relevance could not be measured"


def _not_searched(facts: SafetyFacts) -> str:
    """Return why the retrieval checks do not apply, or ""."""
    if facts.passages is None:
        return _NO_SOURCES
    return "" if facts.asked else "No question was given to compare the passages with"


def _no_answer(facts: SafetyFacts) -> str:
    if facts.answered is None:
        return "There is no answer to check"
    if facts.passages is None:
        return _NO_SOURCES
    return "" if facts.passages else "There is no context that could support an answer"


def _idle(name: SafetyCheck, threshold: float, details: str) -> _Outcome:
    return _Outcome(name, None, None, threshold, details)


def _failure(
    name: SafetyCheck, value: float | None, threshold: float, details: str, reason: RejectionReason
) -> _Outcome:
    return _Outcome(name, False, value, threshold, details, (reason,))


def _confidence(outcomes: Sequence[_Outcome]) -> float:
    """Return the lowest measured share, or 0 without any."""
    shares = [
        outcome.value
        for outcome in outcomes
        if outcome.value is not None and outcome.check is not SafetyCheck.CONTEXT_SUFFICIENCY
    ]
    return min(shares, default=0.0)


def _explanation(outcomes: Sequence[_Outcome], failed: Sequence[_Outcome]) -> str:
    if failed:
        join = ". ".join(outcome.details for outcome in failed)
        return f"{_count(len(failed), 'check')} failed: {join}."
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


def _by(basis: str) -> str:
    return f" ({basis})" if basis else ""


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
