"""Searching: ranking beside places and bounds, large scopes, counted terms, padded documents."""

import threading
from collections.abc import Sequence
from datetime import timedelta
from unittest import mock

import pytest
from django.db import connection, transaction
from django.db.models.functions import Now

from analysis.engine.types import ClaimStatus
from documents import retrieval
from documents.models import Chunk, Collection, TermStatistic
from documents.retrieval import Mode, SearchOptions, rank_dense, search
from documents.services.collections import count_stale_terms, count_terms, create_collection, stale
from documents.services.indexing import index_texts
from documents.services.uploads import delete_documents
from inference.embedding import get_embedder
from inference.errors import ModelError
from tests.database import sql
from tests.padding import CASES, noise, padded
from tests.unit.documents.parsing.files import pdf

LADDERS = "A ladder carries four times its load. "


class Longest:
    """A cross-encoder that likes long passages."""

    model_id = "longest"

    def __init__(self) -> None:
        self.asked: list[int] = []

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        self.asked.append(len(passages))
        return [float(len(passage)) for passage in passages]


@pytest.fixture
def longest(monkeypatch) -> Longest:
    model = Longest()
    monkeypatch.setattr(retrieval, "reranker", lambda: model)
    return model


def test_a_citation_names_file_and_page(put, collection) -> None:
    put(pdf("Ladders carry loads. " * 18, "Cranes stop at 38 km/h. " * 18), "site.pdf")
    put("Cranes stop in a thunderstorm", "notes.txt")
    options = SearchOptions(most_per_document=None, relevance_floor=0.0)
    citations = [
        chunk.citation for chunk in search([collection], "When do cranes stop?", 9, options)
    ]
    assert set(citations) == {"site.pdf, page 1", "site.pdf, page 2", "notes.txt"}
    first = next(c for c in search([collection], "cranes") if c.source == "site.pdf")
    assert (first.file_type, first.total, first.collection) == ("pdf", 2, "handbook")


SHOP = """Opening hours

The shop opens at 8:45. On market days it opens at 6:15.

Umbrellas

Found umbrellas are kept in cupboard 031 for nine weeks, then they are sold.

Coffee machine

Fault E17 means that the pump is blocked. Rinse it at 40 kPa with clear water.
"""


def test_what_stands_there_is_found_whatever_else_the_passage_speaks_of_and_nothing_else(
    put, collection
) -> None:
    put(SHOP, "shop.txt")
    for query in (
        "E17", "What does E17 on the display say?", "40 kPa", "umbrellas", "cupboard 031",
        "Opening hours", "When does it open on market days?",
    ):  # fmt: skip
        (found,) = search([collection], query)
        assert (found.source, found.relevance >= 0.2) == ("shop.txt", True), query
    for query in ("E18", "the capital of Mongolia", "chocolate chip cookies"):
        assert search([collection], query) == [], query


def test_a_passage_that_only_fills_up_is_left_out(put, collection) -> None:
    put(SHOP, "shop.txt")
    put("The choir sings on Thursdays in the chapel of St Luke.", "choir.txt")
    assert [chunk.source for chunk in search([collection], "When does the choir sing?")] == [
        "choir.txt"
    ]
    every = search([collection], "choir", options=SearchOptions(relevance_floor=0.0))
    assert len(every) == 2
    assert all(chunk.score_dense is not None for chunk in every)


def test_two_chunks_of_a_document_unless_asked(put, collection) -> None:
    put(LADDERS * 200, "long.txt")
    put("Ladders are inspected daily.", "short.txt")
    sources = [chunk.source for chunk in search([collection], "ladder load", 5)]
    # All of the first chunks are of the long file; the short one is found behind them.
    assert sorted(sources) == ["long.txt", "long.txt", "short.txt"]
    every = search([collection], "ladder load", 5, SearchOptions(most_per_document=None))
    assert [chunk.source for chunk in every].count("long.txt") >= 4


def test_the_cross_encoder_decides_the_order(put, collection, longest) -> None:
    put("Cranes stop at 38 km/h.", "a.txt")
    put("Cranes stop in a thunderstorm, at night and when the crew is not complete.", "b.txt")
    plain, reranked = (
        search([collection], "Cranes stop at 38 km/h.", 2, SearchOptions(rerank=rerank))
        for rerank in (False, True)
    )
    assert [chunk.source for chunk in plain] == ["a.txt", "b.txt"]
    assert [chunk.score_rerank for chunk in plain] == [None, None]
    assert [chunk.source for chunk in reranked] == ["b.txt", "a.txt"]
    assert [chunk.rank for chunk in reranked] == [1, 2]
    assert reranked[0].score_rerank == len(reranked[0].text)
    fused = {chunk.source: chunk.score_hybrid for chunk in plain}
    assert {chunk.source: chunk.score_hybrid for chunk in reranked} == fused


