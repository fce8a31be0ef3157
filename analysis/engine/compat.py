"""The risk API and the safety API in this process, by rules alone; nothing is stored.

Applications that want the server's verdict use `watchdog_client.Guard`. Of the risk API: its
detection functions and its middleware. Of the safety API: `check_safety`,
`SafetyMechanism.should_reject_query`, `get_safe_answer`. There a retrieved chunk is a text or an
object with `text` (or `content`), and optionally `confidence`, `similarity` (or `similarity_score`,
`score`), `rerank_score`, and `class` and `subject`, at the top level or under `metadata`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.engine.claims.extraction import read
from analysis.engine.decision import decide
from analysis.engine.evidence.corpus import build
from analysis.engine.evidence.sources import normalise
from analysis.engine.measurement import measure
from analysis.engine.pipeline import RISK_API_STATUS, analyze, verify
from analysis.engine.safety.checks import check
from analysis.engine.safety.model import (
    REFUSAL,
    AnswerFacts,
    SafetyCheckResult,
    SafetyFacts,
    SafetyThresholds,
    ScoredPassage,
    refusal,
)
from analysis.engine.safety.scope import given_scope, words_of
from analysis.engine.signals import contradiction, overconfidence, relevance
from analysis.engine.types import Action, Source, Submission
from analysis.engine.verdict.safety_action import answer_facts


def extract_claims(text: str) -> list[str]:
    """Return the atomic claims of an answer, in order."""
    return [statement.claim.text for statement in read(text).statements]


def detect_overconfidence(text: str) -> tuple[bool, str]:
    """Return whether the answer is overconfident, and the reason in words."""
    findings = overconfidence.findings(read(text))
    return bool(findings), overconfidence.explain(findings)


def detect_internal_contradictions(text: str) -> tuple[bool, str]:
    """Return whether the answer contradicts itself, and where."""
    findings = contradiction.findings(read(text))
    return bool(findings), contradiction.explain(findings)


def verify_against_rag(claims: Any, rag_results: Any = None) -> dict[str, str]:
    """Return SUPPORTED, CONTRADICTED or UNVERIFIED for each claim, given as texts or one answer."""
    texts = extract_claims(claims) if isinstance(claims, str) else list(claims)
    sources, _ = normalise(rag_results)
    return {text: _worst(text, Submission(text, "", sources)) for text in texts}


def extract_all_signals(prompt: str, llm_response: str, rag_results: Any = None) -> dict[str, Any]:
    """Return everything the risk API detects: claims, verification, four signals, reasons."""
    sources, _ = normalise(rag_results)
    measurement = measure(Submission(llm_response, prompt, sources))
    decision = decide(llm_response, measurement)
    pairs = zip(measurement.claims, decision.claims, strict=True)
    return {
        **decision.risk.signals,
        "claims": [claim.text for claim in measurement.claims],
        "claim_verification": {
            claim.text: RISK_API_STATUS[claim_decision.status] for claim, claim_decision in pairs
        },
        "overconfidence_reason": overconfidence.explain(measurement.overconfidence),
        "contradiction_details": contradiction.explain(measurement.contradictions),
    }


def _worst(text: str, submission: Submission) -> str:
    """Return the worst verdict among the clauses of a claim; nothing checkable is unverified."""
    statuses = {RISK_API_STATUS[claim.status] for claim in decide(text, measure(submission)).claims}
    worst_first = ("CONTRADICTED", "UNVERIFIED", "SUPPORTED")
    return next((status for status in worst_first if status in statuses), "UNVERIFIED")


BLOCK_AT = 70


class BlockResponseException(Exception):
    """Raised for an answer that must not be shown; `assessment` says why."""

    def __init__(self, assessment: dict[str, Any]) -> None:
        super().__init__(assessment["explanation"])
        self.assessment = assessment


class RiskCheckMiddleware:
    """Assesses each answer with the default policy."""

    def process_llm_response(self, prompt: str, response: str, rag: Any = None) -> str:
        """Return the response unchanged. Raises BlockResponseException for a blocked one.

        The action counts as well as the score: a claim that clearly contradicts a source scores 35
        and blocks. A response that could not be checked is blocked.
        """
        assessment = analyze(prompt, response, rag)
        if None in assessment["signals"].values() or assessment["risk_score"] >= BLOCK_AT:
            raise BlockResponseException(assessment)
        submission = Submission(response or "", prompt or "", normalise(rag)[0])
        _, decision = verify(submission)
        if decision.action is Action.BLOCK:
            raise BlockResponseException(assessment)
        return response


_TEXT = ("text", "content", "chunk_text", "page_content")
_CONFIDENCE = ("confidence", "confidence_score")
_SIMILARITY = ("similarity", "similarity_score", "score", "score_dense")
_RERANK = ("rerank_score", "score_rerank")
_CLASS = ("class", "class_number")


class SafetyMechanism:
    """Runs the five checks with one set of thresholds."""

    def __init__(self, thresholds: SafetyThresholds | None = None) -> None:
        self.thresholds = thresholds or SafetyThresholds()

    def should_reject_query(
        self,
        query: str,
        retrieved_chunks: Sequence[Any] | None,
        generated_answer: str | None = None,
        class_number: int | str | None = None,
        subject: str | None = None,
    ) -> SafetyCheckResult:
        """Return whether to say "I don't know". Raises TypeError for invalid query or chunks."""
        chunks = [_chunk(chunk) for chunk in retrieved_chunks or ()]
        if not isinstance(query, str) or not isinstance(generated_answer or "", str):
            raise TypeError("query and generated_answer must be strings")
        facts = SafetyFacts(
            passages=_passages(query, chunks),
            basis=_basis(chunks),
            out_of_scope=_out_of_scope(chunks, class_number, subject),
            answered=_answer_facts(query, chunks, generated_answer),
        )
        return check(facts, self.thresholds)


def check_safety(
    query: str,
    retrieved_chunks: Sequence[Any] | None,
    generated_answer: str | None = None,
    class_number: int | str | None = None,
    subject: str | None = None,
    thresholds: SafetyThresholds | None = None,
) -> SafetyCheckResult:
    """Return the five checks, by the safety API's thresholds if none are given."""
    return SafetyMechanism(thresholds).should_reject_query(
        query, retrieved_chunks, generated_answer, class_number, subject
    )


