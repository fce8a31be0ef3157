"""Fixtures shared by all tests."""

import gc
import os
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import nullcontext

import pytest
from django.conf import settings as django_settings
from django.contrib.auth.management import create_permissions
from django.contrib.auth.models import User
from django.contrib.contenttypes.management import create_contenttypes
from django.contrib.contenttypes.models import ContentType
from django.core.management.color import Style
from django.db.backends.postgresql.operations import DatabaseOperations
from django.db.models.signals import post_migrate
from django.utils import translation
from hypothesis import HealthCheck, settings
from rest_framework.test import APIClient

from accounts.models import ApiKey, Application, Scope
from accounts.services import create_api_key, create_application
from analysis.models import Check
from analysis.services.submission import NewCheck, submit
from lib.workqueue.broker import redis_client
from tests import redis_guard, services
from tests.shapes import MakeCheck
from tests.stack import PATIENT, Stack

SSN_QUESTION = "When did SSN College close?"
SSN_ANSWER = "SSN College definitely closed in 2026 and merged with SNU."

# A slow machine is no fault of the code: hypothesis would fail what takes long.
settings.register_profile(
    "local", deadline=None, max_examples=20, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", settings.get_profile("local"), max_examples=100)
django_settings.PASSWORD_HASHERS = ["tests.hashing.QuickHasher"]
settings.load_profile("thorough" if os.environ.get("CI") else "local")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Freeze what collecting has made: looking through it for garbage takes seconds."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Function]) -> None:
    """Refuse unit tests that ask for servers: those take half a minute to start and fill."""
    if misplaced := redis_guard.unit_tests_with_servers(items):
        raise pytest.UsageError(f"Move to tests/integration: {', '.join(misplaced)}")


@pytest.fixture(scope="session")
def servers() -> None:
    """Start PostgreSQL, Redis and the small judge for the first test that needs one of them."""
    services.start()
    if django_settings.NLI_MODEL == "small":
        from inference.judge.preparing import ensure_judge

        ensure_judge(django_settings.MODEL_DIR, "small")
    if "TEST_DATABASE_URL" not in os.environ:
        django_settings.DATABASES["default"].setdefault("TEST", {})["TEMPLATE"] = services.TEMPLATE


@pytest.fixture(autouse=True)
def _redis_for_those_who_ask(request) -> Iterator[None]:
    """Refuse Redis to tests that do not ask for it, so that none depends on another's."""
    with nullcontext() if redis_guard.may_connect(request) else redis_guard.refused():
        yield


@pytest.fixture(scope="session")
def django_db_setup(servers, django_db_setup, django_db_blocker) -> Iterator[None]:
    """Make this process's own database."""
    with django_db_blocker.unblock():
        content_types = _content_types()
    _empty_by_deleting("django_content_type", "auth_permission")
    # What is kept need not be compared with the models after each test.
    post_migrate.disconnect(create_contenttypes)
    post_migrate.disconnect(dispatch_uid=f"{create_permissions.__module__}.create_permissions")
    yield
    with django_db_blocker.unblock():
        assert _content_types() == content_types, "a test changed what running processes remember"


def _content_types() -> set[tuple[int, str, str]]:
    return set(ContentType.objects.values_list("id", "app_label", "model"))


def _empty_by_deleting(*kept: str) -> None:
    """Empty the database after a test by deleting rows, but for tables that no test changes.

    Truncating makes new files for eighty tables and their indexes, which takes a quarter of a
    second; deleting a few rows takes milliseconds. Running processes remember the ids of content
    types, and making those again takes long. Each thread and context may open a connection of its
    own, so all of them are told.
    """

    def deletions(
        operations: DatabaseOperations, _style: Style, tables: Iterable[str], **_options: bool
    ) -> list[str]:
        names = [operations.quote_name(name) for name in tables if name not in kept]
        # Past the triggers that keep evidence as it is.
        return [
            "SET LOCAL session_replication_role = replica", *(f"DELETE FROM {n}" for n in names),
        ]  # fmt: skip

    DatabaseOperations.sql_flush = deletions


@pytest.fixture(autouse=True)
def _own_language() -> Iterator[None]:
    """Leave no language active: a client that asks for German would leave it to the next test."""
    yield
    translation.deactivate()


@pytest.fixture
def application(db) -> Application:
    """Make a tenant without a rate limit and without a quality sample."""
    tenant = create_application(name="Demo", slug="demo", by="test")
    tenant.rate_limit_per_minute = None
    tenant.quality_sample_rate = 0.0
    tenant.save()
    return tenant


@pytest.fixture
def other_application(db) -> Application:
    """Make a second tenant, whose data must stay unseen."""
    return create_application(name="Other", slug="other", by="test")


@pytest.fixture
def api_key(application) -> tuple[ApiKey, str]:
    """Make a key of `application` with all scopes; return it and its token."""
    return create_api_key(application=application, name="test", by="test")


@pytest.fixture
def client_with() -> Callable[..., APIClient]:
    """Return a function that makes an API client with a new key of an application."""

    def make(application: Application, *scopes: Scope) -> APIClient:
        granted = scopes or tuple(Scope)
        _, token = create_api_key(application=application, name="t", scopes=granted, by="test")
        client = APIClient(raise_request_exception=False)
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
        return client

    return make


@pytest.fixture
def api(application, client_with) -> APIClient:
    """Return an API client of `application`."""
    return client_with(application)


@pytest.fixture
def make_check(application) -> MakeCheck:
    """Return a function that submits an answer unseen by any worker, since it never commits."""

    def make(answer: str = SSN_ANSWER, **rest: object) -> Check:
        new = NewCheck(answer=answer, **rest)
        return Check.objects.get(pk=submit(application_id=application.id, new=new, by="test").id)

    return make


@pytest.fixture
def superuser(db) -> User:
    """Make somebody who may see everything in the admin."""
    return User.objects.create_superuser("root", password="correct horse battery staple")


@pytest.fixture
def empty_redis(servers) -> Iterator[None]:
    """Delete messages, counts and marks of other tests."""
    _empty_redis()
    yield
    _empty_redis()


def _empty_redis() -> None:
    """Delete all but what running processes have told the broker of their queues."""
    client = redis_client()
    keys = [key for key in client.scan_iter() if b"_kombu.binding" not in bytes(key)]
    if keys:
        client.delete(*keys)


@pytest.fixture(scope="session")
def shared_stack(django_db_setup, django_db_blocker) -> Iterator[Callable[[], Stack]]:
    """Yield a stack that tests use in turn: started for the first, and again when one has ended."""
    current: list[Stack] = []

    def get() -> Stack:
        if current and not current[0].is_whole():
            current.pop().stop()
        if not current:
            current.append(Stack.start(**PATIENT, WEBHOOK_ALLOWED_HOSTS="127.0.0.1"))
        return current[0]

    yield get
    with django_db_blocker.unblock():
        for each in current:
            each.stop()


@pytest.fixture
def stack(transactional_db, empty_redis, shared_stack) -> Iterator[Stack]:
    """Yield web, worker and beat as real processes, which later tests use too."""
    processes = shared_stack()
    processes.resume()
    yield processes
    processes.pause()
