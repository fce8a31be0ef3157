"""Renewed counts of a collection's terms: when they are due, and that they hold nobody up."""

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.db.models.functions import Now

from documents.models import Collection, Document, TermStatistic
from documents.services.collections import count_stale_terms, count_terms, stale
from documents.services.uploads import delete_documents

Put = Callable[..., Document]


def is_counted_again(collection: Collection, **fields: object) -> bool:
    """Return whether a collection with these fields would be counted again."""
    Collection.objects.filter(pk=collection.pk).update(**fields)
    return stale().filter(pk=collection.pk).exists()


def test_a_term_is_counted_once_a_chunk(put: Put, collection: Collection) -> None:
    put("The wind is strong, the wind is cold. " * 2, "a.txt")
    put("No wind today.", "b.txt")
    assert TermStatistic.objects.get(collection=collection, term="wind").chunk_count == 2
    assert not TermStatistic.objects.filter(term__startswith="collection:").exists()


def test_what_did_not_change_is_not_counted_again(put: Put) -> None:
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
    collection: Collection, chunks: int, again: bool
) -> None:
    soon = {"changed_at": Now() - timedelta(minutes=1), "terms_counted_at": Now()}
    assert (
        is_counted_again(collection, chunk_count=chunks, counted_chunks=1_000_000, **soon) is again
    )


def test_a_large_collection_that_changed_a_little_is_counted_after_hours(
    collection: Collection,
) -> None:
    sizes = {"chunk_count": 1_000_001, "counted_chunks": 1_000_000}
    before = Now() - timedelta(hours=7)
    assert is_counted_again(collection, terms_counted_at=before, changed_at=before, **sizes)


def test_a_small_one_is_counted_after_any_change(collection: Collection) -> None:
    now = {"changed_at": Now(), "terms_counted_at": Now()}
    assert is_counted_again(collection, chunk_count=1_001, counted_chunks=1_000, **now)
    assert not is_counted_again(collection, chunk_count=1_000, counted_chunks=1_000, **now)
    assert is_counted_again(collection, terms_counted_at=Now() - timedelta(seconds=1))


@pytest.mark.django_db(transaction=True)
def test_who_counts_already_is_not_disturbed(put: Put, collection: Collection) -> None:
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