def test_it_reads_a_bounded_number_of_passages(put, collection, longest, monkeypatch) -> None:
    monkeypatch.setattr(retrieval, "DEPTH", 6)
    put(LADDERS * 200, "long.txt")
    for n in range(4):
        put(f"Ladders are inspected on day {n}.", f"{n}.txt")
    match = search([collection], "ladder load", 4)
    assert longest.asked
    assert max(longest.asked) <= 6
    # The long file fills the first six: the first of each document are read instead.
    assert len(match) == 4
    assert len({chunk.source for chunk in match}) >= 3


def test_a_broken_cross_encoder_is_told(put, collection, settings) -> None:
    put()
    settings.RERANKER_MODEL = "/no/such/folder"
    with pytest.raises(ModelError, match="no model folder"):
        search([collection], "crane wind")
    assert search([collection], "crane wind", options=SearchOptions(rerank=False))


def test_the_api_may_ask_for_more_of_one_document(api, put) -> None:
    put(LADDERS * 100, "long.txt")
    query = {"query": "ladder load", "collections": ["handbook"], "k": 5}
    two = api.post("/api/v1/search", query, format="json").json()["results"]
    assert len(two) == 2
    more = api.post("/api/v1/search", query | {"most_per_document": None}, format="json").json()
    assert len(more["results"]) == 5
    assert more["results"][0]["citation"] == "long.txt"


QUESTION = "At what wind speed does crane operation stop?"


@pytest.fixture
def beside_many(collection) -> Collection:
    """Return the handbook's collection with 3 chunks, in an index with 300 others."""
    other = create_collection(application=collection.application, name="other", by="test")
    index_texts(other, {f"{n}": f"Lunch number {n} has {n} beans and rice." for n in range(300)})
    texts = {"wind": "Crane operation stops at 38 km/h.", "a": "Boats sink.", "b": "Cats purr."}
    index_texts(collection, texts)
    for each in (collection, other):
        count_terms(each.pk)
        each.refresh_from_db()
    return collection


@pytest.mark.parametrize("exact_up_to", [0, 1_000_000])
def test_graph_and_exact_scan_find_the_same(beside_many, monkeypatch, exact_up_to) -> None:
    monkeypatch.setattr(retrieval, "_EXACT_SCAN_CHUNKS", exact_up_to)
    match = search([beside_many], QUESTION, 3, SearchOptions(relevance_floor=0.0))
    assert match[0].source == "wind"
    assert {chunk.source for chunk in match} == {"wind", "a", "b"}


def test_a_scope_that_the_graph_passes_by_is_scanned(beside_many, monkeypatch) -> None:
    monkeypatch.setattr(retrieval, "_EXACT_SCAN_CHUNKS", 0)
    lunch = get_embedder().embed(["Lunch number 7 has 7 beans and rice."])[0]
    sql("SET LOCAL hnsw.iterative_scan = off")
    sql("SET LOCAL hnsw.ef_search = 10")
    sql("SET LOCAL enable_sort = off")  # the planner would sort the few chunks of the scope
    assert len(rank_dense([beside_many], lunch, 3)) == 3


def test_a_search_gathers_by_the_rarest_words(beside_many, monkeypatch) -> None:
    monkeypatch.setattr(retrieval, "_LEXICAL_CANDIDATES", 1)
    other = Collection.objects.get(name="other")
    options = SearchOptions(mode=Mode.LEXICAL, most_per_document=None)
    query = "lunch 17"
    # The rarest word alone.
    assert len(search([other], query, 100, options)) == 1
    with mock.patch.object(retrieval, "_MOST_GATHERED", 2):
        assert len(search([other], "lunch", 100, options)) == 2


def test_defaults_of_a_search_come_from_the_settings(beside_many, settings) -> None:
    assert search([beside_many], "How do I bake a cake with chocolate?") == []
    settings.RETRIEVAL_RELEVANCE_FLOOR = 0.0
    assert len(search([beside_many], QUESTION, options=SearchOptions(depth=1))) == 1
    assert search([beside_many], QUESTION, options=SearchOptions(score_floor=1.0)) == []
    assert Chunk.objects.count() == 303


