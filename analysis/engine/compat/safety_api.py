"""The safety API: `check_safety`, `SafetyMechanism.should_reject_query`, `get_safe_answer`.

A retrieved chunk is a text or an object with `text` (or `content`), and where they are known
`confidence`, `similarity` (or `similarity_score`, `score`), `rerank_score`, and `class` and
`subject`, by themselves or under `metadata`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.engine.decision import decide
from analysis.engine.evidence.corpus import build
from analysis.engine.measurement import measure
from analysis.engine.safety.checks import (
    Answered,
    Passage,
    SafetyCheckResult,
    SafetyFacts,
    SafetyThresholds,
    check,
)
from analysis.engine.safety.refusal import REFUSAL, refusal
from analysis.engine.safety.scope import given_scope, words_of
from analysis.engine.signals import relevance
from analysis.engine.types import Source, Submission
from analysis.engine.verdict.safety_action import answered

_TEXT = ("text", "content", "chunk_text", "page_content")
_CONFIDENCE = ("confidence", "confidence_score")
_SIMILARITY = ("similarity", "similarity_score", "score", "score_dense")
_RERANK = ("rerank_score", "score_rerank")
_CLASS = ("class", "class_number")


class SafetyMechanism:
    """The five checks under one set of thresholds."""

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
        """Whether to say "I don't know". Raises TypeError for a query or chunks of a wrong type."""
        chunks = [_chunk(one) for one in retrieved_chunks or ()]
        if not isinstance(query, str) or not isinstance(generated_answer or "", str):
            raise TypeError("query and generated_answer must be strings")
        facts = SafetyFacts(
            passages=_passages(query, chunks),
            basis=_basis(chunks),
            out_of_scope=_out_of_scope(chunks, class_number, subject),
            answered=_answered(query, chunks, generated_answer),
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
    """The five checks, by the safety API's thresholds where none are given."""
    mechanism = SafetyMechanism(thresholds)
    return mechanism.should_reject_query(
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
    """The answer where every check passes, else the refusal "I don't know based on {scope}.".

    Without `scope` the class and subject are named, "the class 10 Mathematics material".
    """
    found = check_safety(
        query, retrieved_chunks, generated_answer, class_number, subject, thresholds
    )
    if not found.should_reject:
        return generated_answer
    asked = given_scope({"class_number": class_number, "subject": subject})
    return refusal(REFUSAL, scope or words_of([asked]), None)


def _chunk(given: Any) -> dict[str, Any]:
    """One chunk with the safety API's names; what stands under `metadata` counts as its own."""
    if isinstance(given, str):
        return {"text": given}
    if not isinstance(given, Mapping):
        names = (*_TEXT, *_CONFIDENCE, *_SIMILARITY, *_RERANK, "metadata")
        given = {name: getattr(given, name) for name in names if hasattr(given, name)}
    inner = given.get("metadata")
    found = {**(inner if isinstance(inner, Mapping) else {}), **given}
    text = _first(found, _TEXT)
    if not isinstance(text, str):
        raise TypeError("a retrieved chunk must be a text or have one under 'text' or 'content'")
    return {**found, "text": text}


def _first(chunk: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((chunk[name] for name in names if chunk.get(name) is not None), None)


def _score(chunk: Mapping[str, Any], names: Sequence[str]) -> float | None:
    found = _first(chunk, names)
    if found is None:
        return None
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        raise TypeError(f"{names[0]} of a retrieved chunk must be a number, not {found!r}")
    return float(found)


def _passages(query: str, chunks: Sequence[Mapping[str, Any]]) -> tuple[Passage, ...]:
    """Scores as they were given; where no chunk has any, the relevance is measured."""
    held = [_passage(chunk) for chunk in chunks]
    if any(passage.confidence is not None for passage in held):
        return tuple(held)
    corpus = build(tuple(Source(f"c{at}", chunk["text"]) for at, chunk in enumerate(chunks)))
    return relevance.measure(query, corpus).passages


def _passage(chunk: Mapping[str, Any]) -> Passage:
    similarity, rerank = _score(chunk, _SIMILARITY), _score(chunk, _RERANK)
    scores = (_score(chunk, _CONFIDENCE), rerank, similarity)
    confidence = next((score for score in scores if score is not None), None)
    known = confidence if similarity is None else similarity
    return Passage(confidence, known, rerank, len(chunk["text"]))


def _basis(chunks: Sequence[Mapping[str, Any]]) -> str:
    names = (*_CONFIDENCE, *_SIMILARITY, *_RERANK)
    scored = any(_first(chunk, names) is not None for chunk in chunks)
    return relevance.BY_SEARCH if scored or not chunks else relevance.BY_WORDS


def _out_of_scope(
    chunks: Sequence[Mapping[str, Any]], class_number: int | str | None, subject: str | None
) -> str:
    """The scope that was asked for, where every chunk that names one names another."""
    wanted = {"class": class_number, "subject": subject}
    missed = []
    for name, value in wanted.items():
        names = _CLASS if name == "class" else (name,)
        told = [str(_first(chunk, names)) for chunk in chunks if _first(chunk, names) is not None]
        if value is not None and told and all(_same(value, one) is False for one in told):
            missed.append(f"{name} {value}")
    return ", ".join(missed)


def _same(one: object, other: str) -> bool:
    return str(one).strip().lower() == other.strip().lower()


def _answered(
    query: str, chunks: Sequence[Mapping[str, Any]], answer: str | None
) -> Answered | None:
    if not answer or not answer.strip():
        return None
    sources = tuple(Source(f"c{at}", chunk["text"]) for at, chunk in enumerate(chunks, start=1))
    measurement = measure(Submission(answer, query, sources))
    return answered(measurement, decide(answer, measurement).claims)