def get_safe_answer(
    query: str,
    retrieved_chunks: Sequence[Any] | None,
    generated_answer: str,
    class_number: int | str | None = None,
    subject: str | None = None,
    thresholds: SafetyThresholds | None = None,
    scope: str = "",
) -> str:
    """Return the answer if every check passes, else "I don't know based on {scope}.".

    Without `scope` class and subject are named, "the class 10 Mathematics material".
    """
    result = check_safety(
        query, retrieved_chunks, generated_answer, class_number, subject, thresholds
    )
    if not result.should_reject:
        return generated_answer
    requested_scope = given_scope({"class_number": class_number, "subject": subject})
    return refusal(REFUSAL, scope or words_of([requested_scope]), None)


def _chunk(data: Any) -> dict[str, Any]:
    """Return one chunk with the safety API's names; members of `metadata` count as its own."""
    if isinstance(data, str):
        return {"text": data}
    if not isinstance(data, Mapping):
        names = (*_TEXT, *_CONFIDENCE, *_SIMILARITY, *_RERANK, "metadata")
        data = {name: getattr(data, name) for name in names if hasattr(data, name)}
    inner = data.get("metadata")
    fields = {**(inner if isinstance(inner, Mapping) else {}), **data}
    text = _first(fields, _TEXT)
    if not isinstance(text, str):
        raise TypeError(
            "a retrieved chunk must be a string or an object with a 'text' or 'content'"
        )
    return {**fields, "text": text}


def _first(chunk: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((chunk[name] for name in names if chunk.get(name) is not None), None)


def _score(chunk: Mapping[str, Any], names: Sequence[str]) -> float | None:
    first = _first(chunk, names)
    if first is None:
        return None
    if isinstance(first, bool) or not isinstance(first, (int, float)):
        raise TypeError(f"{names[0]} of a retrieved chunk must be a number, not {first!r}")
    return float(first)


def _passages(query: str, chunks: Sequence[Mapping[str, Any]]) -> tuple[ScoredPassage, ...]:
    """Return the given scores; if no chunk has any, the measured relevance."""
    passages = [_passage(chunk) for chunk in chunks]
    if any(passage.confidence is not None for passage in passages):
        return tuple(passages)
    return relevance.measure(query, build(_sources(chunks))).passages


def _sources(chunks: Sequence[Mapping[str, Any]]) -> tuple[Source, ...]:
    return tuple(Source(f"c{at}", chunk["text"]) for at, chunk in enumerate(chunks, start=1))


def _passage(chunk: Mapping[str, Any]) -> ScoredPassage:
    similarity, rerank = _score(chunk, _SIMILARITY), _score(chunk, _RERANK)
    scores = (_score(chunk, _CONFIDENCE), rerank, similarity)
    confidence = next((score for score in scores if score is not None), None)
    best_similarity = confidence if similarity is None else similarity
    return ScoredPassage(confidence, best_similarity, rerank, len(chunk["text"]))


def _basis(chunks: Sequence[Mapping[str, Any]]) -> str:
    names = (*_CONFIDENCE, *_SIMILARITY, *_RERANK)
    scored = any(_first(chunk, names) is not None for chunk in chunks)
    return relevance.BY_SEARCH if scored or not chunks else relevance.BY_WORDS


def _out_of_scope(
    chunks: Sequence[Mapping[str, Any]], class_number: int | str | None, subject: str | None
) -> str:
    """Return the requested scope if every chunk that names a scope names another one."""
    mismatches = []
    for value, names in ((class_number, _CLASS), (subject, ("subject",))):
        scopes = [_first(chunk, names) for chunk in chunks]
        other_scopes = {str(scope).strip().lower() for scope in scopes if scope is not None}
        if value is not None and other_scopes and str(value).strip().lower() not in other_scopes:
            mismatches.append(f"{names[0]} {value}")
    return ", ".join(mismatches)


def _answer_facts(
    query: str, chunks: Sequence[Mapping[str, Any]], answer: str | None
) -> AnswerFacts | None:
    if not answer or not answer.strip():
        return None
    measurement = measure(Submission(answer, query, _sources(chunks)))
    return answer_facts(measurement, decide(answer, measurement).claims)
