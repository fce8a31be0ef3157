"""The facts, results and thresholds of the safety checks (safety API)."""

from dataclasses import dataclass
from enum import StrEnum
from string import Formatter
from typing import Any

from analysis.engine.ranges import Count, Share


class SafetyCheck(StrEnum):
    """The five checks, in the order of the safety API."""

    RETRIEVAL_CONFIDENCE = "retrieval_confidence"
    CONTEXT_SUFFICIENCY = "context_sufficiency"
    TOPIC_RELEVANCE = "topic_relevance"
    CITATIONS = "citations"
    GROUNDING = "grounding"


class RejectionReason(StrEnum):
    """The reason why the safety API rejects an answer."""

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


class FailureKind(StrEnum):
    """The kind of failure: of retrieval, of citations, or of grounding.

    Each has its action in the policy (`SafetyRules`).
    """

    RETRIEVAL = "retrieval"
    CITATION = "citation"
    GROUNDING = "grounding"


KINDS = {
    RejectionReason.INSUFFICIENT_CONTEXT: FailureKind.RETRIEVAL,
    RejectionReason.OFF_TOPIC: FailureKind.RETRIEVAL,
    RejectionReason.LOW_CONFIDENCE: FailureKind.RETRIEVAL,
    RejectionReason.INVALID_CITATIONS: FailureKind.CITATION,
    RejectionReason.MISSING_CITATIONS: FailureKind.CITATION,
    RejectionReason.HALLUCINATION_DETECTED: FailureKind.GROUNDING,
    RejectionReason.LOW_GROUNDING: FailureKind.GROUNDING,
}


@dataclass(frozen=True, slots=True)
class SafetyThresholds:
    """The safety API's thresholds; scores 0-1, lengths in characters.

    The best confidence of the passages must reach `min_retrieval_confidence`, the best similarity
    `min_similarity_score`, and after reranking the best score `min_rerank_score`, unless they
    support a claim. A best similarity below `max_topic_mismatch_score` means another topic, as it
    does of an answer: where both are below it, no claim counts. `min_total_context_length` does not
    apply to an answer with supported claims.
    """

    min_retrieval_confidence: Share = 0.6
    min_similarity_score: Share = 0.5
    min_rerank_score: Share = 0.5
    min_chunks_required: Count = 1
    min_total_context_length: Count = 100
    require_citations: bool = True
    min_citation_coverage: Share = 0.8
    min_grounding_score: Share = 0.7
    max_topic_mismatch_score: Share = 0.3


@dataclass(frozen=True, slots=True)
class ScoredPassage:
    """A retrieved or given text: scores 0-1 (None: not measured), length in characters.

    `confidence` that it is about the question; `similarity` to it; `rerank` of a cross-encoder.
    """

    confidence: float | None
    similarity: float | None
    rerank: float | None
    length: int


@dataclass(frozen=True, slots=True)
class Relevance:
    """The passages that the question found or was given, and the origin of their scores.

    `searched`: a search found them, not the client gave them. `answered` (0-1): how far the answer
    speaks of what was asked.
    """

    basis: str
    searched: bool
    passages: tuple[ScoredPassage, ...]
    answered: float = 0.0


@dataclass(frozen=True, slots=True)
class SearchedScope:
    """The scope searched, in words ("" if unknown), and what lies outside it ("": nothing).

    `unrelated`: there was something to search, and none of it is near the question.
    """

    words: str = ""
    outside: str = ""
    unrelated: bool = False


@dataclass(frozen=True, slots=True)
class Referencing:
    """Counts of sentences with claims, those of them with a citation, and all citation marks."""

    sentences: int
    cited: int
    marks: int


@dataclass(frozen=True, slots=True)
class AnswerFacts:
    """The measurements of an answer.

    `sentences` with claims, those of them with a citation, cited numbers that name nothing;
    checkable claims, those supported, contradicted, and fabricated (with a name or figure that no
    source has). `support` (0-1): that of the surest claim. `answering` (0-1): how far the answer
    speaks of what was asked.
    """

    sentences: int
    cited: int
    invalid: tuple[int, ...]
    has_citations: bool
    claims: int
    supported: int
    contradicted: int
    fabricated: int
    support: float = 0.0
    answering: float = 0.0


@dataclass(frozen=True, slots=True)
class SafetyFacts:
    """The input of the five checks.

    `passages` is None if no source was given or asked for; `basis` is the origin of their scores;
    `out_of_scope` names the scope that the question left, "" if none; `answered` is None if there
    is no answer yet; `asked` is False without a question; `unrelated`: a search had something to
    search, and found nothing near the question.
    """

    passages: tuple[ScoredPassage, ...] | None
    basis: str = ""
    out_of_scope: str = ""
    answered: AnswerFacts | None = None
    asked: bool = True
    unrelated: bool = False


@dataclass(frozen=True, slots=True)
class SafetyCheckResult:
    """The safety API's result. `reasons` are all that apply, most specific first.

    `diagnostic_info` has for each check `passed` (None: does not apply), `value`, `threshold` and
    `details` in words. `confidence_score` (0-1) is the lowest measured one.
    """

    should_reject: bool
    rejection_reason: RejectionReason | None
    confidence_score: float
    passed_checks: tuple[str, ...]
    failed_checks: tuple[str, ...]
    explanation: str
    diagnostic_info: dict[str, Any]
    reasons: tuple[RejectionReason, ...] = ()


REFUSAL = "I don't know based on {scope}."
ANY_SCOPE = "the available sources"
MOST_CHARACTERS = 500
MOST_SCOPE_CHARACTERS = 200


def refusal(
    template: str, own_scope: str, searched: SearchedScope | None, any_scope: str = ANY_SCOPE
) -> str:
    """Return the text that replaces a refused answer."""
    return template.format(scope=scope_words(own_scope, searched, any_scope))


def scope_words(own_scope: str, searched: SearchedScope | None, any_scope: str) -> str:
    """Return the policy's words, else those of the searched scope, else `any_scope`."""
    return own_scope or (searched.words if searched else "") or any_scope


def fault_in(template: str) -> str:
    """Return the fault of a refusal text in words, or ""."""
    if not template.strip():
        return "must not be empty"
    if len(template) > MOST_CHARACTERS:
        return f"must not be longer than {MOST_CHARACTERS} characters"
    try:
        parts = list(Formatter().parse(template))
    except ValueError:
        return "has an unmatched brace; write {{ or }} for a literal one"
    names = {name + (f":{form}" if form else "") + (f"!{how}" if how else "")
             for _, name, form, how in parts if name is not None}  # fmt: skip
    strange = sorted(names - {"scope"})
    return f"may hold {{scope}} and nothing else in braces, not {{{strange[0]}}}" if strange else ""
