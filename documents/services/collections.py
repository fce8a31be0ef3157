"""Creates, empties and counts collections."""

from datetime import timedelta
from uuid import UUID

from django.db import connection, transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Greatest, Now

from accounts.models import Application
from audit.models import Event
from audit.services import append
from documents.models import Collection, TermStatistic
from documents.retrieval import collection_lexeme, lexeme
from documents.sql import load

_COUNT_TERMS = load("count_terms")
_QUICKLY_COUNTED = 50_000
"""Chunks that are counted within some seconds."""

_NOTICED = 20
_LONG_AGO = timedelta(hours=6)


@transaction.atomic
def create_collection(
    *,
    application: Application,
    name: str,
    by: str,
    title: str = "",
    class_number: int | None = None,
    subject: str = "",
    average_length: float = 40.0,
) -> Collection:
    """Create an empty collection. Raises IntegrityError if the name is taken."""
    collection = Collection.objects.create(
        application=application,
        name=name,
        title=title,
        class_number=class_number,
        subject=subject,
        average_length=average_length,
    )
    append(Event.COLLECTION_CREATED, subject=collection, by=by, name=name)
    return collection


@transaction.atomic
def describe_collection(
    *, collection: Collection, by: str, title: str, class_number: int | None, subject: str
) -> None:
    """Change the description of a collection; its name and application stay."""
    collection.title, collection.class_number, collection.subject = title, class_number, subject
    collection.save(update_fields=["title", "class_number", "subject"])
    append(Event.COLLECTION_CHANGED, subject=collection, by=by, name=collection.name)


@transaction.atomic
def delete_collection(*, collection: Collection, by: str) -> None:
    # A move to another model that is being finished is waited for, not met halfway.
    Collection.objects.select_for_update().filter(pk=collection.pk).first()
    append(Event.COLLECTION_DELETED, subject=collection, by=by, name=collection.name)
    collection.delete()


def count_stale_terms() -> int:
    """Count the terms of each collection with outdated counts; return how many."""
    return sum(count_terms(collection_id) for collection_id in stale().values_list("pk", flat=True))


def stale() -> QuerySet[Collection]:
    """Return the collections whose terms should be recounted.

    A large one waits until it grew or shrank by a twentieth: IDF is a logarithm, and an uncounted
    word is found anyway.
    """
    changed = (
        Q(counted_chunks=None, chunk_count__gt=0)
        | ~Q(counted_chunks=F("chunk_count"))
        | Q(terms_counted_at__lt=F("changed_at"))
    )
    share = Greatest(1, F("counted_chunks") / _NOTICED)
    due = (
        Q(counted_chunks=None)
        | Q(chunk_count__lte=_QUICKLY_COUNTED)
        | Q(chunk_count__gte=F("counted_chunks") + share)
        | Q(counted_chunks__gte=F("chunk_count") + share)
        | Q(terms_counted_at__lt=Now() - _LONG_AGO)
    )
    return Collection.objects.filter(changed, due)


@transaction.atomic
def count_terms(collection_id: UUID) -> bool:
    """Count the collection's chunks with each term; return False if another process is doing so.

    The collection's row is locked only at the end, so that indexing continues meanwhile.
    """
    word = collection_lexeme(collection_id)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 0))", [word])
        if not cursor.fetchone()[0]:
            return False
        # Read before the count, so that a chunk that comes meanwhile makes the count stale.
        chunks = Collection.objects.values_list("chunk_count", flat=True).get(pk=collection_id)
        TermStatistic.objects.filter(collection_id=collection_id).delete()
        cursor.execute(
            _COUNT_TERMS, {"collection_id": collection_id, "lexeme": lexeme(word), "word": word}
        )
    Collection.objects.filter(pk=collection_id).update(
        terms_counted_at=Now(), counted_chunks=chunks
    )
    return True
