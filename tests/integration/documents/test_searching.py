"""Results of a search beside the ranking: places, bounds, and a cross-encoder's order."""

from collections.abc import Callable, Sequence

import pytest
from rest_framework.test import APIClient

from documents import retrieval
from documents.models import Collection, Document
from documents.retrieval import SearchOptions, search
from inference.errors import ModelError
from tests.unit.documents.parsing.parsing_files import pdf

Put = Callable[..., Document]
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
def longest(monkeypatch: pytest.MonkeyPatch) -> Longest:
    model = Longest()
    monkeypatch.setattr(retrieval, "reranker", lambda: model)
    return model


def test_a_citation_names_file_and_page(put: Put, collection: Collection) -> None:
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


@pytest.mark.parametrize(
    "query", ["E17", "What does E17 on the display say?", "40 kPa", "umbrellas", "cupboard 031",
              "Opening hours", "When does it open on market days?"],
)  # fmt: skip
def test_what_stands_there_is_found_whatever_else_the_passage_speaks_of(
    put: Put, collection: Collection, query: str
) -> None:
    put(SHOP, "shop.txt")
    (found,) = search([collection], query)
    assert (found.source, found.relevance >= 0.2) == ("shop.txt", True)


@pytest.mark.parametrize("query", ["E18", "the capital of Mongolia", "chocolate chip cookies"])
def test_what_does_not_stand_there_is_not_found(
    put: Put, collection: Collection, query: str
) -> None:
    put(SHOP, "shop.txt")
    assert search([collection], query) == []


def test_a_passage_that_only_fills_up_is_left_out(put: Put, collection: Collection) -> None:
    put(SHOP, "shop.txt")
    put("The choir sings on Thursdays in the chapel of St Luke.", "choir.txt")
    assert [chunk.source for chunk in search([collection], "When does the choir sing?")] == [
        "choir.txt"
    ]
    every = search([collection], "choir", options=SearchOptions(relevance_floor=0.0))
    assert len(every) == 2
    assert all(chunk.score_dense is not None for chunk in every)


def test_two_chunks_of_a_document_unless_asked(put: Put, collection: Collection) -> None:
    put(LADDERS * 200, "long.txt")
    put("Ladders are inspected daily.", "short.txt")
    sources = [chunk.source for chunk in search([collection], "ladder load", 5)]
    # All of the first chunks are of the long file; the short one is found behind them.
    assert sorted(sources) == ["long.txt", "long.txt", "short.txt"]
    every = search([collection], "ladder load", 5, SearchOptions(most_per_document=None))
    assert [chunk.source for chunk in every].count("long.txt") >= 4


def test_the_cross_encoder_decides_the_order(
    put: Put, collection: Collection, longest: Longest
) -> None:
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


def test_it_reads_a_bounded_number_of_passages(
    put: Put, collection: Collection, longest: Longest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retrieval, "DEPTH", 6)
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


def test_a_broken_cross_encoder_is_told(
    put: Put, collection: Collection, settings: pytest.FixtureRequest
) -> None:
    put()
    settings.RERANKER_MODEL = "/no/such/folder"
    with pytest.raises(ModelError, match="no model folder"):
        search([collection], "crane wind")
    assert search([collection], "crane wind", options=SearchOptions(rerank=False))


def test_the_api_may_ask_for_more_of_one_document(api: APIClient, put: Put) -> None:
    put(LADDERS * 100, "long.txt")
    query = {"query": "ladder load", "collections": ["handbook"], "k": 5}
    two = api.post("/api/v1/search", query, format="json").json()["results"]
    assert len(two) == 2
    more = api.post("/api/v1/search", query | {"most_per_document": None}, format="json").json()
    assert len(more["results"]) == 5
    assert more["results"][0]["citation"] == "long.txt"
