"""Retrieval, through `search`.

Dense neighbours and BM25 each rank up to `depth` chunks; reciprocal rank fusion joins them. Results
are data: quoted, never followed as instructions.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.db.models import Sum
from pgvector import HalfVector, SparseVector

from documents.embedding import embed_query
from documents.evidence import EvidenceChunk, Row, evidence, passages
from documents.lexical import TERM_DIMENSIONS, gathering_terms, query_weights, terms
from documents.metadata import documents_with
from documents.models import Collection, TermStatistic
from documents.sql import load
from inference.embedding import Vectors
from inference.rerank import Reranker, get_reranker
from lib.stats.odds import logistic
from lib.stats.relevance import relevance_by_words

Ranked = list[tuple[int, float]]
"""Ids of chunks with their scores, best first."""
DEPTH = 20

# The configured cross-encoder, if any, as the last step of a search.


def reranker() -> Reranker | None:
    """Return the cross-encoder of this process, or None if RERANKER_MODEL is empty.

    Raises inference.errors.ModelError if it is broken: a search silently ranked otherwise than
    configured would be worse than none.
    """
    if not settings.RERANKER_MODEL:
        return None
    return get_reranker(
        settings.RERANKER_MODEL, settings.MODEL_DIR, threads=settings.EMBEDDING_THREADS, build=True
    )


def candidates(
    ranked: Ranked, documents: Mapping[int, object], *, k: int, most: int | None
) -> Ranked:
    """Return the passages worth reranking: the first DEPTH, and at least `k`.

    If chunks of a few documents fill them, so that fewer than `k` would remain, the first of each
    document are taken.
    """
    depth = max(DEPTH, k)
    if len(at_most_each(ranked[:depth], documents, most=most)) >= k:
        return ranked[:depth]
    return at_most_each(ranked, documents, most=most)[:depth]


def rerank(
    model: Reranker, text: str, ranking: Ranked, rows: Mapping[int, Row]
) -> tuple[Ranked, dict[int, float]]:
    """Return the passages by the cross-encoder's scores, best first, and those scores.

    Each keeps its fused score; ties keep the fused order.
    """
    scores = model.score(text, [rows[chunk_id]["text"] for chunk_id, _ in ranking])
    by_id = dict(zip((chunk_id for chunk_id, _ in ranking), scores, strict=True))
    return sorted(ranking, key=lambda item: -by_id[item[0]]), by_id


# Reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009).

Item = TypeVar("Item", bound=Hashable)


def reciprocal_rank_fusion(
    rankings: Mapping[str, Sequence[Item]], *, k: int = 60, weights: Mapping[str, float]
) -> list[tuple[Item, float]]:
    """Return items by Σ weight / (k + rank) over the rankings, best first.

    Ties keep first order.
    """
    scores: dict[Item, float] = {}
    for name, ranking in rankings.items():
        for rank, item in enumerate(ranking, start=1):
            scores[item] = scores.get(item, 0.0) + weights.get(name, 1.0) / (k + rank)
    return sorted(scores.items(), key=lambda scored_item: -scored_item[1])


def at_most_each(
    ranked: Sequence[tuple[Item, float]], group: Mapping[Item, Hashable], *, most: int | None
) -> list[tuple[Item, float]]:
    """Return the ranking with at most `most` items of each group (None: all)."""
    if most is None:
        return list(ranked)
    count_by_group: dict[Hashable, int] = {}
    retained = []
    for item, score in ranked:
        count_by_group[group[item]] = count_by_group.get(group[item], 0) + 1
        if count_by_group[group[item]] <= most:
            retained.append((item, score))
    return retained


# The relevance of a passage to a question, 0-1: one scale for words and vectors.
#
# A logistic function of the cosine and of the share of the question's words in the passage, fitted
# on questions whose document is in a collection of 1, 5 or 50 against questions whose document is
# not (`python -m tools.training.relevance DATA`, docs/decisions/0606).

FITTED = {"all-MiniLM-L6-v2": (8.43, 3.35, -4.45)}
"""Weights of cosine and share of words and the bias, by the name of the embedding model."""


def relevance(cosine: float | None, share: float, model: str) -> float:
    """Return the probability that a passage is about the question.

    Where no cosine was measured, or by a model that is not fitted, by the share of words alone.
    """
    fit = next((fit for name, fit in FITTED.items() if name in model), None)
    if cosine is None or fit is None:
        return relevance_by_words(share)
    by_cosine, by_share, bias = fit
    return round(logistic(by_cosine * cosine + by_share * share + bias), 4)


def share_held(query_terms: Iterable[str], text: str) -> float:
    """Return the share of a question's terms that occur in a passage.

    An identifier ("F207") is what the question is about: a passage with it counts as having all.
    """
    question, passage = frozenset(query_terms), frozenset(terms(text))
    for term in question & passage:
        if any(map(str.isdigit, term)) and any(map(str.isalpha, term)):
            return 1.0
    return len(question & passage) / len(question) if question else 0.0


_DENSE_EXACT = load("dense_exact")
_DENSE_HNSW = load("dense_hnsw")
_COSINES = load("cosines")
_LEXICAL = load("lexical")

# Up to this many chunks a search compares all of them; above, it follows the HNSW graph.
_EXACT_SCAN_CHUNKS = 20_000
_LEXICAL_CANDIDATES = 8_000
MOST_PER_DOCUMENT = 2
# The rarest word of a question is looked up however common it is, but for so many chunks at most.
_MOST_GATHERED = 50_000
_ALWAYS_GATHERED = 5_000
# Of the fusion, as measured (docs/research/retrieval.md); the lexical ranking weighs 1.
_DENSE_WEIGHT, _RANK_CONSTANT = 0.8, 20


class Mode(StrEnum):
    HYBRID = "hybrid"
    DENSE = "dense"
    LEXICAL = "lexical"


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """Options of a search; the defaults are those measured in docs/research/retrieval.md.

    `depth`: how many chunks each ranking contributes. `documents`: only those with such metadata
    (`documents.metadata`); None for all. `most_per_document` None: no bound.
    `relevance_floor`: see `search`. `rerank`: with the configured cross-encoder, if any.
    """

    mode: Mode = Mode.HYBRID
    depth: int = 100
    score_floor: float = 0.005
    relevance_floor: float = field(default_factory=lambda: settings.RETRIEVAL_RELEVANCE_FLOOR)
    most_per_document: int | None = MOST_PER_DOCUMENT
    documents: Mapping[str, Any] | None = None
    rerank: bool = True


Ranking = dict[int, float]
"""The score of each chunk, best first."""


@dataclass(frozen=True, slots=True)
class DenseQuery:
    """A text as one model embeds it, and the collections embedded by it."""

    vector: Vectors
    collections: list[UUID]


@dataclass(frozen=True, slots=True)
class Rankings:
    dense: Ranking
    lexical: Ranking
    fused: Ranked
    queries: tuple[DenseQuery, ...] = ()


def search(
    collections: Sequence[Collection], text: str, k: int = 4, options: SearchOptions | None = None
) -> list[EvidenceChunk]:
    """Return the `k` best chunks of the collections for a text, best first.

    Chunks with a relevance below `relevance_floor` are left out: an off-topic question gets no
    evidence instead of the least bad, and no other question gets mere filler up to `k`. Raises
    inference.errors.ModelError if the configured embedding model or reranker is broken.
    """
    options = options or SearchOptions()
    if not text.strip() or not any(collection.chunk_count for collection in collections):
        return []
    within = documents_with(collections, options.documents) if options.documents else None
    if within == []:
        return []
    rankings = _rankings(collections, text, options, within)
    model = reranker() if options.rerank else None
    ranking, rows, documents = _pool(rankings.fused, k, options)
    most, scores = options.most_per_document, dict[int, float]()
    if model is not None and ranking:
        ranking = candidates(ranking, documents, k=k, most=most)
        ranking, scores = rerank(model, text, ranking, rows)
    best = at_most_each(ranking, documents, most=most)[:k]
    cosines = _cosines([at for at, _ in best], rankings)
    query_terms = terms(text)
    chunks = [
        evidence(
            rows[at],
            rank=rank,
            hybrid=score,
            relevance=relevance(
                cosines.get(at), share_held(query_terms, rows[at]["text"]), rows[at]["version"]
            ),
            bm25=rankings.lexical.get(at),
            dense=cosines.get(at),
            rerank=scores.get(at),
        )
        for rank, (at, score) in enumerate(best, start=1)
    ]
    return [chunk for chunk in chunks if chunk.relevance >= options.relevance_floor]


def _cosines(ids: Sequence[int], rankings: Rankings) -> dict[int, float]:
    """Return the cosine of each chunk, computed here for those found by words only."""
    missing = [at for at in ids if at not in rankings.dense]
    cosines = {at: rankings.dense[at] for at in ids if at in rankings.dense}
    for query in rankings.queries if missing else ():
        parameters = {"ids": missing, "embedding": HalfVector(query.vector).to_text()}
        cosines |= _rank(_COSINES, parameters | {"collections": query.collections})
    return cosines


def _pool(
    fused: Ranked, k: int, options: SearchOptions
) -> tuple[Ranked, dict[int, Row], dict[int, object]]:
    """Return the head of the ranking that suffices to choose `k` from, its passages and documents.

    Usually a few times `k` suffice; if one document fills them, all are fetched.
    """
    first = max(8 * k if options.most_per_document else k, DEPTH)
    for upto in sorted({min(first, len(fused)), len(fused)}):
        rows = passages([chunk_id for chunk_id, _ in fused[:upto]])
        # A document may have been deleted since it was ranked.
        ranking = [item for item in fused[:upto] if item[0] in rows]
        documents = {chunk_id: row["doc_id"] for chunk_id, row in rows.items()}
        if len(at_most_each(ranking, documents, most=options.most_per_document)) >= k:
            break
    return ranking, rows, documents


def _rankings(
    collections: Sequence[Collection],
    text: str,
    options: SearchOptions,
    documents: list[UUID] | None,
) -> Rankings:
    """Return both rankings, again if a collection was moved to another model meanwhile."""
    models = {collection.pk: collection.embedding_model for collection in collections}
    if options.mode is Mode.LEXICAL:
        models.clear()
    while True:
        result = _rank_by_models(models, collections, text, options, documents)
        now = Collection.objects.filter(pk__in=models).values_list("pk", "embedding_model")
        moved = {pk: model for pk, model in now if model != models[pk]}
        if not moved:
            return result
        models |= moved


def _rank_by_models(
    models: Mapping[UUID, str],
    collections: Sequence[Collection],
    text: str,
    options: SearchOptions,
    documents: list[UUID] | None,
) -> Rankings:
    """Return the rankings, a dense one for each model, since cosines compare per model only.

    `models` names the model of each collection that is to be compared by vectors.
    """
    dense, queries = dict[str, Ranking](), list[DenseQuery]()
    for model in dict.fromkeys(models.values()):
        some = [collection for collection in collections if models[collection.pk] == model]
        queries.append(DenseQuery(embed_query(text, model), [each.pk for each in some]))
        dense[model] = rank_dense(some, queries[-1].vector, options.depth, documents)
    lexical: Ranking = {}
    if options.mode is not Mode.DENSE:
        lexical = rank_lexical(collections, text, options.depth, documents)
    rankings = {f"dense by {model}": list(ranking) for model, ranking in dense.items()}
    fused = reciprocal_rank_fusion(
        rankings | {"lexical": list(lexical)},
        k=_RANK_CONSTANT,
        weights=dict.fromkeys(rankings, _DENSE_WEIGHT),
    )
    scores = {at: score for ranking in dense.values() for at, score in ranking.items()}
    strong = [item for item in fused if item[1] >= options.score_floor]
    return Rankings(scores, lexical, strong, tuple(queries))


def rank_dense(
    collections: Sequence[Collection],
    embedding: Vectors,
    depth: int,
    documents: list[UUID] | None = None,
) -> Ranking:
    """Return chunks by cosine: exact in small scopes, by the HNSW graph in large ones.

    `documents`: of these alone, which are compared one by one.
    """
    within = sum(collection.chunk_count for collection in collections)
    parameters = {
        "collections": [collection.pk for collection in collections],
        "embedding": HalfVector(embedding).to_text(),
        "depth": depth,
        "documents": documents,
    }
    if documents is not None or within <= _EXACT_SCAN_CHUNKS:
        return _rank(_DENSE_EXACT, parameters)
    ranking = _rank(_DENSE_HNSW, parameters)
    # The walk along the graph ends after a while. A scope that is a very small part of a very
    # large index may not be seen enough by then.
    complete = len(ranking) >= min(depth, within)
    return ranking if complete else _rank(_DENSE_EXACT, parameters)


def rank_lexical(
    collections: Sequence[Collection],
    text: str,
    depth: int,
    documents: list[UUID] | None = None,
) -> Ranking:
    """Return chunks by BM25: gathered by the text's rarest words, scored by all of them."""
    query_terms = terms(text)
    ids = [collection.pk for collection in collections]
    chunks = sum(collection.chunk_count for collection in collections)
    holding = _holding(ids, query_terms)
    # The larger the scope, the smaller the share of its chunks that is scored.
    budget = min(_LEXICAL_CANDIDATES, max(_ALWAYS_GATHERED, chunks // 20))
    gathering = gathering_terms(query_terms, holding, budget=budget)
    if not gathering:
        return {}
    weights = query_weights(query_terms, holding, chunks=chunks)
    wide = _is_most(chunks, len(ids))
    return _rank(
        _LEXICAL,
        {
            "weights": SparseVector(weights, TERM_DIMENSIONS).to_text(),
            "gathering": _gathering([] if wide else ids, gathering),
            "collections": ids if wide else None,
            "most": max(_MOST_GATHERED, budget),
            "depth": depth,
            "documents": documents,
        },
    )


def _is_most(chunks: int, collections: int) -> bool:
    """Return whether to gather in all collections and drop what is outside the scope.

    Each candidate's collection lexeme is looked up; for many collections that costs more than
    reading some chunks in vain: about a tenth of a chunk each.
    """
    if collections == 1:
        return False
    everything = Collection.objects.aggregate(total=Sum("chunk_count"))["total"]
    return bool(everything - chunks <= chunks * collections / 11)


def collection_lexeme(collection_id: UUID) -> str:
    """Return the lexeme in every chunk of a collection; no tokenizer produces such a word."""
    return f"collection:{collection_id.hex}"


def lexeme(word: str) -> str:
    """Return a word quoted for a tsvector or tsquery literal."""
    escaped = word.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"


def _gathering(collection_ids: Sequence[UUID], words: Sequence[str]) -> str:
    """Return a tsquery for any of the words, in any of the collections (none: anywhere)."""
    scope = " | ".join(lexeme(collection_lexeme(collection_id)) for collection_id in collection_ids)
    text = " | ".join(map(lexeme, words))
    return f"({scope}) & ({text})" if scope else text


def _holding(collection_ids: Sequence[UUID], query_terms: Sequence[str]) -> dict[str, int]:
    statistics = TermStatistic.objects.filter(
        collection_id__in=collection_ids, term__in=set(query_terms)
    ).values_list("term")
    return dict(statistics.annotate(total=Sum("chunk_count")))


def _rank(statement: str, parameters: dict[str, Any]) -> Ranking:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return dict(cursor.fetchall())
