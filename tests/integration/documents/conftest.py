"""A collection, and files put into it without a worker."""

from collections.abc import Callable

import pytest

from documents.models import Collection, Document
from documents.services.collections import count_terms, create_collection
from documents.services.indexing import index_document
from documents.services.uploads import upload

HANDBOOK = """Cranes and wind.

Crane operation stops when the wind reaches 38 km/h. Nobody lifts loads in a thunderstorm.

Trenches.

A trench of 1.5 metres of depth or more needs a protective system. It is inspected daily.
"""


@pytest.fixture
def collection(application, empty_redis) -> Collection:
    handbook = create_collection(application=application, name="handbook", by="test")
    handbook.refresh_from_db()
    return handbook


@pytest.fixture
def put(collection) -> Callable[..., Document]:
    """Return a function that uploads a file and indexes it at once."""

    def make(data: bytes | str = HANDBOOK, name: str = "handbook.txt") -> Document:
        raw = data.encode() if isinstance(data, str) else data
        result = upload(collection=collection, name=name, data=raw, by="test")
        index_document(result.document.pk)
        count_terms(collection.pk)
        collection.refresh_from_db()
        result.document.refresh_from_db()
        return result.document

    return make
