"""An application with a small handbook, and a manager who asks about it.

Sources are gathered in threads with connections of their own, so what they read must be committed.
"""

from collections.abc import Callable

import pytest

from accounts.models import Application
from accounts.services import create_application
from assistant.models import Conversation, Turn
from assistant.services import ask, start_conversation
from documents.models import Collection, Document
from documents.services.collections import count_terms, create_collection
from documents.services.indexing import index_document
from documents.services.uploads import upload
from lib.sandbox import available
from memory.models import Manager
from memory.services.managers import create_manager

HANDBOOK = """Site handbook

Cranes and wind

Crane operation stops when gusts reach 38 km/h. Nobody lifts loads in a thunderstorm. The
operator lowers the load and sets the slewing brake free before leaving the cab.

Trenches

A trench of 1.5 metres of depth or more needs a protective system. It is inspected daily by a
competent person. Ladders stand at most 7.5 metres from every worker in a trench.

Scaffolds

Scaffold work stops when the wind reaches 50 km/h. Scaffold boards are at least 0.6 metres wide.
"""


@pytest.fixture
def tenant(transactional_db, empty_redis) -> Application:
    """Make an application without a limit and without a quality sample, committed."""
    application = create_application(name="Site", slug="site", by="test")
    application.rate_limit_per_minute = None
    application.quality_sample_rate = 0.0
    application.save()
    return application


@pytest.fixture
def put(tenant) -> Callable[..., Document]:
    """Return a function that uploads a file into the collection `handbook` and indexes it."""
    collection = create_collection(application=tenant, name="handbook", by="test")

    def make(text: str = HANDBOOK, name: str = "handbook.txt") -> Document:
        result = upload(
            collection=Collection.objects.get(pk=collection.pk),
            name=name,
            data=text.encode(),
            by="test",
        )
        index_document(result.document.pk)
        count_terms(collection.pk)
        result.document.refresh_from_db()
        return result.document

    return make


@pytest.fixture
def manager(tenant) -> Manager:
    return create_manager(application=tenant, name="Ann", by="test")


@pytest.fixture
def asks(manager) -> Callable[..., Turn]:
    """Return a function that asks a question in a new or given conversation and has it answered."""

    def make(question: str, conversation: Conversation | None = None, **rest: object) -> Turn:
        place = conversation or start_conversation(manager, title=question)
        return ask(manager, place, question, **rest)

    return make


@pytest.fixture
def sandboxed() -> None:
    """Skip where this machine allows no sandbox, saying why."""
    if available().tier is None:
        pytest.skip(f"no sandbox here: {available().reason}")
