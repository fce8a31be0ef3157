"""A stored check as the engine reads it: with its own sources and those of its collections."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from time import perf_counter
from typing import Any

import structlog

from analysis.engine.conversation import Role
from analysis.engine.evidence.corpus import flagged_texts
from analysis.engine.evidence.records import as_text
from analysis.engine.safety.model import SearchedScope
from analysis.engine.safety.scope import SearchScope, fits, given_scope, searched_scope
from analysis.engine.signal_types import FlaggedPassage, Measurement, SignalName, SignalState
from analysis.engine.signals.evidence_bundle import unique
from analysis.engine.types import SignalStatus, Source, Submission
from analysis.models import Check
from documents.embedding import embed_query, model_id
from documents.evidence import EvidenceChunk
from documents.lexical import terms
from documents.models import Collection
from documents.retrieval import SearchOptions, relevance, search, share_held
from documents.selectors import named_collections
from inference.errors import ModelError
from lib.text.sentences import sentences
from lib.text.vocabulary import MOST_NAMES, Vocabulary, values_of

log = structlog.get_logger(__name__)

_PASSAGES = 4
_MOST_SEARCHES = 40
_MOST_CAUTIONS, _LONGEST_CAUTION = 5, 200
_SEARCHED = (SignalStatus.OK, SignalStatus.TRUNCATED)


@dataclass(frozen=True, slots=True)
class Prepared:
    """The engine's input, with the state and scope of the search (None if none was made).

    `answered` (0-1): the relevance of the answer to the question, as that of a passage.
    """

    submission: Submission
    retrieval: SignalState | None
    scope: SearchedScope | None = None
    answered: float = 0.0


def prepare(check: Check) -> Prepared:
    """Return the submission with its evidence: the client's sources and retrieved passages."""
    own = sources_of(check)
    if not check.collections:
        return Prepared(_submission(check, own), None)
    collections, missing = named_collections(check.application_id, check.collections)
    in_scope = within(check, collections)
    passages, state, near = _retrieve(check, in_scope, missing)
    sources = (*(own or ()), *passages) if passages or own is not None else own
    if state.status is SignalStatus.OK and sources is None:
        sources = ()
    scopes = [scope_of(collection) for collection in collections]
    scope = searched_scope(check.query, check.scope, scopes)
    searched = state.status in _SEARCHED and check.query.strip()
    has_chunks = any(collection.chunk_count for collection in in_scope)
    if scope and searched and has_chunks and not near and own is None:
        scope = replace(scope, unrelated=True)
    answered = _answered(check, in_scope) if state.status in _SEARCHED else 0.0
    return Prepared(_submission(check, sources), state, scope, answered)


def within(check: Check, collections: list[Collection]) -> list[Collection]:
    """Return the collections in the scope that the client asked for, or all if none is."""
    client_scope = given_scope(check.scope)
    fitting = [collection for collection in collections if fits(client_scope, scope_of(collection))]
    return fitting or collections


