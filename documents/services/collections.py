"""Collections: made, emptied, counted."""

from uuid import UUID

from django.db import connection, transaction
from django.db.models import F, Q
from django.db.models.functions import Now

from accounts.models import Application
from audit.models import Event
from audit.services import append
from documents.models import Collection, TermStatistic
from documents.retrieval import collection_lexeme, lexeme
from documents.sql import load

_COUNT_TERMS = load("count_terms")


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
    """Make an empty collection. Raises IntegrityError when the name is taken."""
    collection = Collection.objects.create(
        application=application,
        name=name,
        title=title,
        class_number=class_number,
        subject=subject,
        average_length=average_length,
    )
    append(
        Event.COLLECTION_CREATED,
        subject=collection,
        by=by,
        application_id=application.pk,
        name=name,
    )
    return collection


@transaction.atomic
def describe_collection(
    *, collection: Collection, by: str, title: str, class_number: int | None, subject: str
) -> Collection:
    """Say anew what a collection is about; its name and its application stay."""
    collection.title, collection.class_number, collection.subject = title, class_number, subject
    collection.save(update_fields=["title", "class_number", "subject"])
    append(
        Event.COLLECTION_CHANGED,
        subject=collection,
        by=by,
        application_id=collection.application_id,
        name=collection.name,
    )
    return collection


@transaction.atomic
def delete_collection(*, collection: Collection, by: str) -> None:
    """Delete a collection with its documents."""
    append(
        Event.COLLECTION_DELETED,
        subject=collection,
        by=by,
        application_id=collection.application_id,
        name=collection.name,
    )
    collection.delete()


def count_stale_terms() -> int:
    """Count the terms of each collection that changed since its last count; returns how many."""
    changed = Collection.objects.filter(
        Q(terms_counted_at=None, chunk_count__gt=0) | Q(terms_counted_at__lt=F("changed_at"))
    )
    ids = list(changed.values_list("pk", flat=True))
    for collection_id in ids:
        count_terms(collection_id)
    return len(ids)


@transaction.atomic
def count_terms(collection_id: UUID) -> None:
    """Count in how many chunks of the collection each term stands."""
    # The time of the snapshot: what is indexed meanwhile makes the count stale again.
    Collection.objects.filter(pk=collection_id).update(terms_counted_at=Now())
    TermStatistic.objects.filter(collection_id=collection_id).delete()
    word = collection_lexeme(collection_id)
    with connection.cursor() as cursor:
        cursor.execute(
            _COUNT_TERMS,
            {"collection_id": collection_id, "lexeme": lexeme(word), "word": word},
        )
