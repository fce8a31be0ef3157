"""A collection moves to another embedding model, and is searched all the while."""

import threading
from collections.abc import Sequence
from unittest import mock

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from audit.models import TrailEntry
from documents import embedding, retrieval
from documents.models import Collection, DenseVector, Document, NextVector
from documents.retrieval import Mode, SearchOptions, search
from documents.services import indexing, reembedding
from documents.services.collections import create_collection
from documents.services.indexing import index_document, index_texts
from documents.services.uploads import upload
from inference.embedding import Embedder, Role, Vectors, get_embedder

OTHER = "mirrored"
QUESTION = "At what wind speed does crane operation stop?"
DENSE = SearchOptions(mode=Mode.DENSE, most_per_document=None, relevance_floor=0.0)


class Mirrored:
    """The same model with its numbers in reverse: as good, and comparable with nothing else."""

    model_id = "mirrored@0+none"
    dimensions = 384

    def __init__(self, real: Embedder) -> None:
        self.real = real
        self.asked: list[int] = []
        self.breaks_after = 1_000

    def embed(self, texts: Sequence[str], *, role: Role = "document") -> Vectors:
        if len(self.asked) >= self.breaks_after:
            raise KeyboardInterrupt
        self.asked.append(len(texts))
        return np.ascontiguousarray(self.real.embed(texts, role=role)[:, ::-1])


@pytest.fixture
def mirrored(monkeypatch) -> Mirrored:
    def get(name: str, *rest: object, **options: object) -> Embedder:
        return embedder if name == OTHER else get_embedder(name, *rest, **options)

    embedder = Mirrored(get_embedder())
    monkeypatch.setattr(embedding, "get_embedder", get)
    return embedder


@pytest.fixture
def filled(collection) -> Collection:
    """Fill a collection with seven chunks."""
    texts = {f"{n}": f"Lunch number {n} has {n} beans and rice." for n in range(6)}
    index_texts(collection, texts | {"wind": "Crane operation stops at 38 km/h."})
    collection.refresh_from_db()
    return collection


def reembed(collection: Collection, model: str = OTHER) -> None:
    slug = collection.application.slug
    call_command("reembed", collection=collection.name, application=slug, model=model)
    collection.refresh_from_db()


def versions(collection: Collection) -> set[str]:
    return set(DenseVector.objects.filter(collection=collection).values_list("model", flat=True))


def test_the_new_model_finds_what_the_old_one_found(mirrored, filled, capsys) -> None:
    before = search([filled], QUESTION, 3, DENSE)
    reembed(filled)
    after = search([filled], QUESTION, 3, DENSE)
    assert filled.embedding_model == OTHER
    assert [chunk.source for chunk in after] == [chunk.source for chunk in before]
    assert after[0].score_dense == pytest.approx(before[0].score_dense, abs=0.002)
    assert {chunk.version for chunk in after} == {"mirrored@0+none"}
    assert not NextVector.objects.exists()
    trail_entry = TrailEntry.objects.get(event="collection.reembedded")
    assert (trail_entry.data["chunks"], trail_entry.data["model"]) == (7, "mirrored@0+none")
    assert "7 chunks moved; handbook is searched by mirrored@0+none" in capsys.readouterr().out


def test_a_move_that_breaks_off_is_taken_up_again(mirrored, filled, monkeypatch) -> None:
    monkeypatch.setattr(reembedding, "_BATCH", 2)
    mirrored.breaks_after = 2
    with pytest.raises(KeyboardInterrupt):
        reembed(filled)
    assert NextVector.objects.count() == 4
    # Half moved, it is searched as before.
    assert search([filled], QUESTION, 1, DENSE)[0].source == "wind"
    assert versions(filled) == {get_embedder().model_id}
    mirrored.breaks_after = 1_000
    mirrored.asked.clear()
    reembed(filled)
    assert sum(mirrored.asked) == 3
    assert versions(filled) == {"mirrored@0+none"}


