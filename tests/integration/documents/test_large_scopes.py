"""Large scopes follow the HNSW graph; whatever it leaves out is looked for exactly."""

from collections.abc import Callable
from unittest import mock

import pytest

from documents import retrieval
from documents.models import Chunk, Collection, Document
from documents.retrieval import Mode, SearchOptions, rank_dense, search
from documents.services.collections import count_terms, create_collection
from documents.services.indexing import index_texts
from inference.embedding import get_embedder
from tests.database import sql

Put = Callable[..., Document]
QUESTION = "At what wind speed does crane operation stop?"


@pytest.fixture
def beside_many(collection: Collection) -> Collection:
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
def test_graph_and_exact_scan_find_the_same(
    beside_many: Collection, monkeypatch: pytest.MonkeyPatch, exact_up_to: int
) -> None:
    monkeypatch.setattr(retrieval, "_EXACT_SCAN_CHUNKS", exact_up_to)
    match = search([beside_many], QUESTION, 3, SearchOptions(relevance_floor=0.0))
    assert match[0].source == "wind"
    assert {chunk.source for chunk in match} == {"wind", "a", "b"}


def test_a_scope_that_the_graph_passes_by_is_scanned(
    beside_many: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retrieval, "_EXACT_SCAN_CHUNKS", 0)
    lunch = get_embedder().embed(["Lunch number 7 has 7 beans and rice."])[0]
    sql("SET LOCAL hnsw.iterative_scan = off")
    sql("SET LOCAL hnsw.ef_search = 10")
    sql("SET LOCAL enable_sort = off")  # the planner would sort the few chunks of the scope
    with mock.patch.object(retrieval, "_rank", wraps=retrieval._rank) as rank:
        assert len(rank_dense([beside_many], lunch, 3).ids) == 3
    assert [call.args[0] for call in rank.call_args_list] == [
        retrieval._DENSE_HNSW,
        retrieval._DENSE_EXACT,
    ]


def test_an_exact_search_gathers_by_common_words_too(
    beside_many: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retrieval, "_LEXICAL_CANDIDATES", 1)
    other = Collection.objects.get(name="other")
    options = SearchOptions(mode=Mode.LEXICAL, most_per_document=None)
    query = "lunch 17"
    # The rarest word alone.
    assert len(search([other], query, 100, options)) == 1
    with mock.patch.object(retrieval, "_MOST_GATHERED", 2):
        assert len(search([other], "lunch", 100, options)) == 2
    exact = SearchOptions(mode=Mode.LEXICAL, most_per_document=None, exact=True)
    assert len(search([other], query, 100, exact)) == 100


def test_defaults_of_a_search_come_from_the_settings(
    beside_many: Collection, settings: pytest.FixtureRequest
) -> None:
    assert search([beside_many], "How do I bake a cake with chocolate?") == []
    settings.RETRIEVAL_RELEVANCE_FLOOR = 0.0
    assert len(search([beside_many], QUESTION, options=SearchOptions(depth=1))) == 1
    assert search([beside_many], QUESTION, options=SearchOptions(score_floor=1.0)) == []
    assert Chunk.objects.count() == 303


@pytest.mark.parametrize("wide", [True, False])
def test_gathering_everywhere_or_by_collection_finds_the_same(
    beside_many: Collection, wide: bool
) -> None:
    other = Collection.objects.get(name="other")
    with mock.patch.object(retrieval, "_is_most", return_value=wide):
        both = retrieval.rank_lexical([beside_many, other], "crane lunch 17", 100)
        alone = retrieval.rank_lexical([beside_many], "crane lunch 17", 100)
        none = retrieval.rank_lexical([beside_many], "lunch 17", 100)
    assert len(both.ids) == 100
    assert {Chunk.objects.get(pk=chunk_id).text for chunk_id in alone.ids} == {
        "Crane operation stops at 38 km/h."
    }
    assert alone.ids[0] in both.ids[:2]
    assert none.ids == []


@pytest.mark.parametrize(
    ("chunks", "everything", "collections", "most"),
    [(100, 100, 1, False), (100, 100, 2, True), (50, 100, 2, False), (50, 100, 11, True)],
)
def test_many_collections_are_gathered_everywhere_where_they_are_a_large_part(
    collection: Collection, chunks: int, everything: int, collections: int, most: bool
) -> None:
    Collection.objects.filter(pk=collection.pk).update(chunk_count=everything)
    assert retrieval._is_most(chunks, collections) is most


def test_a_small_scope_needs_fewer_candidates() -> None:
    budgets = [retrieval._budget(chunks) for chunks in (100, 120_000, 1_000_000)]
    assert budgets == [5_000, 6_000, 8_000]