@pytest.mark.parametrize("wide", [True, False])
def test_gathering_everywhere_or_by_collection_finds_the_same(beside_many, wide) -> None:
    other = Collection.objects.get(name="other")
    with mock.patch.object(retrieval, "_is_most", return_value=wide):
        both = retrieval.rank_lexical([beside_many, other], "crane lunch 17", 100)
        alone = retrieval.rank_lexical([beside_many], "crane lunch 17", 100)
        none = retrieval.rank_lexical([beside_many], "lunch 17", 100)
    assert len(both) == 100
    assert {Chunk.objects.get(pk=chunk_id).text for chunk_id in alone} == {
        "Crane operation stops at 38 km/h."
    }
    assert next(iter(alone)) in list(both)[:2]
    assert none == {}


def is_counted_again(collection: Collection, **fields: object) -> bool:
    """Return whether a collection with these fields would be counted again."""
    Collection.objects.filter(pk=collection.pk).update(**fields)
    return stale().filter(pk=collection.pk).exists()


def test_a_term_is_counted_once_a_chunk(put, collection) -> None:
    put("The wind is strong, the wind is cold. " * 2, "a.txt")
    put("No wind today.", "b.txt")
    assert TermStatistic.objects.get(collection=collection, term="wind").chunk_count == 2
    assert not TermStatistic.objects.filter(term__startswith="collection:").exists()


def test_what_did_not_change_is_not_counted_again(put) -> None:
    document = put()
    assert count_stale_terms() == 0
    delete_documents(documents=[document], by="test")
    assert count_stale_terms() == 1
    assert not TermStatistic.objects.exists()


@pytest.mark.parametrize(
    ("chunks", "again"),
    [(1_000_000, False), (1_040_000, False), (1_050_000, True), (960_000, False), (950_000, True)],
)
def test_a_large_collection_is_counted_when_it_changed_by_a_twentieth(
    collection, chunks, again
) -> None:
    soon = {"changed_at": Now() - timedelta(minutes=1), "terms_counted_at": Now()}
    assert (
        is_counted_again(collection, chunk_count=chunks, counted_chunks=1_000_000, **soon) is again
    )


def test_a_large_collection_that_changed_a_little_is_counted_after_hours(collection) -> None:
    sizes = {"chunk_count": 1_000_001, "counted_chunks": 1_000_000}
    before = Now() - timedelta(hours=7)
    assert is_counted_again(collection, terms_counted_at=before, changed_at=before, **sizes)


def test_a_small_one_is_counted_after_any_change(collection) -> None:
    now = {"changed_at": Now(), "terms_counted_at": Now()}
    assert is_counted_again(collection, chunk_count=1_001, counted_chunks=1_000, **now)
    assert not is_counted_again(collection, chunk_count=1_000, counted_chunks=1_000, **now)
    assert is_counted_again(collection, terms_counted_at=Now() - timedelta(seconds=1))


@pytest.mark.django_db(transaction=True)
def test_who_counts_already_is_not_disturbed(put, collection) -> None:
    put()
    results: list[bool] = []

    def elsewhere() -> None:
        results.append(count_terms(collection.pk))
        connection.close()

    with transaction.atomic():
        assert count_terms(collection.pk)
        other = threading.Thread(target=elsewhere)
        other.start()
        other.join(30)
    assert results == [False]


OFFICES = next(case for case in CASES if case.name == "offices")
STATUSES = {
    "The Tromso office has 85 employees": ClaimStatus.SUPPORTED,
    "Employees in Tromso get 27 days of leave a year": ClaimStatus.SUPPORTED,
    "Employees in Tromso get 22 days of leave a year": ClaimStatus.CONTRADICTORY,
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_passage_is_among_the_best_two(put, collection, case) -> None:
    """Of one document a search gives two passages."""
    document = put(padded(case.source, case.more))
    assert document.chunk_count > 200
    start = document.text.index(case.source)
    end = start + len(case.source)
    misses = {
        claim
        for claim in case.claims
        if not any(
            chunk.char_start < end and chunk.char_end > start
            for chunk in search([collection], claim)
        )
    }
    assert misses == set()


@pytest.mark.parametrize(
    "more", [pytest.param(OFFICES.more, id="of its own kind"), pytest.param(noise, id="noise")]
)
def test_a_check_against_the_collection_finds_its_evidence(put, checked, more) -> None:
    put(padded(OFFICES.source, more))
    check = checked(". ".join(STATUSES) + ".", collections=["handbook"])
    statuses = dict(check.annotated_answer.claims.values_list("text", "status"))
    assert statuses == STATUSES