def test_what_was_indexed_meanwhile_moves_too(mirrored, filled) -> None:
    reembedding.embed_outstanding(filled, OTHER, lambda _count: None)
    index_texts(filled, {"late": "Ladders carry four times their load."})
    assert reembedding.switch(collection=filled, model=OTHER, by="test") == 8
    filled.refresh_from_db()
    assert versions(filled) == {"mirrored@0+none"}
    assert search([filled], "ladder load", 1, DENSE)[0].source == "late"


def test_what_is_deleted_meanwhile_is_no_hindrance(mirrored, filled) -> None:
    reembedding.embed_outstanding(filled, OTHER, lambda _count: None)
    Document.objects.filter(name="3").delete()
    assert reembedding.switch(collection=filled, model=OTHER, by="test") == 6


def test_a_document_embedded_by_the_old_model_is_tried_again(mirrored, filled) -> None:
    result = upload(collection=filled, name="ladder.txt", data=b"Ladders carry loads.", by="t")
    real = indexing._passages

    def overtaken(*arguments: object) -> object:
        passages = real(*arguments)
        reembed(filled)
        return passages

    with mock.patch.object(indexing, "_passages", overtaken):
        assert not index_document(result.document.pk)
    result.document.refresh_from_db()
    assert (result.document.state, result.document.chunk_count) == ("queued", 0)
    assert index_document(result.document.pk)
    assert versions(filled) == {"mirrored@0+none"}


def test_collections_of_two_models_are_searched_together(mirrored, filled) -> None:
    other = create_collection(application=filled.application, name="other", by="test")
    index_texts(other, {"trench": "Trenches of 1.5 metres need a protective system."})
    other.refresh_from_db()
    reembed(filled)
    for question, source in ((QUESTION, "wind"), ("How deep may a trench be?", "trench")):
        match = search([filled, other], question, 4, DENSE)
        assert source in [chunk.source for chunk in match[:2]]
        assert {chunk.version for chunk in match} == {"mirrored@0+none", get_embedder().model_id}
    assert search([filled, other], "zxqv blorp") == []


def test_a_search_that_a_switch_overtakes_is_made_again(mirrored, filled) -> None:
    real, calls = retrieval.rank_dense, []

    def overtaken(*arguments: object) -> object:
        calls.append(arguments)
        if len(calls) == 1:
            reembedding.switch(collection=filled, model=OTHER, by="test")
        return real(*arguments)

    with mock.patch.object(retrieval, "rank_dense", overtaken):
        match = search([filled], QUESTION, 1, DENSE)
    assert (len(calls), match[0].source, match[0].version) == (2, "wind", "mirrored@0+none")


@pytest.mark.django_db(transaction=True)
def test_searches_are_answered_while_the_switch_is_made(mirrored, filled) -> None:
    switched, search_done = threading.Event(), threading.Event()

    def elsewhere() -> None:
        with transaction.atomic():
            reembedding.switch(collection=filled, model=OTHER, by="test")
            switched.set()
            assert search_done.wait(60)
        connection.close()

    thread = threading.Thread(target=elsewhere)
    thread.start()
    try:
        assert switched.wait(60)
        during = search([filled], QUESTION, 1, DENSE)[0]
    finally:
        search_done.set()
        thread.join(60)
    after = search([filled], QUESTION, 1, DENSE)[0]
    assert (during.source, during.version) == ("wind", get_embedder().model_id)
    assert (after.source, after.version) == ("wind", "mirrored@0+none")


def test_what_cannot_be_moved_is_refused_in_words(mirrored, filled, application) -> None:
    mirrored.dimensions = 768
    with pytest.raises(CommandError, match="vectors of 768 numbers; the index holds 384"):
        reembed(filled)
    with pytest.raises(CommandError, match="no-such-model"):
        reembed(filled, "/no-such-model")
    with pytest.raises(CommandError, match="has no collection 'missing'"):
        call_command("reembed", collection="missing", application=application.slug, model=OTHER)
    assert versions(filled) == {get_embedder().model_id}