def document_choice(scope: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the choice of documents by their metadata that the client made, if any."""
    choice = scope.get("documents")
    return choice if isinstance(choice, Mapping) else None


def scope_of(collection: Collection) -> SearchScope:
    """Return the class and subject of a collection."""
    return SearchScope(collection.class_number, collection.subject)


def _submission(check: Check, sources: tuple[Source, ...] | None) -> Submission:
    return Submission(
        check.answer,
        check.query,
        sources,
        tuple(check.samples),
        check.token_logprobs,
        cautions_of(check.metadata),
    )


def cautions_of(metadata: dict[str, Any]) -> tuple[str, ...]:
    """Return the strings under `cautions`, shortened and limited in number."""
    stated = metadata.get("cautions")
    if not isinstance(stated, list):
        return ()
    texts = [text.strip() for text in stated if isinstance(text, str)]
    return tuple(text[:_LONGEST_CAUTION] for text in texts if text)[:_MOST_CAUTIONS]


def sources_of(check: Check) -> tuple[Source, ...] | None:
    """Return the sources that the client sent, or None if it sent none."""
    if check.sources is None:
        return None
    return tuple(_source(number, source) for number, source in enumerate(check.sources, 1))


def with_input(check: Check, prepared: Prepared, measurement: Measurement) -> Measurement:
    """Return the measurement with what the engine does not see of a check.

    That is the search's state and scope, if one was asked for, and the unknown names in tool calls.
    """
    names = _unknown_names(
        check.messages or [], prepared.submission.sources or (), measurement.injection
    )
    if names:
        measurement = replace(measurement, unknown_names=names)
    if prepared.retrieval is None:
        return measurement
    states = measurement.states | {SignalName.RETRIEVAL.value: prepared.retrieval}
    near = measurement.relevance
    if near is not None:
        near = replace(near, answered=max(near.answered, prepared.answered))
    return replace(measurement, states=states, scope=prepared.scope, relevance=near)


def _unknown_names(
    messages: list[dict[str, Any]], sources: Sequence[Source], flagged: Sequence[FlaggedPassage]
) -> tuple[str, ...]:
    """Return the names in the answer's tool calls that no source and no earlier message has.

    What a scan flagged in the sources counts in neither, unless people wrote it themselves.
    """
    answers = [n for n, message in enumerate(messages) if message["role"] == Role.ASSISTANT]
    calls = (messages[answers[-1]].get("tool_calls") or ()) if answers else ()
    if not calls:
        return ()
    read = [(source.source_id, source.text, source.title, source.uri) for source in sources]
    spans = defaultdict[str, list[tuple[int, int]]](list)
    for passage in flagged:
        spans[passage.doc_id].append((passage.start, passage.end))
    names_and_sources = zip(unique([source.source_id for source in sources]), sources, strict=True)
    scanned = (replace(source, flagged=tuple(spans[name])) for name, source in names_and_sources)
    own_words = [m["content"] for m in messages[: answers[-1]] if m["role"] != Role.TOOL]
    ignored = [
        text for text in chain.from_iterable(map(flagged_texts, scanned))
        if not any(text in words for words in own_words)
    ]  # fmt: skip
    vocabulary = Vocabulary([messages[: answers[-1]], read], ignored=ignored)
    functions = (call["function"] for call in calls)
    names = (vocabulary.unknown_names(f["name"], values_of(f["arguments"])) for f in functions)
    return tuple(dict.fromkeys(chain.from_iterable(names)))[:MOST_NAMES]


def _retrieve(
    check: Check, collections: list[Collection], missing: list[str]
) -> tuple[list[Source], SignalState, bool]:
    """Search for the question and for each sentence of the answer.

    Returns the distinct passages, the state of the search, and whether any is near the question.
    """
    began = perf_counter()
    texts = [text for text in (check.query, *sentences_of(check.answer)) if text.strip()]
    try:
        options = SearchOptions(documents=document_choice(check.scope))
        hits = [search(collections, text, _PASSAGES, options) for text in texts[:_MOST_SEARCHES]]
        model = model_id() if collections else ""
    except ModelError as error:
        log.warning("retrieval_unavailable", reason=type(error).__name__)
        missing_model = "The embedding model is missing."
        return [], _state(SignalStatus.UNAVAILABLE, missing_model, "", began), False
    question_hits = hits[0] if hits and check.query.strip() else []
    relevant = {_key(chunk): chunk.relevance for chunk in question_hits}
    chunks = dict[tuple[str, int], EvidenceChunk]()
    for chunk in chain.from_iterable(hits):
        chunks.setdefault(_key(chunk), chunk)
    sources = [_passage(chunk, relevant.get(key)) for key, chunk in chunks.items()]
    status, reason = SignalStatus.OK, ""
    if missing:
        status = SignalStatus.UNAVAILABLE
        reason = "There is no collection " + ", ".join(missing) + "."
    elif len(texts) > _MOST_SEARCHES:
        status = SignalStatus.TRUNCATED
        reason = f"Searched for the first {_MOST_SEARCHES} of {len(texts)} sentences."
    return sources, _state(status, reason, model, began), bool(question_hits)


def _answered(check: Check, collections: Sequence[Collection]) -> float:
    """Return how far the answer speaks of what was asked, 0-1, whatever words it takes."""
    if not collections or not check.query.strip() or not check.answer.strip():
        return 0.0
    model = collections[0].embedding_model
    cosine = float(embed_query(check.query, model) @ embed_query(check.answer, model))
    return relevance(cosine, share_held(terms(check.query), check.answer), model)


def found_sources(chunks: Sequence[EvidenceChunk]) -> list[Source]:
    """Return the chunks retrieved for a question as sources with their relevance."""
    return [_passage(chunk, chunk.relevance) for chunk in chunks]


def sentences_of(answer: str) -> list[str]:
    """Return the answer's sentences, at most one more than are searched for."""
    return [answer[s.start : s.end] for s in sentences(answer)[: _MOST_SEARCHES + 1]]


def _state(status: SignalStatus, reason: str, model: str, began: float) -> SignalState:
    return SignalState(status, reason, model, round((perf_counter() - began) * 1000, 3))


def _key(chunk: EvidenceChunk) -> tuple[str, int]:
    return chunk.doc_id, chunk.sent_id


def _passage(chunk: EvidenceChunk, relevance: float | None) -> Source:
    title = f"{chunk.citation}, passage {chunk.sent_id + 1}"
    name = f"{chunk.doc_id}:{chunk.sent_id}"
    return Source(
        source_id=name,
        text=chunk.read_text,
        title=title,
        retrieved=True,
        relevance=relevance,
        dense=chunk.score_dense,
        hybrid=chunk.score_hybrid,
    )


def _source(number: int, source: str | dict[str, Any]) -> Source:
    if isinstance(source, str):
        return Source(source_id=f"source_{number}", text=source)
    return Source(
        source_id=str(source.get("id") or f"source_{number}"),
        text=as_text(source["record"]) if "record" in source else source["text"],
        title=source.get("title", ""),
        uri=source.get("uri", ""),
    )
